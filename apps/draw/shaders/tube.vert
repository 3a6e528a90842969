// Tubes and balls (BARE: only where they are): a unit ball cut in half at its equator, the halves at the tube's ends.
layout(location = 0) in vec4 a_unit; // of the ball; w: how far along the tube
layout(location = 1) in vec3 a_from;
layout(location = 2) in vec3 a_to;
layout(location = 3) in float a_radius;
layout(location = 4) in vec4 a_tint;
#ifdef BANDS
layout(location = 5) in vec4 a_band; // along, at both ends, and around: in repeats of the pattern; the pattern
out vec3 v_band; // along, and where around the axis
flat out vec2 v_pattern;
#endif
out vec3 v_x, v_normal;
out vec2 v_open;
out vec4 v_tint;
void main() {
    vec3 axis = a_to - a_from;
    float size = length(axis);
    axis = size > 0.0 ? axis / size : vec3(0.0, 1.0, 0.0);
    vec3 side = normalize(cross(abs(axis.y) < 0.9 ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0), axis));
    v_normal = mat3(side, axis, cross(side, axis)) * a_unit.xyz;
    v_x = mix(a_from, a_to, a_unit.w) + a_radius * v_normal;
    v_tint = vec4(pow(a_tint.rgb, vec3(2.2)), a_tint.a);
#ifdef BANDS
    float stretch = size > 0.0 ? (a_band.y - a_band.x) / size : 0.0;
    v_band = vec3(mix(a_band.x, a_band.y, a_unit.w) + stretch * a_radius * a_unit.y, a_unit.xz);
    v_pattern = a_band.zw;
#endif
#ifdef BARE
    v_open = vec2(1.0);
#else
    v_open = sky_from(v_x, v_normal);
#endif
    gl_Position = u_picture * vec4(v_x, 1.0);
}
