// A hand that does anything to a window: what it does next depends on its seed and on what is there to be touched.
#pragma once

#include <QAction>
#include <QDialog>
#include <QMenu>
#include <QStringList>
#include <QTimer>
#include <random>

#include "ui/main_window.h"

namespace slipstick::testing {

/// Its n-th action draws from numbers of its own, so that one that finds nothing to do moves no later one.
class Monkey {
 public:
  /// @param folder  that files are saved to and opened from
  Monkey(ui::MainWindow& window, std::uint64_t seed, QString folder);

  /// One action of a person, and what the window makes of it until it waits again.
  void act();
  /// Answers the dialogs and menus that are open, at random, until none is.
  void answerAll();
  /// What it did last, the newest last.
  const QStringList& lastActions() const { return lastActions_; }

 private:
  using Action = void (Monkey::*)();
  struct Choice {
    int weight;  ///< how often, among all
    Action action;
  };
  static const std::vector<Choice>& choices();

  // Menus and keys
  void trigger();
  void pressShortcut();
  void typeKey();
  void undoOrRedo();
  // The pointer
  void click();
  void doubleClick();
  void drag();
  void pull();
  void wheel();
  void contextMenu();
  void scrub();
  void selectRange();
  // Fields
  void typeNumber();
  void slideJoint();
  // Plots and the like
  void dropPlots();
  void dropFile();
  void openScene();
  void branchMenu();
  void addOrRemove();
  void resizeWindow();
  void floatPanel();
  void play();
  void rest();

  // What there is
  std::vector<QAction*> actions();
  bool isLeftAlone(const QAction& action);
  std::vector<QWidget*> widgets();
  template <class W>
  std::vector<W*> widgetsOf();

  void answer();
  void answerFile(QDialog& dialog);
  void answerMenu(QMenu& menu);
  void note(const QString& text);
  QString file();

  int below(int count);  ///< 0 … count − 1
  bool chance(double part) { return std::uniform_real_distribution<>(0, 1)(random_) < part; }
  template <class T>
  const T& oneOf(const std::vector<T>& things) {
    return things[static_cast<std::size_t>(below(static_cast<int>(things.size())))];
  }
  Qt::KeyboardModifiers modifiers();
  QPointF pointIn(const QWidget& widget);

  ui::MainWindow& window_;
  std::uint64_t seed_, acted_ = 0;
  QString folder_;
  std::mt19937_64 random_;
  QStringList lastActions_;
  QTimer answering_;  ///< of dialogs that run a loop of their own
};

}  // namespace slipstick::testing
