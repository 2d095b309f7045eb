#include "ui/drop_hint.h"

#include <QFileInfo>
#include <QPainter>
#include <QUrl>
#include <algorithm>

#include "ui/icons.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kIconSize = 48;

bool opens(const StudioServices& services, const QString& file) {
  const std::string suffix = QFileInfo(file).suffix().toLower().toStdString();
  const auto& known = services.openableSuffixes;
  return std::find(known.begin(), known.end(), suffix) != known.end();
}

QString joinedSuffixes(const StudioServices& services, const QString& before, const QString& between) {
  QStringList words;
  for (const std::string& suffix : services.openableSuffixes)
    words << before + QString::fromStdString(suffix);
  return words.join(between);
}

}  // namespace

Dropped droppedOn(const StudioServices& services, const QMimeData& data) {
  Dropped first;
  for (const QUrl& url : data.urls()) {
    if (!url.isLocalFile()) continue;
    const QString file = url.toLocalFile();
    if (opens(services, file)) return {file, true};
    if (first.file.isEmpty()) first.file = file;
  }
  return first;
}

QString openableWords(const StudioServices& services) {
  return joinedSuffixes(services, ".", ", ");
}

QString openablePatterns(const StudioServices& services) {
  return joinedSuffixes(services, "*.", " ");
}

DropHint::DropHint(const StudioServices& services, QWidget* over) : QWidget(over), services_(services) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  hide();
}

void DropHint::show(const Dropped& dropped) {
  const QString name = QFileInfo(dropped.file).fileName();
  opens_ = dropped.opens;
  text_ = opens_ ? tr("Open %1").arg(name) : tr("%1 cannot be opened").arg(name);
  more_ = opens_ ? QFileInfo(dropped.file).absolutePath()
                 : tr("Slipstick opens %1").arg(openableWords(services_));
  setGeometry(parentWidget()->rect());
  raise();
  QWidget::show();
  update();
}

void DropHint::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  const QColor ink = opens_ ? t.accent : t.error;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QColor ground = t.window;
  ground.setAlphaF(0.86f);
  painter.fillRect(rect(), ground);
  painter.setPen(QPen(ink, 2, Qt::DashLine, Qt::RoundCap));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(QRectF(rect()).adjusted(20, 20, -20, -20), 12, 12);

  QRect line(4 * kSpace, height() / 2 - 60, width() - 8 * kSpace, kIconSize);
  painter.drawPixmap(QPointF(line.center().x() - kIconSize / 2.0, line.top()),
                     iconPixmap(opens_ ? "scene" : "error", ink, kIconSize));
  const auto write = [&](const QString& text, const QFont& font, const QColor& color, int height) {
    line = QRect(line.left(), line.bottom() + kSpace, line.width(), height);
    painter.setFont(font);
    painter.setPen(color);
    painter.drawText(line, Qt::AlignCenter,
                     QFontMetrics(font).elidedText(text, Qt::ElideMiddle, line.width()));
  };
  write(text_, textFont(600, 1.6), t.text, 32);
  write(more_, textFont(400, 1.08), t.secondary, 24);
}

}  // namespace slipstick::ui
