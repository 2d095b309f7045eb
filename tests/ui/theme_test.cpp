// Both themes can be read: words and marks are told from every ground that they stand on.
#include "ui/theme.h"

#include <gtest/gtest.h>

#include "render/palette.h"
#include "tests/support/contrast.h"

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

}  // namespace
}  // namespace slipstick::ui
