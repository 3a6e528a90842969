// Lines, and what lies on the picture itself: words and legends.
uniform float u_bias; // towards the eye, of the depth
layout(location = 0) in vec3 a_x;
layout(location = 1) in vec4 a_tint;
out vec4 v_tint;
void main() {
    v_tint = a_tint;
    gl_Position = u_picture * vec4(a_x, 1.0);
    gl_Position.z -= u_bias * gl_Position.w;
}
