// In one colour.
out vec4 o_colour;
void main() { o_colour = u_colour; }
