// The only file that uses Dear ImGui.
#include "view/ui.h"

#include <GLFW/glfw3.h>
#include <imgui.h>
#include <cmath>
#include <cstdio>
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

extern "C" {

bool ui_start(GLFWwindow *window, float scale)
{
    IMGUI_CHECKVERSION();
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().FontGlobalScale = scale;
    ImGui::StyleColorsLight();
    ImGui::GetStyle().WindowRounding = 4;
    ImGui::GetStyle().ScaleAllSizes(scale);
    return ImGui_ImplGlfw_InitForOpenGL(window, true) && ImGui_ImplOpenGL3_Init("#version 330");
}

void ui_stop(void)
{
    if (!ImGui::GetCurrentContext()) return;
    if (ImGui::GetIO().BackendRendererUserData) ImGui_ImplOpenGL3_Shutdown();
    if (ImGui::GetIO().BackendPlatformUserData) ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext();
}

void ui_begin(void)
{
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplGlfw_NewFrame();
    ImGui::NewFrame();
}

void ui_end(void)
{
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

bool ui_has_mouse(void) { return ImGui::GetIO().WantCaptureMouse; }
bool ui_has_keyboard(void) { return ImGui::GetIO().WantTextInput; }

bool ui_panel_begin(const char *title, float x, float y, float width, float height)
{
    ImGui::SetNextWindowPos(ImVec2(x, y));
    ImGui::SetNextWindowSize(ImVec2(width, height));
    const bool open = ImGui::Begin(title, nullptr, ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoSavedSettings);
    ImGui::PushItemWidth(width * 0.5f);
    return open;
}

void ui_panel_end(void)
{
    ImGui::PopItemWidth();
    ImGui::End();
}

bool ui_section(const char *title, bool open_at_first)
{
    return ImGui::CollapsingHeader(title, open_at_first ? ImGuiTreeNodeFlags_DefaultOpen : 0);
}

void ui_text(const char *text) { ImGui::TextUnformatted(text); }
void ui_text_grey(const char *text) { ImGui::TextDisabled("%s", text); }
void ui_same_line(void) { ImGui::SameLine(); }
bool ui_button(const char *label) { return ImGui::Button(label); }
bool ui_check(const char *label, bool *value) { return ImGui::Checkbox(label, value); }
bool ui_slider(const char *label, float *value, float low, float high, const char *format)
{
    return ImGui::SliderFloat(label, value, low, high, format);
}
bool ui_slider_log(const char *label, float *value, float low, float high, const char *format)
{
    // The exponent is what slides; ImGui's own logarithmic sliders know nothing below the decimals of their format. The low end is zero.
    float from = std::log10(low), to = std::log10(high), exponent = *value > low ? std::log10(*value) : from;
    char  text[40];
    std::snprintf(text, sizeof text, format, exponent > from ? *value : 0.0f);
    if (!ImGui::SliderFloat(label, &exponent, from, to, text, ImGuiSliderFlags_NoInput)) return false;
    *value = exponent > from ? std::pow(10.0f, exponent) : 0;
    return true;
}
bool ui_slider_count(const char *label, int *value, int low, int high) { return ImGui::SliderInt(label, value, low, high); }
bool ui_drag3(const char *label, float value[3], float speed) { return ImGui::DragFloat3(label, value, speed, 0, 0, "%.3g"); }
bool ui_choice(const char *label, bool chosen) { return ImGui::Selectable(label, chosen); }

void ui_curve(const char *label, const float *values, int count, const char *overlay)
{
    ImGui::PlotLines(label, values, count, 0, overlay, 0, 3.402823466e+38f, ImVec2(0, 48));
}

void ui_plot(const char *unit, const char *const *names, const float *const *values, int curves, int count)
{
    static const ImU32 colours[4] = {IM_COL32(59, 130, 196, 255), IM_COL32(90, 158, 75, 255), IM_COL32(217, 138, 43, 255),
                                     IM_COL32(192, 65, 123, 255)};
    const ImVec2       at = ImGui::GetCursorScreenPos(), size(ImGui::GetContentRegionAvail().x, 6 * ImGui::GetTextLineHeight());
    ImDrawList        *to = ImGui::GetWindowDrawList();
    float              low = 0, high = 0;
    for (int i = 0; i < curves; i++)
        for (int k = 0; k < count; k++) {
            low = std::fmin(low, values[i][k]); // a NaN is passed over
            high = std::fmax(high, values[i][k]);
        }
    if (!(high - low > 0) || !std::isfinite(high - low)) low = 0, high = 1;
    const auto y_of = [&](float v) { return at.y + size.y * (high - std::fmin(std::fmax(v, low), high)) / (high - low); };
    to->AddRectFilled(at, ImVec2(at.x + size.x, at.y + size.y), ImGui::GetColorU32(ImGuiCol_FrameBg));
    to->AddLine(ImVec2(at.x, y_of(0)), ImVec2(at.x + size.x, y_of(0)), ImGui::GetColorU32(ImGuiCol_TextDisabled));
    for (int i = 0; i < curves && i < 4; i++)
        for (int k = 1; k < count; k++) {
            const float step = size.x / (float)(count - 1), x = at.x + step * (float)(k - 1);
            to->AddLine(ImVec2(x, y_of(values[i][k - 1])), ImVec2(x + step, y_of(values[i][k])), colours[i], 1.5f);
        }
    ImGui::Dummy(size);
    for (int i = 0; i < curves && i < 4; i++) {
        if (i) ImGui::SameLine();
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(colours[i]), "%s", names[i]);
    }
    ImGui::TextDisabled("%.3g to %.3g %s", (double)low, (double)high, unit);
}

void ui_bar(const char *label, float part)
{
    ImGui::ProgressBar(part, ImVec2(90, 0), "");
    ImGui::SameLine();
    ImGui::TextUnformatted(label);
}

void ui_push_id(int id) { ImGui::PushID(id); }
void ui_pop_id(void) { ImGui::PopID(); }
}
