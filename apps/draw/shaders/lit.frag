// What is lit, pixel by pixel or (FINE) at the vertices before; the back of a surface is lit as well, and a little darker.
out vec4 o_colour;
#ifdef FINE
in vec3 v_colour;
void main() { o_colour = vec4(v_colour, 1.0); }
#else
in vec3 v_x, v_normal;
#ifdef TINT
in vec4 v_tint;
#endif
void main() {
    vec3 albedo = u_colour.rgb;
#ifdef TINT
    albedo = mix(albedo, v_tint.rgb, v_tint.a);
#endif
    vec3 n = v_normal * inversesqrt(max(dot(v_normal, v_normal), 1e-20));
    if (!gl_FrontFacing) { n = -n; albedo *= 0.82; }
    o_colour = vec4(shade(albedo, v_x, n), 1.0);
}
#endif
