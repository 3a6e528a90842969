// How much of the sky is seen from each place of the floor near the middle.
uniform vec3 u_place, u_along, u_across;
uniform float u_near;
in vec2 v_at;
out vec4 o_colour;
void main() {
    vec2 at = (2.0 * v_at - 1.0) * u_near;
    vec3 n = normalize(cross(u_across, u_along));
    o_colour = vec4(sky_from(u_place + at.x * u_along + at.y * u_across - 2.0 * u_look.w * n, n).x); // from below, as in ground.frag
}
