#include "ui/episode_row.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QPointer>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/icons.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr qreal kRadius = 5;
constexpr int kReadAgain_ms = 300;
/// In the order of EpisodeOutcome.
const QStringList& outcomeWords() {
  static const QStringList words = {EpisodeRow::tr("undecided"), EpisodeRow::tr("success"),
                                    EpisodeRow::tr("failure"), EpisodeRow::tr("time over"),
                                    EpisodeRow::tr("discarded")};
  return words;
}

/// "seed 12 · 5.9 s"
QString titleOf(const StudioServices::Episode& episode) {
  if (!episode.broken.empty()) return QFileInfo(QString::fromStdString(episode.file)).fileName();
  const QString length = EpisodeRow::tr("%1 s").arg(number(episode.length, 1));
  const QString draw =
      episode.seed ? EpisodeRow::tr("seed %1").arg(*episode.seed) : EpisodeRow::tr("as written");
  return draw + "  " + QChar(0x00B7) + "  " + length;
}

/// What the whole of it is read as by a pointer that rests on it.
QString tipOf(const StudioServices::Episode& episode) {
  const QString file = QString::fromStdString(episode.file);
  return episode.created.empty() ? file : file + "\n" + QString::fromStdString(episode.created);
}

}  // namespace

// -------------------------------------------------------------------------------------------------- the pictures

EpisodeStrip::EpisodeStrip(QWidget* parent) : QAbstractButton(parent) {
  setFixedSize(sizeHint());
  setMouseTracking(true);
  setCursor(Qt::PointingHandCursor);
  setFocusPolicy(Qt::TabFocus);
}

void EpisodeStrip::setPictures(const std::vector<StudioServices::EpisodePicture>& pictures) {
  pictures_.clear();
  for (const StudioServices::EpisodePicture& picture : pictures) {
    QPixmap pixmap;
    if (pixmap.loadFromData(QByteArray::fromStdString(picture.jpeg)))
      pictures_.push_back({picture.time, std::move(pixmap)});
  }
  show(pictures_.empty() ? 0 : pictures_.size() - 1);
}

void EpisodeStrip::show(std::size_t index) {
  shown_ = index;
  update();
}

void EpisodeStrip::mouseMoveEvent(QMouseEvent* event) {
  if (pictures_.empty()) return;
  const double part = std::clamp(event->position().x() / width(), 0.0, 1.0);
  show(
      std::min(static_cast<std::size_t>(part * static_cast<double>(pictures_.size())), pictures_.size() - 1));
}

void EpisodeStrip::leaveEvent(QEvent* event) {
  QAbstractButton::leaveEvent(event);
  if (!pictures_.empty()) show(pictures_.size() - 1);
}

void EpisodeStrip::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter painter(this);
  painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  QPainterPath outline;
  outline.addRoundedRect(rect(), kRadius, kRadius);
  painter.setClipPath(outline);
  painter.fillRect(rect(), t.field);
  if (pictures_.empty()) {
    painter.drawPixmap(QPointF(rect().center()) - QPointF(7, 7), iconPixmap("scene", t.faint, 16));
  } else {
    const QPixmap& pixmap = pictures_[shown_].pixmap;
    painter.drawPixmap(QRectF(rect()), pixmap, pixmap.rect());
  }
  if (underMouse() && pictures_.size() > 1) {
    // Where the pointer is in the try, and when that was.
    const qreal part = width() / static_cast<qreal>(pictures_.size());
    painter.fillRect(QRectF(0, height() - 3, width(), 3), QColor(0, 0, 0, 120));
    painter.fillRect(QRectF(part * static_cast<qreal>(shown_), height() - 3, part, 3), t.accent);
    const QString when = tr("%1 s").arg(number(time(), 1));
    painter.setFont(textFont(600, 0.85));
    const QRectF label(width() - painter.fontMetrics().horizontalAdvance(when) - 12, 4,
                       painter.fontMetrics().horizontalAdvance(when) + 8, painter.fontMetrics().height());
    painter.setPen(Qt::NoPen);
    painter.setBrush(QColor(0, 0, 0, 150));
    painter.drawRoundedRect(label, 3, 3);
    painter.setPen(Qt::white);
    painter.drawText(label, Qt::AlignCenter, when);
  }
  if (!hasFocus()) return;
  painter.setPen(QPen(t.accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), kRadius, kRadius);
}

