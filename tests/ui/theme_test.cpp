// Both themes can be read: words and marks are told from every ground that they stand on.
#include "ui/theme.h"

#include <gtest/gtest.h>

#include "render/palette.h"
#include "tests/support/contrast.h"
#include "tests/ui/readable.h"
#include "ui/device_card.h"

namespace slipstick::ui {
namespace {

using testing::kReadable;
using testing::kTold;

testing::Srgb srgbOf(const QColor& c) {
  return {c.redF(), c.greenF(), c.blueF()};
}
double contrast(const QColor& a, const QColor& b) {
  return testing::contrast(srgbOf(a), srgbOf(b));
}

TEST(Theme, WordsAreReadOnEveryGroundInBoth) {
  for (const Appearance appearance : {Appearance::Dark, Appearance::Light}) {
    const Theme& t = themeOf(appearance);
    for (const QColor& ground : {t.window, t.panel, t.field}) {
      for (const QColor& words : {t.text, t.secondary, t.faint, t.error, t.good, t.bookmark, t.accent})
        EXPECT_GE(contrast(words, ground), kReadable)
            << words.name().toStdString() << " on " << ground.name().toStdString();
    }
    for (const QColor& ground : {t.raised, t.hover, t.selection})
      for (const QColor& words : {t.text, t.secondary})
        EXPECT_GE(contrast(words, ground), kReadable)
            << words.name().toStdString() << " on " << ground.name().toStdString();
    EXPECT_GE(contrast(t.onAccent, t.accent), kReadable);
  }
}

TEST(Theme, MarksAndCurvesAreToldFromEveryGroundInBoth) {
  for (const Appearance appearance : {Appearance::Dark, Appearance::Light}) {
    const Theme& t = themeOf(appearance);
    std::vector<QColor> marks = {t.normal, t.stick, t.slip, t.error, t.good, t.bookmark};
    marks.insert(marks.end(), t.curves.begin(), t.curves.end());
    for (const QColor& ground : {t.window, t.panel, t.raised, t.field})
      for (const QColor& mark : marks)
        EXPECT_GE(contrast(mark, ground), kTold)
            << mark.name().toStdString() << " on " << ground.name().toStdString();
  }
}

// The same colour means the same thing in the viewport, the table and the timeline.
TEST(Theme, HasTheColoursOfThePicture) {
  for (const Appearance appearance : {Appearance::Dark, Appearance::Light}) {
    const Theme& t = themeOf(appearance);
    const render::Tokens& p =
        render::tokensOn(appearance == Appearance::Dark ? render::Backdrop::Dark : render::Backdrop::Light);
    const std::pair<QColor, render::Hex> same[] = {
        {t.normal, p.normal}, {t.stick, p.stick},       {t.slip, p.slip}, {t.error, p.error},
        {t.good, p.good},     {t.bookmark, p.bookmark}, {t.text, p.text}, {t.secondary, p.secondary}};
    for (const auto& [window, picture] : same) EXPECT_EQ(window.rgb() & 0xFFFFFF, picture);
  }
}

/// Hues stay where lightness is mirrored.
TEST(Theme, KeepsItsHues) {
  const Theme &dark = themeOf(Appearance::Dark), &light = themeOf(Appearance::Light);
  for (QColor Theme::*color : {&Theme::stick, &Theme::slip, &Theme::error, &Theme::good, &Theme::bookmark}) {
    const double turned = std::abs((dark.*color).hueF() - (light.*color).hueF());
    EXPECT_LT(std::min(turned, 1 - turned), 12 / 360.0) << (light.*color).name().toStdString();
  }
}

/// Both themes, and the dark one afterwards.
struct InBothThemes : ::testing::TestWithParam<Appearance> {
  InBothThemes() { applyTheme(GetParam()); }
  ~InBothThemes() override { applyTheme(Appearance::Dark); }
};
INSTANTIATE_TEST_SUITE_P(Theme, InBothThemes, ::testing::Values(Appearance::Dark, Appearance::Light));

Teleop::DeviceView padView() {
  Teleop::DeviceView view;
  view.id = 1;
  view.info = {"pad", "Pad", DeviceKind::Gamepad, {"x", "y", "z", "roll", "pitch", "yaw"}, {"A", "B"}, false};
  view.use.map = defaultMap(view.info);
  view.use.map.buttons = {{"A", ButtonAction::Reset}};
  view.trouble = Error{ErrorCode::DeviceFailure, "gives nothing back", "pad", "plug it in again"};
  return view;
}

TEST_P(InBothThemes, AllThatACardOfADeviceSaysIsRead) {
  for (const bool isLost : {false, true}) {
    Teleop::DeviceView view = padView();
    view.isLost = isLost;
    QWidget panel;
    panel.setAutoFillBackground(true);
    panel.setBackgroundRole(QPalette::Base);
    auto* card = new DeviceCard(view);
    (new QVBoxLayout(&panel))->addWidget(card);
    card->refresh(view, {"left arm", "right arm"});
    panel.resize(440, panel.sizeHint().height());
    const auto contrasts = testing::contrastsOfWords(panel);
    EXPECT_GT(contrasts.size(), 40u) << "seven motions with six words each";
    for (const auto& [words, told] : contrasts) EXPECT_GE(told, kReadable) << words;
  }
}

/// The bar shows where the hand is, and from where on that counts.
TEST_P(InBothThemes, ABarOfAnAxisShowsHowFarItIsPushedAndItsDeadZone) {
  AxisBar bar;
  bar.resize(bar.sizeHint());
  const auto pictureAt = [&](double value, double deadZone) {
    bar.setValue(value, deadZone);
    return bar.grab().toImage();
  };
  const QImage rest = pictureAt(0, 0), pushed = pictureAt(0.8, 0), dead = pictureAt(0, 0.4);
  const int y = bar.height() / 2;
  const auto changed = [&](const QImage& picture, double part) {
    const int x = static_cast<int>((1 + part) / 2 * picture.width());
    return contrast(picture.pixelColor(x, y), rest.pixelColor(x, y));
  };
  EXPECT_GE(changed(pushed, 0.5), kTold);
  double edge = 0;
  for (double part = 0.3; part < 0.5; part += 0.01) edge = std::max(edge, changed(dead, part));
  EXPECT_GE(edge, kTold) << "of the dead zone";
}

}  // namespace
}  // namespace slipstick::ui
