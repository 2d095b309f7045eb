// Cards and numbers of the overlay: that none hides another.
#include "render/hud_layout.h"

#include <gtest/gtest.h>

#include "render/hud.h"
#include "render/hud_labels.h"
#include "render/hud_why.h"
#include "render/why_facts.h"
#include "tests/render/rendered_world.h"
#include "tests/support/crates_run.h"

namespace slipstick::render {
namespace {

struct View {
  int width = 0, height = 0;  ///< [device px]
  double scale = 1;
};

/// Everything that a person may open at once, of four pairs.
struct HudCards : ::testing::Test {
  slipstick::testing::CratesRun run{200};
  std::shared_ptr<const Snapshot> snapshot = run.contactsAt(150);
  Selection selection;
  ViewOptions options;
  Camera camera = Camera::from(run.world.model->cameras.front());
  std::shared_ptr<const Frame> frame;
  HudInput in;
  std::unique_ptr<EglContext> context;
  std::unique_ptr<Hud> hud;

  void SetUp() override {
    auto created = EglContext::create();
    ASSERT_TRUE(created.ok()) << created.error().message();
    context = std::move(created).value();
    hud = Hud::create().value();
    options.contactView = ContactView::Footprints;
    options.everyContact = true;
    in.model = run.world.model.get();
    in.snapshot = snapshot.get();
    in.camera = &camera;
    in.speedWanted = 1;
    in.ghosts = {"ghost: 0.700 s, main"};
    in.hint = "scrubbing: 1.54 s of 3.2 s";
  }
  void select(std::size_t contact) {
    selection = pairOf(*run.world.model, snapshot->contacts[contact]);
    in.why.reset();
  }
  void askWhy() {
    PairHistory history(std::get<ContactPair>(selection));
    in.why = std::make_shared<const WhyFacts>(whyFacts(run, history, *snapshot));
  }
  const std::vector<Rect>& cards(const View& view) {
    FrameInput input = inputOf(*run.world.model, *snapshot, options, selection);
    input.camera = camera;
    input.viewHeight = view.height / view.scale;
    input.aspect = static_cast<double>(view.width) / view.height;
    frame = std::make_shared<const Frame>(buildFrame(input));
    in.frame = frame.get();
    in.options = options;
    in.selection = selection;
    const Texture color = makeTexture(GL_RGBA8, view.width, view.height);
    const Framebuffer framebuffer = makeFramebuffer();
    glNamedFramebufferTexture(framebuffer.name(), GL_COLOR_ATTACHMENT0, color.name(), 0);
    hud->draw(in, {framebuffer.name(), view.width, view.height, view.scale});
    return hud->cards();
  }
};

void expectApart(const std::vector<Rect>& cards, const View& view, const char* what) {
  const auto width = static_cast<float>(view.width / view.scale),
             height = static_cast<float>(view.height / view.scale);
  for (std::size_t i = 0; i < cards.size(); ++i) {
    const Rect& a = cards[i];
    EXPECT_TRUE(a.x >= 0 && a.y >= 0 && a.x + a.w <= width && a.y + a.h <= height)
        << what << ", card " << i << " in " << view.width;
    for (std::size_t k = 0; k < i; ++k)
      EXPECT_EQ(overlapArea(a, cards[k]), 0)
          << what << ", cards " << k << " and " << i << " in " << view.width << " at " << a.x << " " << a.y;
  }
}

constexpr std::array kViews = {View{1280, 800, 1}, View{1600, 960, 1}, View{3840, 2160, 2}};

TEST_F(HudCards, NeverOverlapWhateverIsSelectedAndFromWhereverOneLooks) {
  for (const View& view : kViews)
    for (const std::size_t contact : {0u, 4u, 8u, 12u})
      for (const double yaw : {-2.0, -0.5, 1.0, 2.5}) {
        camera.yaw = yaw;
        select(contact);
        expectApart(cards(view), view, "call-out");
        askWhy();
        expectApart(cards(view), view, "why");
      }
}

TEST_F(HudCards, NeverOverlapWithAllOfThemOpen) {
  select(0);
  askWhy();
  in.showInfo = in.showProfiler = true;
  for (const View& view : kViews) {
    const std::size_t open = cards(view).size();
    expectApart(hud->cards(), view, "all");
    in.showInfo = in.showProfiler = false;
    EXPECT_GE(open, cards(view).size() + 1);
    in.showInfo = in.showProfiler = true;
  }
}

TEST_F(HudCards, KeepAwayFromThePairEvenInASmallView) {
  const View small{1000, 640, 1};
  for (const double yaw : {-2.0, -0.5, 1.0, 2.5}) {
    camera.yaw = yaw;
    select(4);
    askWhy();
    expectApart(cards(small), small, "why");
  }
}

/// A canvas without a context, for what only measures.
struct Labels : HudCards {
  HudFonts fonts;
  ImGuiContext* ui = nullptr;

