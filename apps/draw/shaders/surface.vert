// Surfaces. TINT: with a colour per vertex over the body's.
layout(location = 0) in vec3 a_x;
layout(location = 1) in vec3 a_normal;
out vec3 v_x, v_normal;
#ifdef TINT
layout(location = 2) in vec4 a_tint;
out vec4 v_tint;
#endif
void main() {
    v_x = a_x;
    v_normal = a_normal;
#ifdef TINT
    v_tint = a_tint;
#endif
    gl_Position = u_picture * vec4(a_x, 1.0);
}
