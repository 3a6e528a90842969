// A picture times u_grid, to be added to others.
uniform sampler2D u_drawn;
uniform float u_grid;
out vec4 o_colour;
void main() { o_colour = texelFetch(u_drawn, ivec2(gl_FragCoord.xy), 0) * u_grid; }
