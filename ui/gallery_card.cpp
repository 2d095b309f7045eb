#include "ui/gallery_card.h"

#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QTextLayout>
#include <algorithm>

#include "ui/icons.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kPictureHeight = GalleryCard::kSize.width() * 9 / 16;
constexpr int kMargin = 12;
constexpr qreal kRadius = 9, kMissingOpacity = 0.45;
constexpr int kTitleLines = 2;

bool movesFocus(int key) {
  return key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up || key == Qt::Key_Down ||
         key == Qt::Key_Home || key == Qt::Key_End;
}

/// Breaks between words; what does not fit into the last line ends in an ellipsis. @return the bottom
int drawLines(QPainter& painter, const QString& text, const QRect& place) {
  QTextLayout layout(text, painter.font());
  const QFontMetrics metrics(painter.font());
  layout.beginLayout();
  int y = place.top();
  for (int i = 0; i < kTitleLines; ++i) {
    QTextLine line = layout.createLine();
    if (!line.isValid()) break;
    line.setLineWidth(place.width());
    const bool isLast = i + 1 == kTitleLines;
    const QString part = isLast
                             ? metrics.elidedText(text.mid(line.textStart()), Qt::ElideRight, place.width())
                             : text.mid(line.textStart(), line.textLength()).trimmed();
    painter.drawText(QRect(place.left(), y, place.width(), metrics.height()), Qt::AlignVCenter, part);
    y += metrics.height() + 1;
  }
  layout.endLayout();
  return y;
}

}  // namespace

GalleryCard::GalleryCard(CardContent content, QWidget* parent)
    : QAbstractButton(parent), content_(std::move(content)) {
  setText(content_.name);
  setFixedSize(kSize);
  setCursor(content_.isMissing ? Qt::ArrowCursor : Qt::PointingHandCursor);
  setAttribute(Qt::WA_Hover);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(content_.isRecent ? tr("recent: %1").arg(content_.name) : content_.name);
  setAccessibleDescription(content_.title);
  setToolTip(content_.isRecent ? content_.opens : content_.title);
  if (!content_.isRecent) return;
  forget_ = new FlatButton("close", {}, this);
  forget_->setFocusPolicy(Qt::NoFocus);  // the Delete key does it, too
  forget_->setToolTip(tr("Forget this file (Delete); the file itself stays"));
  forget_->setAccessibleName(tr("Forget %1").arg(content_.name));
  forget_->resize(forget_->sizeHint());
  forget_->move(width() - forget_->width() - 6, 6);
  forget_->hide();
  connect(forget_, &FlatButton::clicked, this, &GalleryCard::forgotten);
}

bool GalleryCard::matches(const QStringList& words) const {
  const QString all = content_.name + " " + content_.title + " " + content_.detail;
  return std::all_of(words.begin(), words.end(),
                     [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

bool GalleryCard::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto& key = static_cast<QKeyEvent&>(*event);
    if (key.modifiers() == Qt::NoModifier && (movesFocus(key.key()) || key.key() == Qt::Key_Delete)) {
      event->accept();
      return true;
    }
  }
  return QAbstractButton::event(event);
}

void GalleryCard::keyPressEvent(QKeyEvent* event) {
  const int key = event->key();
  if (key == Qt::Key_Return || key == Qt::Key_Enter) return click();
  if (key == Qt::Key_Delete && content_.isRecent) return Q_EMIT forgotten();
  if (movesFocus(key)) return Q_EMIT moved(static_cast<Qt::Key>(key));
  QAbstractButton::keyPressEvent(event);
}

void GalleryCard::enterEvent(QEnterEvent* event) {
  QAbstractButton::enterEvent(event);
  showForget();
}

void GalleryCard::leaveEvent(QEvent* event) {
  QAbstractButton::leaveEvent(event);
  showForget();
}

void GalleryCard::focusInEvent(QFocusEvent* event) {
  QAbstractButton::focusInEvent(event);
  showForget();
}

void GalleryCard::focusOutEvent(QFocusEvent* event) {
  QAbstractButton::focusOutEvent(event);
  showForget();
}

void GalleryCard::showForget() {
  if (forget_) forget_->setVisible(underMouse() || hasFocus());
  update();
}

void GalleryCard::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter painter(this);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  QPainterPath outline;
  outline.addRoundedRect(rect(), kRadius, kRadius);
  const QRect top(0, 0, width(), kPictureHeight);
  painter.save();
  painter.setClipPath(outline);
  const QColor& ground = t.appearance == Appearance::Light ? t.panel : t.raised;
  painter.fillRect(rect(), underMouse() && !content_.isMissing ? t.hover : ground);
  painter.fillRect(top, t.field);
  painter.setOpacity(content_.isMissing ? kMissingOpacity : 1);
  paintPicture(painter, top);
  paintWords(painter);
  painter.restore();
  if (!hasFocus()) return;
  painter.setPen(QPen(t.accent, 3));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1.5, 1.5, -1.5, -1.5), kRadius - 1, kRadius - 1);
}

void GalleryCard::paintPicture(QPainter& painter, const QRect& top) {
  if (!picture_) picture_ = QPixmap(content_.picture);
  if (picture_->isNull()) {
    painter.drawPixmap(QPointF(top.center()) - QPointF(23, 23), iconPixmap(content_.icon, theme().faint, 48));
    return;
  }
  const QSizeF scaled = QSizeF(picture_->size()).scaled(top.size(), Qt::KeepAspectRatioByExpanding);
  const QPointF corner((top.width() - scaled.width()) / 2, (top.height() - scaled.height()) / 2);
  painter.save();
  painter.setClipRect(top, Qt::IntersectClip);
  painter.drawPixmap(QRectF(corner, scaled), *picture_, picture_->rect());
  painter.restore();
}

void GalleryCard::paintWords(QPainter& painter) const {
  const Theme& t = theme();
  QRect place(kMargin, kPictureHeight + 9, width() - 2 * kMargin, height() - kPictureHeight - 9);
  painter.setFont(textFont(600));
  painter.setPen(t.text);
  place.setTop(drawLines(painter, content_.title, place) + 2);
  painter.setFont(textFont(400, 0.94));
  painter.setPen(t.secondary);
  const QFontMetrics metrics(painter.font());
  const QString more = content_.isMissing  ? tr("not there any more: %1").arg(content_.detail)
                       : content_.isRecent ? content_.name + "  " + QChar(0x00B7) + "  " + content_.detail
                                           : content_.name;
  painter.drawText(QRect(place.left(), place.top(), place.width(), metrics.height()), Qt::AlignVCenter,
                   metrics.elidedText(more, Qt::ElideMiddle, place.width()));
}

}  // namespace slipstick::ui
