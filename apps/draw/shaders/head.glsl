#version 330 core
// Stands before every shader. Colours are linear here; the framebuffer encodes them for screens.
uniform mat4 u_picture; // world to picture
uniform mat4 u_shadow_matrix; // world to shadow map, [0, 1]
uniform vec3 u_eye;
uniform vec3 u_light; // towards it, of unit length
uniform vec4 u_colour;
uniform float u_bias; // m along the normal, so that nothing shades itself
uniform sampler2DShadow u_shadow;
uniform sampler2D u_contact;
const vec3 sky = vec3(0.42, 0.46, 0.52), earth = vec3(0.22, 0.21, 0.20), sun = vec3(0.86, 0.82, 0.75);

// Light from the sky and the ground, from the sun where no shadow falls, and a little gloss, on a surface at x with the unit normal n.
vec3 shade(vec3 albedo, vec3 x, vec3 n) {
    vec4 at = u_shadow_matrix * vec4(x + n * u_bias, 1.0);
    float lit = max(dot(n, u_light), 0.0) * texture(u_shadow, at.xyz);
    float gloss = max(dot(n, normalize(u_light + normalize(u_eye - x))), 0.0);
    gloss *= gloss; gloss *= gloss; gloss *= gloss; gloss *= gloss; gloss *= gloss; // to the 32nd
    return albedo * mix(earth, sky, 0.5 + 0.5 * n.y) + sun * lit * (albedo + 0.12 * gloss);
}
