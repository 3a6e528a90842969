// In the colour of its ends.
in vec4 v_tint;
out vec4 o_colour;
void main() { o_colour = vec4(pow(v_tint.rgb, vec3(2.2)), v_tint.a); }
