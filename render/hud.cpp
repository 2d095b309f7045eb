#include "render/hud.h"

#include <epoxy/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "render/hud_cards.h"
#include "render/hud_ghosts.h"
#include "render/hud_labels.h"
#include "render/hud_why.h"

namespace slipstick::render {
namespace {

using Places = std::array<const char*, 6>;
constexpr Places kRegular = {"/usr/share/fonts/opentype/inter/Inter-Regular.otf",
                             "/usr/share/fonts/truetype/inter/Inter-Regular.ttf",
                             "/usr/share/fonts/inter/Inter-Regular.otf",
                             "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
                             "/usr/share/fonts/TTF/DejaVuSans.ttf",
                             "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"};
constexpr Places kStrong = {"/usr/share/fonts/opentype/inter/Inter-SemiBold.otf",
                            "/usr/share/fonts/truetype/inter/Inter-SemiBold.ttf",
                            "/usr/share/fonts/inter/Inter-SemiBold.otf",
                            "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf",
                            "/usr/share/fonts/TTF/DejaVuSans-Bold.ttf",
                            "/usr/share/fonts/truetype/liberation/LiberationSans-Bold.ttf"};

/// Latin with its punctuation, Greek, arrows and mathematical signs.
constexpr std::array<ImWchar, 11> kGlyphs = {0x20,   0xFF,   0x370,  0x3FF,  0x2010, 0x2030,
                                             0x2190, 0x21FF, 0x2200, 0x22FF, 0};

ImFont* loadFont(const Places& places, float size) {
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.PixelSnapH = false;
  std::error_code ignored;
  for (const char* place : places)
    if (std::filesystem::exists(place, ignored))
      if (ImFont* font = ImGui::GetIO().Fonts->AddFontFromFileTTF(place, size, &config, kGlyphs.data()))
        return font;
  config.SizePixels = size;
  return ImGui::GetIO().Fonts->AddFontDefault(&config);
}

/// Cards that stay in their corners first, then those that go where there is room, then the numbers.
void drawCards(HudCanvas& canvas, const HudInput& in) {
  drawTimeCard(canvas, in);
  drawGhostLines(canvas, in);
  drawToggles(canvas, in);
  drawHint(canvas, in);
  const float bars = drawColorBars(canvas, in);
  if (in.showProfiler) drawProfiler(canvas, in);
  HudMissing missing;
  missing.footprints = drawInsets(canvas, in, bars);
  // Whether it has a line for numbers without room is known last.
  missing.numbers = static_cast<int>(in.frame->contact->labels.size());
  canvas.reserve(legendPlace(canvas, in, missing));
  if (in.showInfo) drawInfo(canvas, in);
  if (in.why)
    drawWhy(canvas, in);
  else
    drawCallOut(canvas, in);
  const PlacedLabels labels = placeForceLabels(canvas, in);
  missing.numbers = labels.missing;
  drawForceLegend(canvas, in, missing);
  drawForceLabels(canvas, labels);
  if (in.showHelp) drawHelp(canvas, in);
}

}  // namespace

struct Hud::Impl {
  ImGuiContext* context = nullptr;
  float scale = 0;  ///< what the fonts were made for [device px per logical px]
  HudFonts fonts;
  std::vector<Rect> cards;
  std::vector<HudButton> buttons;

  ~Impl() { close(); }
  void close();
  bool open(float newScale);
};

void Hud::Impl::close() {
  if (!context) return;
  ImGui::SetCurrentContext(context);
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext(context);
  context = nullptr;
}

/// Fonts are made for one scale; another scale starts afresh, which every version of ImGui supports alike.
bool Hud::Impl::open(float newScale) {
  close();
  scale = newScale;
  context = ImGui::CreateContext();
  ImGui::SetCurrentContext(context);
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().LogFilename = nullptr;
  if (!ImGui_ImplOpenGL3_Init("#version 450 core")) {
    ImGui::DestroyContext(context);
    context = nullptr;
    return false;
  }
  fonts = {loadFont(kRegular, 12.5f * scale), loadFont(kStrong, 12.5f * scale),
           loadFont(kStrong, 22 * scale)};
  return true;
}

Hud::Hud() = default;
Hud::~Hud() = default;

Result<std::unique_ptr<Hud>> Hud::create() {
  std::unique_ptr<Hud> hud(new Hud);
  hud->impl_ = std::make_unique<Impl>();
  if (!hud->impl_->open(1))
    return Error{ErrorCode::DeviceFailure, "Dear ImGui does not start on this context", "overlay",
                 "update the graphics driver, or set LIBGL_ALWAYS_SOFTWARE=1 to draw in software"};
  return hud;
}

void Hud::draw(const HudInput& in, const Target& target) {
  if (!in.model || !in.frame || !in.camera) return;
  const auto scale = static_cast<float>(target.pixelRatio);
  if (std::abs(scale - impl_->scale) > 1e-3f && !impl_->open(scale)) return;
  if (!impl_->context) return;
  ImGui::SetCurrentContext(impl_->context);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(target.width), static_cast<float>(target.height)};
  io.DeltaTime = 1 / 60.f;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  const ImVec2 logical{io.DisplaySize.x / scale, io.DisplaySize.y / scale};
  HudCanvas canvas(*ImGui::GetForegroundDrawList(), impl_->fonts, scale, logical, in.options.backdrop());
  in.onlyTime ? drawTimeLabel(canvas, in) : drawCards(canvas, in);
  impl_->cards = canvas.cards();
  impl_->buttons = canvas.buttons();
  ImGui::Render();
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  glViewport(0, 0, target.width, target.height);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

const std::vector<Rect>& Hud::cards() const {
  return impl_->cards;
}
const std::vector<HudButton>& Hud::buttons() const {
  return impl_->buttons;
}

}  // namespace slipstick::render
