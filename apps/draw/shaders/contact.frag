// From the depths of what hangs over the floor, seen from below, to how much of the sky it hides: near things, over a small circle.
in vec2 v_at;
out vec4 o_colour;
void main() {
    float sum = 0.0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            vec2 by = vec2(i - 2, j - 2);
            float near = 1.0 - texture(u_contact, v_at + by * 0.016).r;
            sum += near * near * exp(-0.25 * dot(by, by));
        }
    o_colour = vec4(sum / 11.0);
}
