// A card of the start page: the picture of a scene, a robot or a file, and its name.
#pragma once

#include <QAbstractButton>
#include <QPixmap>
#include <optional>

#include "ui/controls.h"

namespace slipstick::ui {

struct CardContent {
  QString opens;    ///< what a click opens: a shipped name or a path
  QString name;     ///< short
  QString title;    ///< one line for people
  QString detail;   ///< a third thing to find it by, shown instead of the name: its folder
  QString picture;  ///< file, 16:9; the icon where it is missing
  QString icon;
  bool isRecent = false;   ///< it can be forgotten
  bool isMissing = false;  ///< it cannot be opened any more
};

class GalleryCard : public QAbstractButton {
  Q_OBJECT

 public:
  static constexpr QSize kSize{288, 232};

  GalleryCard(CardContent content, QWidget* parent);
  const CardContent& content() const { return content_; }
  /// Every word stands somewhere in what it says.
  bool matches(const QStringList& words) const;

 Q_SIGNALS:
  void forgotten();        ///< a person wants it gone from the recent ones
  void moved(Qt::Key to);  ///< an arrow, Home or End

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void paintPicture(QPainter& painter, const QRect& top);
  void paintWords(QPainter& painter) const;
  void showForget();

  CardContent content_;
  std::optional<QPixmap> picture_;  ///< read when it is first painted
  FlatButton* forget_ = nullptr;
};

}  // namespace slipstick::ui
