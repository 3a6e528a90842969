// Fades into the background; darker where something is close above it (u_contact) and where the sun does not reach.
uniform vec3 u_middle, u_along, u_across, u_haze;
uniform float u_extent, u_grid, u_contact_extent;
in vec3 v_x;
in vec2 v_at;
out vec4 o_colour;
void main() {
    vec2 place = vec2(dot(v_x, u_along), dot(v_x, u_across)) / u_grid;
    vec2 width = fwidth(place);
    vec2 line = clamp(abs(fract(place - 0.5) - 0.5) / max(width, vec2(1e-6)), 0.0, 1.0);
    float grid = (1.0 - min(line.x, line.y)) * clamp(0.25 / max(width.x, width.y) - 0.5, 0.0, 1.0);
    vec3 albedo = u_colour.rgb * (1.0 - 0.16 * grid);
    vec3 at = (u_shadow_matrix * vec4(v_x, 1.0)).xyz;
    vec2 contact_at = v_at * (u_extent / u_contact_extent) * 0.5 + 0.5;
    float close = u_contact_extent > 0.0 ? texture(u_contact, contact_at).r : 0.0;
    float lit = max(dot(normalize(cross(u_across, u_along)), u_light), 0.0) * texture(u_shadow, at);
    vec3 colour = albedo * (sky * (1.0 - 0.75 * close) + sun * lit);
    float far = smoothstep(0.15, 0.95, length(v_at));
    o_colour = vec4(mix(colour, u_haze, far), u_colour.a * (1.0 - smoothstep(0.9, 1.0, length(v_at))));
}