// ------------------------------------------------------------------------------------------------------- the row

EpisodeRow::EpisodeRow(const Episode& episode, Read read, QWidget* parent)
    : QWidget(parent), read_(std::move(read)) {
  build();
  setEpisode(episode);
  connect(strip_, &EpisodeStrip::clicked, this, &EpisodeRow::openWanted);
  connect(open_, &FlatButton::clicked, this, &EpisodeRow::openWanted);
  connect(bin_, &FlatButton::clicked, this, &EpisodeRow::binWanted);
  connect(outcome_, &QComboBox::activated, this,
          [this](int index) { Q_EMIT outcomeChosen(static_cast<EpisodeOutcome>(index)); });
  connect(note_, &QLineEdit::editingFinished, this, [this] {
    if (note_->text().toStdString() != episode_.note) Q_EMIT noted(note_->text());
  });
}

void EpisodeRow::build() {
  strip_ = new EpisodeStrip;
  title_ = new ThemedLabel({}, textColor);
  broken_ = new ThemedLabel({}, [] { return theme().error; });
  broken_->setWordWrap(true);
  outcome_ = new ChoiceList(tr("What has come of the try"), outcomeWords());
  note_ = new Field(tr("note"));
  note_->setAccessibleName(tr("Note on the try"));
  open_ = new FlatButton({}, tr("Open"));
  open_->setToolTip(tr("Look at the try as at any recording: its time, its forces, its plots"));
  bin_ = new FlatButton("close", {});
  bin_->setQuiet(true);
  bin_->setToolTip(tr("Move the try to the bin"));
  bin_->setAccessibleName(bin_->toolTip());
  for (FlatButton* button : {open_, bin_}) button->setFocusPolicy(Qt::TabFocus);
  auto* words = new QVBoxLayout;
  words->setSpacing(4);
  words->addWidget(title_);
  words->addWidget(outcome_, 0, Qt::AlignLeft);
  auto* first = new QHBoxLayout;
  first->setSpacing(kSpace);
  first->addWidget(strip_, 0, Qt::AlignTop);
  first->addLayout(words, 1);
  auto* second = new QHBoxLayout;
  second->setSpacing(kSpace / 2);
  second->addWidget(note_, 1);
  second->addWidget(open_);
  second->addWidget(bin_);
  // Narrow enough for the column that it stands in.
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kSpace * 3 / 2, 6, kSpace * 3 / 2, 8);
  column->setSpacing(6);
  column->addLayout(first);
  column->addWidget(broken_);
  column->addLayout(second);
}

void EpisodeRow::setEpisode(const Episode& episode) {
  episode_ = episode;
  const bool isWhole = episode.broken.empty();
  title_->setText(titleOf(episode));
  title_->setToolTip(tipOf(episode));
  strip_->setAccessibleName(tr("Open the try with %1").arg(title_->text()));
  strip_->setToolTip(isWhole ? tr("Click to open the try") : QString());
  broken_->setText(QString::fromStdString(episode.broken));
  broken_->setVisible(!isWhole);
  for (QWidget* widget : {static_cast<QWidget*>(outcome_), static_cast<QWidget*>(note_),
                          static_cast<QWidget*>(open_), static_cast<QWidget*>(strip_)})
    widget->setEnabled(isWhole);
  outcome_->setCurrentIndex(static_cast<int>(episode.outcome));
  if (note_->hasFocus()) return;
  note_->setText(QString::fromStdString(episode.note));
  note_->setCursorPosition(0);  // its beginning is what is seen
}

void EpisodeRow::paintEvent(QPaintEvent* event) {
  QWidget::paintEvent(event);
  if (!std::exchange(isRead_, true) && episode_.broken.empty()) readPictures();
}

void EpisodeRow::readPictures() {
  if (!read_) return;
  read_(episode_.file, [row = QPointer(this)](const Pictures& read) {
    if (row) row->take(read);
  });
}

/// A file that a note is being written into cannot be read now. What stays broken, the list says.
void EpisodeRow::take(const Pictures& read) {
  if (read)
    strip_->setPictures(*read);
  else if (--triesLeft_ > 0)
    QTimer::singleShot(kReadAgain_ms, this, &EpisodeRow::readPictures);
}

}  // namespace slipstick::ui
