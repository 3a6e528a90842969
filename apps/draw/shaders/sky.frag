// The background.
uniform vec3 u_haze, u_zenith;
uniform float u_grid; // where the horizon is, 0 to 1 from the bottom
in vec2 v_at;
out vec4 o_colour;
void main() { o_colour = vec4(mix(u_haze, u_zenith, smoothstep(0.0, 1.0, (v_at.y - u_grid) * 0.9)), 1.0); }
