// Stands before every shader, behind the version and the counts of lights. Colours are linear here; the framebuffer encodes them for screens.
uniform mat4 u_picture; // world to picture
uniform vec3 u_eye;
uniform vec3 u_middle; // of the scene: positions count from there, where they have the most digits
uniform vec3 u_light; // towards the sun, of unit length
uniform vec4 u_colour;
uniform vec4 u_look; // roughness, sheen, m along the normal so that nothing shades itself: of the sun's map and of the sky's
uniform ivec3 u_parts; // the first direction of the sky that counts, and which are the next; how many points of the sun
uniform sampler2DArrayShadow u_suns, u_skies;
layout(std140) uniform lights {
    mat4 l_suns[SUNS]; // world to the maps, [0, 1]
    mat4 l_skies[SKIES];
    vec4 l_open[SKIES]; // towards each part of the sky
};
const vec3 sky = vec3(0.46, 0.50, 0.56), earth = vec3(0.26, 0.25, 0.24), sun = vec3(0.86, 0.81, 0.73);

// How much of the sun is seen from a point.
float sun_from(vec3 x, int many) {
    float sum = 0.0;
    for (int i = 0; i < many; i++) {
        vec3 at = (l_suns[i] * vec4(x, 1.0)).xyz;
        sum += texture(u_suns, vec4(at.xy, float(i), at.z));
    }
    return sum / float(u_parts.z);
}

// How much of the sky is seen over a surface with the normal n, and from its back.
vec2 sky_from(vec3 x, vec3 n) {
    vec2 sum = vec2(1e-6), all = vec2(1e-6);
    for (int i = u_parts.x; i < SKIES; i += u_parts.y) {
        float weight = dot(n, l_open[i].xyz);
        vec3 at = (l_skies[i] * vec4(x + sign(weight) * u_look.w * n, 1.0)).xyz;
        vec2 sides = max(vec2(weight, -weight), 0.0);
        sum += sides * texture(u_skies, vec4(at.xy, float(i), at.z));
        all += sides;
    }
    return sum / all;
}

// Light from the sky and the ground, as far as they are seen, from the sun where no shadow falls, gloss, and the sheen of cloth at its edges, on a
// surface at x with the unit normal n. `out_by`: how far above its triangle the round surface is that the triangle stands for, m. `open`: how much of
// the sky is seen.
vec3 shade(vec3 albedo, vec3 x, vec3 n, float out_by, float open) {
    vec3 eye = normalize(u_eye - x);
    float facing = dot(n, u_light), rough = max(u_look.x, 0.05), shine = 2.0 / (rough * rough * rough * rough) - 2.0;
    float lit = max(facing, 0.0) * sun_from(x + n * (out_by + u_look.z), facing > 0.0 ? u_parts.z : 0);
    open = mix(0.08, 1.0, open);
    vec3 ambient = open / (1.0 - 0.5 * albedo * (1.0 - open)); // surfaces hidden from the sky are lit by those that hide it
    float gloss = pow(max(dot(n, normalize(u_light + eye)), 1e-4), shine) * min(0.004 * (shine + 2.0), 1.0);
    float edge = 1.0 - abs(dot(n, eye)), sheen = u_look.y * edge * edge * edge;
    vec3 light = mix(earth, sky, 0.5 + 0.5 * n.y) * ambient + sun * lit;
    return albedo * light + sun * lit * gloss + sheen * light * mix(albedo, vec3(1.0), 0.12);
}
