// What covers the window while a file is dragged over it: says what letting go would do.
#pragma once

#include <QMimeData>
#include <QWidget>

#include "ui/studio.h"

namespace slipstick::ui {

/// What a drop asks for. Of several files the first that can be opened is meant.
struct Dropped {
  QString file;        ///< empty where it holds no file of this machine
  bool opens = false;  ///< by its suffix
};
Dropped droppedOn(const StudioServices& services, const QMimeData& data);

/// ".yaml, .urdf, .sdf": for people.
QString openableWords(const StudioServices& services);
/// For a file dialog: "*.yaml *.urdf *.sdf".
QString openablePatterns(const StudioServices& services);

class DropHint : public QWidget {
  Q_OBJECT

 public:
  /// @param over  the window that it covers
  explicit DropHint(const StudioServices& services, QWidget* over);
  void show(const Dropped& dropped);
  const QString& text() const { return text_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  const StudioServices& services_;
  QString text_, more_;
  bool opens_ = false;
};

}  // namespace slipstick::ui
