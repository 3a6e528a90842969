// One triangle over the whole picture, behind everything.
out vec2 v_at;
void main() {
    v_at = vec2((gl_VertexID & 1) * 2, (gl_VertexID >> 1) * 2);
    gl_Position = vec4(v_at * 2.0 - 1.0, 0.999999, 1.0);
}
