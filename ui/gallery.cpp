#include "ui/gallery.h"

#include <QAbstractButton>
#include <QFileInfo>
#include <QPainter>
#include <QPainterPath>
#include <QVBoxLayout>
#include <algorithm>
#include <filesystem>

#include "ui/controls.h"
#include "ui/icons.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr QSize kCard(300, 236);
constexpr int kPictureHeight = 168;
constexpr int kGap = 2 * kSpace;

/// assets/scenes/name.yaml has its picture in assets/gallery/name.png.
QString pictureOf(const StudioServices::SceneEntry& scene) {
  const auto file =
      std::filesystem::path(scene.file).parent_path().parent_path() / "gallery" / (scene.name + ".png");
  return QString::fromStdString(file.string());
}

class Card : public QAbstractButton {
 public:
  Card(const StudioServices::SceneEntry& scene, QWidget* parent)
      : QAbstractButton(parent), title_(QString::fromStdString(scene.title)), picture_(pictureOf(scene)) {
    setText(QString::fromStdString(scene.name));
    setFixedSize(kCard);
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(text());
    setAccessibleDescription(title_);
    setToolTip(title_);
  }

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return click();
    QAbstractButton::keyPressEvent(event);
  }
  void paintEvent(QPaintEvent*) override {
    const Theme& t = theme();
    QPainter painter(this);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    QPainterPath outline;
    outline.addRoundedRect(rect(), 9, 9);
    painter.setClipPath(outline);
    painter.fillRect(rect(), underMouse() ? t.hover : t.raised);
    const QRect top(0, 0, width(), kPictureHeight);
    painter.fillRect(top, t.field);
    if (picture_.isNull())
      painter.drawPixmap(QPointF(top.center()) - QPointF(24, 24), iconPixmap("scene", t.faint, 48));
    else
      paintPicture(painter, top);
    painter.setFont(textFont(600, 1.08));
    painter.setPen(t.text);
    painter.drawText(QRect(14, kPictureHeight + 9, width() - 28, 22), Qt::AlignVCenter, text());
    painter.setFont(textFont());
    painter.setPen(t.secondary);
    const QString line = QFontMetrics(painter.font()).elidedText(title_, Qt::ElideRight, width() - 28);
    painter.drawText(QRect(14, kPictureHeight + 33, width() - 28, 20), Qt::AlignVCenter, line);
    if (!hasFocus()) return;
    painter.setPen(QPen(t.accent, 3));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), 8, 8);
  }

 private:
  void paintPicture(QPainter& painter, const QRect& top) const {
    const QSizeF scaled = QSizeF(picture_.size()).scaled(top.size(), Qt::KeepAspectRatioByExpanding);
    const QPointF corner((top.width() - scaled.width()) / 2, (top.height() - scaled.height()) / 2);
    painter.save();
    painter.setClipRect(top, Qt::IntersectClip);
    painter.drawPixmap(QRectF(corner, scaled), picture_, picture_.rect());
    painter.restore();
  }

  QString title_;
  QPixmap picture_;
};

/// Cards in as many centred columns as fit, under a heading.
class Page : public QWidget {
 public:
  explicit Page(std::vector<Card*> cards) : cards_(std::move(cards)) {
    for (Card* card : cards_) card->setParent(this);
    heading_ = new ThemedLabel("Slipstick", textColor, this);
    heading_->setFont(textFont(600, 1.9));
    hint_ = new ThemedLabel(Gallery::tr("Choose a scene, or drop a .yaml, .urdf or .sdf file here"),
                            secondaryColor, this);
    hint_->setFont(textFont(400, 1.08));
    heading_->adjustSize();
    hint_->adjustSize();
  }

 protected:
  void resizeEvent(QResizeEvent*) override {
    const int columns = std::clamp((width() - 6 * kSpace + kGap) / (kCard.width() + kGap), 1,
                                   std::max(1, std::min(4, static_cast<int>(cards_.size()))));
    const int left = (width() - columns * (kCard.width() + kGap) + kGap) / 2;
    int y = 6 * kSpace;
    heading_->move(left, y);
    y += heading_->height() + kSpace / 2;
    hint_->move(left, y);
    y += hint_->height() + 3 * kSpace;
    for (std::size_t i = 0; i < cards_.size(); ++i) {
      const int column = static_cast<int>(i) % columns, row = static_cast<int>(i) / columns;
      cards_[i]->move(left + column * (kCard.width() + kGap), y + row * (kCard.height() + kGap));
    }
    const int rows = (static_cast<int>(cards_.size()) + columns - 1) / columns;
    setMinimumHeight(y + rows * (kCard.height() + kGap) + 2 * kSpace);
  }

 private:
  std::vector<Card*> cards_;
  ThemedLabel *heading_, *hint_;
};

}  // namespace

Gallery::Gallery(const std::vector<StudioServices::SceneEntry>& scenes, QWidget* parent)
    : QScrollArea(parent) {
  setWidgetResizable(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  std::vector<Card*> cards;
  for (const auto& scene : scenes) {
    cards.push_back(new Card(scene, nullptr));
    connect(cards.back(), &QAbstractButton::clicked, this,
            [this, name = QString::fromStdString(scene.name)] { Q_EMIT chosen(name); });
  }
  setWidget(new Page(std::move(cards)));
}

bool Gallery::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride && isForFocus(*static_cast<QKeyEvent*>(event))) {
    event->accept();
    return true;
  }
  return QScrollArea::event(event);
}

void Gallery::showEvent(QShowEvent* event) {
  QScrollArea::showEvent(event);
  if (auto* first = widget()->findChild<QAbstractButton*>()) first->setFocus(Qt::TabFocusReason);
}

}  // namespace slipstick::ui
