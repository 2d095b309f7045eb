#include <gtest/gtest.h>

#include <QApplication>

#include "ui/theme.h"
#include "ui/viewport.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  slipstick::ui::Viewport::requestOpenGl();
  QApplication app(argc, argv);
  slipstick::ui::applyTheme(slipstick::ui::Appearance::Dark);
  return RUN_ALL_TESTS();
}
