#include "ui/export_card.h"

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLocale>
#include <QUrl>
#include <QVBoxLayout>

#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kPatience_ms = 250, kStays_ms = 15000;
constexpr int kWidth = 430;

QString sizeWords(const QFileInfo& info) {
  return QLocale::c().formattedDataSize(info.size(), 1, QLocale::DataSizeSIFormat);
}

}  // namespace

ExportCard::ExportCard(Exports& exports, QWidget* over)
    : FloatingCard(over, Edge::Bottom, kWidth, tr("Progress of the export")), exports_(exports) {
  setObjectName("export");
  setAccessibleName(tr("Export"));
  build();
  patience_.setSingleShot(true);
  patience_.setInterval(kPatience_ms);
  goes_.setSingleShot(true);
  goes_.setInterval(kStays_ms);
  connect(&patience_, &QTimer::timeout, this, &ExportCard::appear);
  connect(&goes_, &QTimer::timeout, this, [this] { underMouse() ? goes_.start() : hide(); });
  connect(&exports_, &Exports::changed, this, &ExportCard::follow);
  connect(&exports_, &Exports::written, this, &ExportCard::showWritten);
  connect(cancel_, &FlatButton::clicked, &exports_, &Exports::cancel);
  connect(close_, &FlatButton::clicked, this, &QWidget::hide);
  connect(open_, &FlatButton::clicked, this,
          [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(written_)); });
  connect(folder_, &FlatButton::clicked, this,
          [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(QFileInfo(written_).absolutePath())); });
}

void ExportCard::build() {
  title_ = new ThemedLabel({}, textColor);
  title_->setFont(textFont(600));
  detail_ = new ThemedLabel({}, secondaryColor);
  detail_->setWordWrap(true);
  const auto button = [](const QString& icon, const QString& text, const QString& tip) {
    auto* made = new FlatButton(icon, text);
    made->setToolTip(tip);
    made->setAccessibleName(tip);
    return made;
  };
  cancel_ = button({}, tr("Cancel"), tr("Stop writing: what is there until now is kept where it can be"));
  open_ = button({}, tr("Open"), tr("Open what was written"));
  folder_ = button("folder", {}, tr("Show the folder of what was written"));
  close_ = button("close", {}, tr("Close this card"));
  close_->setQuiet(true);
  auto* column = new QVBoxLayout;
  column->setSpacing(6);
  column->addStretch(1);
  column->addWidget(title_);
  column->addWidget(detail_);
  column->addWidget(&bar());
  column->addStretch(1);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(2 * kSpace, 3 * kSpace / 2, 3 * kSpace / 2, 3 * kSpace / 2);
  row->setSpacing(kSpace);
  row->addLayout(column, 1);
  row->addSpacing(kSpace);
  for (FlatButton* one : {cancel_, open_, folder_, close_}) row->addWidget(one, 0, Qt::AlignVCenter);
}

void ExportCard::follow() {
  const std::optional<Exports::Current> current = exports_.current();
  if (!current || current->told == Exports::Told::Quietly) {
    patience_.stop();
    if (written_.isEmpty()) hide();
    return;
  }
  written_.clear();
  goes_.stop();
  QString title = tr("writing %1").arg(QFileInfo(current->file).fileName());
  if (current->waiting > 0) title += tr(", %1 more after it").arg(current->waiting);
  title_->setText(title);
  title_->setToolTip(current->file);
  detail_->setText(current->isStopping ? tr("finishing what is there") : current->progress.words);
  showFraction(current->progress.fraction);
  showButtons(true);
  cancel_->setEnabled(!current->isStopping && !current->isKept);
  if (isVisible())
    place();
  else if (!patience_.isActive())
    patience_.start();
}

void ExportCard::showWritten(const QString& file, const QString& note) {
  if (exports_.isWriting()) return;  // the next one is told of; the log has this one
  written_ = file;
  const QFileInfo info(file);
  title_->setText(tr("wrote %1").arg(info.fileName()));
  title_->setToolTip(file);
  QString detail = QDir::toNativeSeparators(info.absolutePath());
  if (info.isFile()) detail = sizeWords(info) + tr(" in %1").arg(detail);
  detail_->setText(note.isEmpty() ? detail : note);
  showButtons(false);
  appear();
  goes_.start();
}

void ExportCard::showButtons(bool isWriting) {
  bar().setVisible(isWriting);
  cancel_->setVisible(isWriting);
  for (FlatButton* one : {open_, folder_, close_}) one->setVisible(!isWriting);
}

}  // namespace slipstick::ui
