// The floor, and walls: a square about u_place.
uniform vec3 u_place, u_along, u_across;
uniform float u_extent;
out vec3 v_x;
out vec2 v_at;
void main() {
    v_at = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    v_x = u_place + u_extent * (v_at.x * u_along + v_at.y * u_across);
    gl_Position = u_picture * vec4(v_x, 1.0);
}
