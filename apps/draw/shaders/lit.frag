// Light from the sky and the ground, from the sun where no shadow falls, and a little gloss; the back of a surface is lit as well.
in vec3 v_x, v_normal;
out vec4 o_colour;
#ifdef TINT
in vec4 v_tint;
#endif
void main() {
    vec3 albedo = u_colour.rgb;
#ifdef TINT
    albedo = mix(albedo, pow(v_tint.rgb, vec3(2.2)), v_tint.a);
#endif
    vec3 n = v_normal * inversesqrt(max(dot(v_normal, v_normal), 1e-20));
    if (!gl_FrontFacing) { n = -n; albedo *= 0.82; }
    float facing = dot(n, u_light);
    vec4 at = u_shadow_matrix * vec4(v_x + n * u_bias, 1.0);
    float lit = max(facing, 0.0) * texture(u_shadow, at.xyz);
    vec3 half_way = normalize(u_light + normalize(u_eye - v_x));
    float gloss = pow(max(dot(n, half_way), 0.0), 32.0) * 0.12;
    o_colour = vec4(albedo * (mix(earth, sky, 0.5 + 0.5 * n.y) + sun * lit) + sun * gloss * lit, u_colour.a);
}
