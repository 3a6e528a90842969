// Surfaces. BARE: only where they are. TINT: with a colour per vertex over the body's. FINE: lit at the vertices, where triangles are hardly larger than pixels. ROUND: with what
// says where the round surface is that the triangles stand for, n nT and n (n . x) of each corner.
layout(location = 0) in vec3 a_x;
layout(location = 1) in vec3 a_normal;
#ifdef TINT
layout(location = 2) in vec4 a_tint;
#endif
#ifdef PATTERN
layout(location = 3) in vec3 a_place;
out vec3 v_place;
#endif
#ifdef TEXTURE
layout(location = 4) in vec2 a_uv;
out vec2 v_uv;
#endif
#ifdef FINE
out vec3 v_colour;
#else
out vec3 v_x, v_normal;
out vec2 v_open;
#ifdef ROUND
out vec3 v_squares, v_products, v_planes;
#endif
#ifdef TINT
out vec4 v_tint;
#endif
#endif
void main() {
    gl_Position = u_picture * vec4(a_x, 1.0);
#ifndef BARE
    vec2 open = sky_from(a_x, a_normal);
#ifdef FINE
    vec3 albedo = u_colour.rgb;
#ifdef TINT
    albedo = mix(albedo, pow(a_tint.rgb, vec3(2.2)), a_tint.a);
#endif
    float front = dot(a_normal, u_eye - a_x);
    v_colour = shade(front < 0.0 ? 0.82 * albedo : albedo, a_x, a_normal * (front < 0.0 ? -1.0 : 1.0), 0.0, front < 0.0 ? open.y : open.x);
#else
    v_open = open;
#ifdef PATTERN
    v_place = a_place;
#endif
#ifdef TEXTURE
    v_uv = a_uv;
#endif
    v_x = a_x;
    v_normal = a_normal;
#ifdef ROUND
    v_squares = a_normal * a_normal;
    v_products = vec3(a_normal.x * a_normal.yz, a_normal.y * a_normal.z);
    v_planes = a_normal * dot(a_normal, a_x - u_middle);
#endif
#ifdef TINT
    v_tint = vec4(pow(a_tint.rgb, vec3(2.2)), a_tint.a);
#endif
#endif
#endif
}
