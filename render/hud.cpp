#include "render/hud.h"

#include <epoxy/gl.h>
#include <imgui.h>
#include <imgui_impl_opengl3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <mutex>

#include "render/hud_caption.h"
#include "render/hud_cards.h"
#include "render/hud_ghosts.h"
#include "render/hud_labels.h"
#include "render/hud_why.h"

namespace slipstick::render {
namespace {

/// ImGui's current context is the process's.
std::mutex& currentContext() {
  static std::mutex mutex;
  return mutex;
}

constexpr float kTitleSize = 38;  // [logical px]

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
  if (in.options.timeCard) drawTimeCard(canvas, in);
  if (in.options.ghostCaption) drawGhostLines(canvas, in);
  drawToggles(canvas, in);
  drawHint(canvas, in);
  const float bars = in.options.colorBars ? drawColorBars(canvas, in) : canvas.height() - kCardMargin;
  if (in.showProfiler) drawProfiler(canvas, in);
  HudMissing missing;
  if (in.options.insets) missing.footprints = drawInsets(canvas, in, bars);
  // Whether it has a line for numbers without room is known last.
  missing.numbers = static_cast<int>(in.frame->contact->labels.size());
  canvas.reserve(legendPlace(canvas, in, missing));
  if (in.showInfo) drawInfo(canvas, in);
  if (in.why)
    drawWhy(canvas, in);
  else if (in.options.contactCard)
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
  float scale = 0;      ///< what the fonts were made for [device px per logical px]
  bool titled = false;  ///< whether they have that of titles, which few pictures need
  HudFonts fonts;
  std::vector<Rect> cards;
  std::vector<HudButton> buttons;

  ~Impl() {
    const std::lock_guard lock(currentContext());
    close();
  }
  void close();
  bool open(float newScale, bool withTitle);
  bool begin(const Target& target, bool withTitle);
  void end(const Target& target);
};

void Hud::Impl::close() {
  if (!context) return;
  ImGui::SetCurrentContext(context);
  ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext(context);
  context = nullptr;
}

/// Fonts are made for one scale; another scale starts afresh, which every version of ImGui supports alike.
bool Hud::Impl::open(float newScale, bool withTitle) {
  close();
  scale = newScale;
  titled = withTitle;
  context = ImGui::CreateContext();
  ImGui::SetCurrentContext(context);
  ImGui::GetIO().IniFilename = nullptr;
  ImGui::GetIO().LogFilename = nullptr;
  if (!ImGui_ImplOpenGL3_Init("#version 450 core")) {
    ImGui::DestroyContext(context);
    context = nullptr;
    return false;
  }
  fonts = {loadFont(kRegular, 12.5f * scale), loadFont(kStrong, 12.5f * scale), loadFont(kStrong, 22 * scale),
           titled ? loadFont(kStrong, kTitleSize * scale) : nullptr};
  return true;
}

/// False where there is nothing to draw with.
bool Hud::Impl::begin(const Target& target, bool withTitle) {
  const auto wanted = static_cast<float>(target.pixelRatio);
  const bool suits = std::abs(wanted - scale) <= 1e-3f && (titled || !withTitle);
  if (!suits && !open(wanted, titled || withTitle)) return false;
  if (!context) return false;
  ImGui::SetCurrentContext(context);
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(target.width), static_cast<float>(target.height)};
  io.DeltaTime = 1 / 60.f;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
  return true;
}

void Hud::Impl::end(const Target& target) {
  ImGui::Render();
  glBindFramebuffer(GL_FRAMEBUFFER, target.framebuffer);
  glViewport(0, 0, target.width, target.height);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

Hud::Hud() = default;
Hud::~Hud() = default;

Result<std::unique_ptr<Hud>> Hud::create() {
  std::unique_ptr<Hud> hud(new Hud);
  hud->impl_ = std::make_unique<Impl>();
  const std::lock_guard lock(currentContext());
  if (!hud->impl_->open(1, false))
    return Error{ErrorCode::DeviceFailure, "Dear ImGui does not start on this context", "overlay",
                 "update the graphics driver, or set LIBGL_ALWAYS_SOFTWARE=1 to draw in software"};
  return hud;
}

void Hud::draw(const HudInput& in, const Target& target) {
  if (!in.model || !in.frame || !in.camera) return;
  const std::lock_guard lock(currentContext());
  if (!impl_->begin(target, false)) return;
  const ImVec2 logical{static_cast<float>(target.width) / impl_->scale,
                       static_cast<float>(target.height) / impl_->scale};
  HudCanvas canvas(*ImGui::GetForegroundDrawList(), impl_->fonts, impl_->scale, logical,
                   in.options.backdrop());
  in.onlyTime ? drawTimeLabel(canvas, in) : drawCards(canvas, in);
  impl_->cards = canvas.cards();
  impl_->buttons = canvas.buttons();
  impl_->end(target);
}

void Hud::draw(const Caption& caption, Backdrop backdrop, const Target& target) {
  if (caption.isEmpty()) return;
  const std::lock_guard lock(currentContext());
  if (!impl_->begin(target, caption.titleOpacity > 0)) return;
  const ImVec2 logical{static_cast<float>(target.width) / impl_->scale,
                       static_cast<float>(target.height) / impl_->scale};
  HudCanvas canvas(*ImGui::GetForegroundDrawList(), impl_->fonts, impl_->scale, logical, backdrop);
  drawCaption(canvas, caption, static_cast<float>(caption.bandHeight) / impl_->scale);
  impl_->end(target);
}

const std::vector<Rect>& Hud::cards() const {
  return impl_->cards;
}
const std::vector<HudButton>& Hud::buttons() const {
  return impl_->buttons;
}

}  // namespace slipstick::render
