/* Widgets, as C sees them: Dear ImGui behind a few calls. Immediate: a call returns the user's action since the last picture. */
#ifndef VIEW_UI_H
#define VIEW_UI_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct GLFWwindow;

/* After the window's own callbacks were set: they are called too. False if it cannot draw. */
bool ui_start(struct GLFWwindow *window, float scale);
void ui_stop(void);

/* Around everything that follows, once a picture. */
void ui_begin(void);
void ui_end(void);

/* The mouse is on a panel; the keyboard belongs to a field. */
bool ui_has_mouse(void);
bool ui_has_keyboard(void);

/* A panel at the left or right edge, which folds; true if it is open. End it in any case. */
bool ui_panel_begin(const char *title, float x, float y, float width, float height);
void ui_panel_end(void);

/* A part that folds; true if it is open. */
bool ui_section(const char *title, bool open_at_first);

void ui_text(const char *text);
void ui_text_grey(const char *text);
void ui_same_line(void);
bool ui_button(const char *label);
bool ui_check(const char *label, bool *value);
bool ui_slider(const char *label, float *value, float low, float high, const char *format);
/* By powers of ten; low is above 0, and the lower end means 0. */
bool ui_slider_log(const char *label, float *value, float low, float high, const char *format);
bool ui_slider_count(const char *label, int *value, int low, int high);
bool ui_drag3(const char *label, float value[3], float speed);
bool ui_choice(const char *label, bool chosen);
void ui_curve(const char *label, const float *values, int count, const char *overlay);
/* Curves over each other on one scale that takes in 0, with their names, each in its colour, and both ends of the scale. At most four. */
void ui_plot(const char *unit, const char *const *names, const float *const *values, int curves, int count);
void ui_bar(const char *label, float part);

/* Makes widgets of the same label different. */
void ui_push_id(int id);
void ui_pop_id(void);

#ifdef __cplusplus
}
#endif
#endif
