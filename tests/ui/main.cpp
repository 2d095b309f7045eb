#include <gtest/gtest.h>

#include <QApplication>

#include "tests/support/sanitizers.h"

#ifdef SLIPSTICK_ASAN
#include <sanitizer/lsan_interface.h>
#endif

#ifdef SLIPSTICK_TSAN
#include <dlfcn.h>
#include <sanitizer/tsan_interface.h>
#endif

#include "ui/theme.h"
#include "ui/viewport.h"

#ifdef SLIPSTICK_TSAN
/// Drivers stay loaded: threads.supp knows them by their names.
extern "C" int dlclose(void*) noexcept {
  return 0;
}
// Qt is not built with the thread sanitizer, which therefore does not see that what a thread did before it posted a call
// comes before that call. Here it is told: by this definition, which callers outside of Qt find before Qt's own, …
namespace {
char postedCalls;
}
bool QMetaObject::invokeMethodImpl(QObject* object, QtPrivate::QSlotObjectBase* slot, Qt::ConnectionType type,
                                   void* result) {
  using Invoke = bool (*)(QObject*, QtPrivate::QSlotObjectBase*, Qt::ConnectionType, void*);
  static const auto invoke = reinterpret_cast<Invoke>(dlsym(
      RTLD_NEXT,
      "_ZN11QMetaObject16invokeMethodImplEP7QObjectPN9QtPrivate15QSlotObjectBaseEN2Qt14ConnectionTypeEPv"));
  slot->ref();  // kept for ever: that it is deleted after both threads are done with it is not seen, either
  __tsan_release(&postedCalls);
  return invoke(object, slot, type, result);
}

/// … and where the call is made.
class Application : public QApplication {
 public:
  using QApplication::QApplication;
  bool notify(QObject* receiver, QEvent* event) override {
    __tsan_acquire(&postedCalls);  // before the event is read
    return QApplication::notify(receiver, event);
  }
};
#else
using Application = QApplication;
#endif

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  slipstick::ui::Viewport::requestOpenGl();
  Application app(argc, argv);
  slipstick::ui::applyTheme(slipstick::ui::Appearance::Dark);
  const int status = RUN_ALL_TESTS();
#ifdef SLIPSTICK_ASAN
  __lsan_do_leak_check();  // while drivers are loaded: leaks.supp knows them by their names
#endif
  return status;
}
