#include <gtest/gtest.h>

#include <QApplication>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include "ui/theme.h"
#include "ui/viewport.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  slipstick::ui::Viewport::requestOpenGl();
  QApplication app(argc, argv);
  slipstick::ui::applyTheme(slipstick::ui::Appearance::Dark);
  const int status = RUN_ALL_TESTS();
#ifdef __SANITIZE_ADDRESS__
  __lsan_do_leak_check();  // while drivers are loaded: leaks.supp knows them by their names
#endif
  return status;
}
