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
#ifdef TEXTURE
in vec2 v_uv;
uniform sampler2D u_texture;
#endif
#ifdef PATTERN
in vec3 v_place;
uniform int u_pattern; // as pliant_pattern numbers them
#endif
#ifdef BANDS
in vec3 v_band;
flat in vec2 v_pattern;
#endif
#if defined(PATTERN) || defined(BANDS)
// A square wave with one crest a unit, from -1 to 1, and with edges as wide as a pixel, which is `pixel` units.
float crest(float x, float pixel) {
    float wide = max(pixel, 1e-5), wave = clamp((0.25 - abs(fract(x) - 0.5)) / wide, -1.0, 1.0);
    return wave * clamp(1.5 - 2.0 * wide, 0.0, 1.0);
}

// At a place in repeats, of which a pixel is so wide. The second shade is pale where the first is not, and dark where it is.
vec3 patterned(vec3 albedo, int pattern, vec2 at, vec2 wide) {
    vec3 other = dot(albedo, vec3(0.3, 0.6, 0.1)) > 0.55 ? 0.25 * albedo : mix(albedo, vec3(0.85), 0.8);
    float part = 0.0;
    if (pattern == 1) part = 0.5 + 0.5 * crest(0.5 * at.x + 0.25, 0.5 * wide.x) * crest(0.5 * at.y + 0.25, 0.5 * wide.y);
    if (pattern == 2) part = 0.5 + 0.5 * crest(at.x, wide.x);
    if (pattern == 3) part = clamp((0.3 - length(fract(at) - 0.5)) / max(wide.x + wide.y, 1e-5) + 0.5, 0.0, 1.0);
    if (pattern == 4) { // threads over and under each other
        vec2 thread = 2.0 * at, cell = floor(thread), side = abs(fract(thread) - 0.5);
        float over = mod(cell.x + cell.y, 2.0), round = over > 0.5 ? side.x : side.y, along = over > 0.5 ? side.y : side.x;
        float seen = clamp(1.5 - 4.0 * (wide.x + wide.y), 0.0, 1.0);
        return albedo * mix(0.8, (1.0 - 1.6 * round * round) * (1.0 - 1.2 * along * along), seen);
    }
    return mix(albedo, other, part);
}
#endif
#ifdef ROUND
in vec3 v_squares, v_products, v_planes;
#endif
void main() {
    vec3 albedo = u_colour.rgb;
#ifdef TINT
    albedo = mix(albedo, v_tint.rgb, v_tint.a);
#endif
#ifdef TEXTURE
    albedo *= texture(u_texture, v_uv).rgb;
#endif
#ifdef PATTERN // seen along the axis that the triangle faces most, as the body is at the start
    vec3 facing = abs(cross(dFdx(v_place), dFdy(v_place)));
    vec2 at = facing.y >= max(facing.x, facing.z) ? v_place.xz : facing.x >= facing.z ? v_place.zy : v_place.xy;
    albedo = patterned(albedo, u_pattern, at, fwidth(at));
#endif
#ifdef BANDS // the angle begins anew where it is half a turn; its fraction is steady there, and begins anew at 0
    float turn = atan(v_band.z, v_band.y) / 6.28318531, pixel = min(fwidth(turn), fwidth(fract(turn)));
    if (v_pattern.y > 0.5) albedo = patterned(albedo, int(v_pattern.y + 0.5), vec2(v_band.x, turn * v_pattern.x), vec2(fwidth(v_band.x), pixel * v_pattern.x));
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
