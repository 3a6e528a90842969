// Surfaces. TINT: with a colour per vertex over the body's. FINE: lit at the vertices, where triangles are hardly larger than pixels.
layout(location = 0) in vec3 a_x;
layout(location = 1) in vec3 a_normal;
#ifdef TINT
layout(location = 2) in vec4 a_tint;
#endif
#ifdef FINE
out vec3 v_colour;
#else
out vec3 v_x, v_normal;
#ifdef TINT
out vec4 v_tint;
#endif
#endif
void main() {
    gl_Position = u_picture * vec4(a_x, 1.0);
#ifdef FINE
    vec3 albedo = u_colour.rgb;
#ifdef TINT
    albedo = mix(albedo, pow(a_tint.rgb, vec3(2.2)), a_tint.a);
#endif
    float front = dot(a_normal, u_eye - a_x);
    v_colour = shade(front < 0.0 ? 0.82 * albedo : albedo, a_x, a_normal * (front < 0.0 ? -1.0 : 1.0));
#else
    v_x = a_x;
    v_normal = a_normal;
#ifdef TINT
    v_tint = vec4(pow(a_tint.rgb, vec3(2.2)), a_tint.a);
#endif
#endif
}