  void SetUp() override {
    HudCards::SetUp();
    if (HasFatalFailure()) return;
    select(0);
    options.contactView = ContactView::Pairs;
    options.everyContact = false;
    selection = {};
    cards(kViews[0]);
    ui = ImGui::CreateContext();
    ImGui::SetCurrentContext(ui);
    ImGui::GetIO().IniFilename = nullptr;
    ImFont* font = ImGui::GetIO().Fonts->AddFontDefault();
    unsigned char* pixels = nullptr;
    int w = 0, h = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
    ImGui::GetIO().DisplaySize = {1280, 800};
    ImGui::NewFrame();
    fonts = {font, font, font};
  }
  void TearDown() override {
    if (ui) ImGui::DestroyContext(ui);
  }
  HudCanvas canvas() const {
    return {*ImGui::GetForegroundDrawList(), fonts, 1, {1280, 800}, Backdrop::Dark};
  }
  std::vector<ScreenLine> arrows(const HudCanvas& on) const {
    std::vector<ScreenLine> lines;
    for (const Arrow& arrow : frame->contact->arrows) {
      const auto from = placeOf(on, in, arrow.from), to = placeOf(on, in, arrow.from + arrow.vector);
      if (from && to) lines.push_back({*from, *to});
    }
    return lines;
  }
  void expectReadable(const HudCanvas& on, const PlacedLabels& placed) const {
    for (const PlacedLabels::Label& p : placed.labels) {
      for (const Rect& card : on.taken()) {
        EXPECT_FALSE(overlap(p.rect, card)) << p.label->text;
        EXPECT_FALSE(p.leader && crosses(card, *p.leader)) << p.label->text;
      }
      for (const ScreenLine& arrow : arrows(on)) {
        EXPECT_FALSE(crosses(p.rect, arrow)) << p.label->text;
        EXPECT_FALSE(p.leader && cross(*p.leader, arrow)) << p.label->text;
      }
      for (const PlacedLabels::Label& q : placed.labels)
        EXPECT_FALSE(q.label != p.label && overlap(p.rect, q.rect));
    }
  }
};

TEST_F(Labels, StandBesideTheirArrowsWhereThereIsRoom) {
  const HudCanvas free = canvas();
  const PlacedLabels placed = placeForceLabels(free, in);
  ASSERT_GE(placed.labels.size(), 4u);
  EXPECT_EQ(placed.labels.size(), frame->contact->labels.size());
  EXPECT_EQ(placed.missing, 0);
  expectReadable(free, placed);
}

TEST_F(Labels, GoFartherAwayAtALineWhereTheNearestPlacesAreTaken) {
  HudCanvas crowded = canvas();
  const auto tip = placeOf(crowded, in, frame->contact->labels[0].point);
  ASSERT_TRUE(tip);
  const float half = 36;
  crowded.reserve({tip->x() - half, tip->y() - half, 2 * half, half - 6});
  crowded.reserve({tip->x() - half, tip->y() + 6, 2 * half, half - 6});
  const PlacedLabels placed = placeForceLabels(crowded, in);
  const auto first = std::find_if(placed.labels.begin(), placed.labels.end(),
                                  [&](const auto& p) { return p.label == &frame->contact->labels[0]; });
  ASSERT_NE(first, placed.labels.end());
  ASSERT_TRUE(first->leader);
  EXPECT_LT((first->leader->from - *tip).norm(), 8);
  EXPECT_LT((nearestOn(first->rect, first->leader->to) - first->leader->to).norm(), 1e-3f);
  expectReadable(crowded, placed);
}

TEST_F(Labels, WithoutRoomAreCountedAndTheLegendSaysSo) {
  HudCanvas full = canvas();
  full.reserve({0, 0, 1280, 800});
  const PlacedLabels placed = placeForceLabels(full, in);
  EXPECT_TRUE(placed.labels.empty());
  EXPECT_EQ(placed.missing, static_cast<int>(frame->contact->labels.size()));
  const Rect silent = legendPlace(full, in, {}), tells = legendPlace(full, in, {placed.missing, 0});
  EXPECT_EQ(tells.h, silent.h + kCardLine);
  EXPECT_EQ(legendPlace(full, in, {placed.missing, 2}).h, silent.h + 2 * kCardLine);
  // Arrows that are out of the picture miss nothing in it.
  camera.target += Vec3(50, 0, 0);
  EXPECT_EQ(placeForceLabels(full, in).missing, 0);
}

TEST_F(Labels, FreePlaceIsTheWishedOneOrBesideWhatIsTaken) {
  HudCanvas on = canvas();
  const Rect wanted{500, 300, 200, 100};
  const CardWish wish{.places = {wanted}, .near = middle(wanted), .clear = {}};
  EXPECT_EQ(overlapArea(freePlace(on, wish), wanted), 200 * 100);
  on.reserve({480, 250, 100, 90});
  const Rect moved = freePlace(on, wish);
  EXPECT_FALSE(overlap(moved, {480, 250, 100, 90}));
  EXPECT_LT((middle(moved) - middle(wanted)).norm(), 100);
  on.reserve({0, 0, 1280, 800});  // no room anywhere
  const Rect least = freePlace(on, wish);
  EXPECT_TRUE(least.x >= 0 && least.x + least.w <= 1280 && least.y + least.h <= 800);
}

}  // namespace
}  // namespace slipstick::render
