// What is lit, pixel by pixel or (FINE) at the vertices before; the back of a surface is lit as well, and a little darker.
out vec4 o_colour;
#ifdef FINE
in vec3 v_colour;
void main() { o_colour = vec4(v_colour, 1.0); }
#else
in vec3 v_x, v_normal;
in vec2 v_open;
#ifdef TINT
in vec4 v_tint;
#endif
#ifdef ROUND
in vec3 v_squares, v_products, v_planes;
#endif
void main() {
    vec3 albedo = u_colour.rgb;
#ifdef TINT
    albedo = mix(albedo, v_tint.rgb, v_tint.a);
#endif
    vec3 n = v_normal * inversesqrt(max(dot(v_normal, v_normal), 1e-20));
    float out_by = 0.0, open = v_open.x;
    if (!gl_FrontFacing) { n = -n; albedo *= 0.82; open = v_open.y; }
#ifdef ROUND
    // From this point to its mean over the planes that touch the round surface at the corners (Phong tessellation: Boubekeur and Alexa 2008).
    vec3 x = v_x - u_middle;
    vec3 to = v_planes - vec3(dot(vec3(v_squares.x, v_products.xy), x), dot(vec3(v_products.x, v_squares.y, v_products.z), x),
                              dot(vec3(v_products.yz, v_squares.z), x));
    out_by = max(dot(to, n), 0.0);
#endif
    o_colour = vec4(shade(albedo, v_x, n, out_by, open), 1.0);
}
#endif
