// Fades into the background; darker where something hides the sky from it (u_floor) and where the sun does not reach.
uniform vec3 u_along, u_across, u_haze;
uniform float u_extent, u_grid, u_near; // u_near: how far the map of the floor reaches, m; 0: there is none
uniform sampler2D u_floor;
in vec3 v_x;
in vec2 v_at;
out vec4 o_colour;
void main() {
    vec2 place = vec2(dot(v_x, u_along), dot(v_x, u_across)) / u_grid;
    vec2 width = fwidth(place);
    vec2 line = clamp(abs(fract(place - 0.5) - 0.5) / max(width, vec2(1e-6)), 0.0, 1.0);
    float grid = (1.0 - min(line.x, line.y)) * clamp(0.25 / max(width.x, width.y) - 0.5, 0.0, 1.0);
    vec3 albedo = u_colour.rgb * (1.0 - 0.16 * grid), n = normalize(cross(u_across, u_along));
    vec2 at = v_at * u_extent / max(u_near, 1e-6);
    float open = u_near > 0.0 ? mix(texture(u_floor, at * 0.5 + 0.5).r, 1.0, smoothstep(0.6, 1.0, length(at))) : 1.0;
    // It is in no map and cannot shade itself: asked from a little below, no light comes in under what lies on it.
    float lit = max(dot(n, u_light), 0.0) * sun_from(v_x - n * u_look.z, u_parts.z);
    vec3 colour = albedo * (sky * open / (1.0 - 0.4 * albedo * (1.0 - open)) + sun * lit);
    float far = smoothstep(0.15, 0.95, length(v_at));
    o_colour = vec4(mix(colour, u_haze, far), u_colour.a * (1.0 - smoothstep(0.9, 1.0, length(v_at))));
}
