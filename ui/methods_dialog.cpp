#include "ui/methods_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QScreen>
#include <QStandardPaths>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/exports.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {

namespace {

constexpr int kTableRow = 24, kNameWidth = 300, kColumnWidth = 96, kWidth = 760;

/// "0.5, 1" as times, ascending; an error for what is none.
Result<std::vector<double>> timesIn(const QString& text, double duration) {
  std::vector<double> times;
  for (const QString& part : text.split(',', Qt::SkipEmptyParts)) {
    bool isNumber = false;
    const double time = part.trimmed().toDouble(&isNumber);
    if (!isNumber || time < 0 || time > duration + 1e-9)
      return Error{ErrorCode::InvalidValue, "this is no time of the runs",
                   "pictures at " + part.trimmed().toStdString(),
                   "write seconds from 0 to the duration, commas between"};
    times.push_back(time);
  }
  if (times.empty()) times = {duration};
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace

MethodsDialog::MethodsDialog(Session& session, std::function<render::CameraPath()> camera, QWidget* parent)
    : ExportDialog(tr("Compare methods"), tr("Compare"), parent),
      session_(session),
      camera_(std::move(camera)) {
  buildMethods();
  buildTimes();
  buildResults();
  addFooter({saveFigure_, saveTable_});
  closeButton().setText(tr("Close"));
  connect(this, &ExportDialog::exportWanted, this, &MethodsDialog::compareOrStop);
  refresh();
  resize(kWidth, sizeHint().height());
}

MethodsDialog::~MethodsDialog() {
  letGo();
}

void MethodsDialog::buildMethods() {
  addHeading(tr("Methods, each from the scene's start"));
  const double dt_ms = 1e3 * session_.run().newestModel()->time.dt;
  for (const StudioServices::Method& method : session_.services().methods) {
    const QString name = toQString(method.name);
    Row row{method.name, session_.methods().obstacle(method.name), new Switch,
            numberField(tr("Step of %1").arg(name), dt_ms)};
    const bool can = row.obstacle.isEmpty();
    row.isWanted->setAccessibleName(name);
    row.isWanted->setChecked(can);
    row.isWanted->setEnabled(can);
    row.dt->setEnabled(can);
    row.dt->setToolTip(tr("Its step. Where it is not the scene's, substeps follow by themselves"));
    connect(row.isWanted, &QAbstractButton::toggled, this, [this] { refresh(); });
    auto* words = new ThemedLabel(can ? toQString(method.description) : row.obstacle,
                                  can ? secondaryColor : faintColor);
    words->setWordWrap(true);
    words->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addRow(name, {row.isWanted, row.dt, unit(tr("ms")), words}, toQString(method.description));
    rows_.push_back(row);
  }
}

void MethodsDialog::buildTimes() {
  addHeading(tr("Time"));
  const double newest = session_.moment().newestTime();
  const double end = newest > 0 ? newest : session_.run().newestModel()->time.duration;
  duration_ = numberField(tr("Duration"), end);
  addRow(tr("Simulate"), {duration_, unit(tr("s"))},
         tr("How far each method is simulated: at first, as far as the run in the window has come"));
  from_ = numberField(tr("Means from"), 0.5 * end);
  to_ = numberField(tr("Means to"), end);
  addRow(tr("Means from"), {from_, unit(tr("to")), to_, unit(tr("s"))},
         tr("The stretch that forces, depths and slip in the table are means of"));
  moments_ = textField(tr("Pictures at"), tr("the end"));
  moments_->setFixedWidth(160);
  addRow(tr("Pictures at"), {moments_, unit(tr("s"))},
         tr("Times of the rows of pictures, commas between, as the viewport looks at the scene"));
}

void MethodsDialog::buildResults() {
  auto* inside = new QWidget;
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2 * kSpace);
  table_ = new QTableWidget;
  table_->setObjectName("methods_table");
  table_->setAccessibleName(tr("Figures of the methods"));
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionMode(QAbstractItemView::NoSelection);
  table_->setFocusPolicy(Qt::NoFocus);
  table_->setShowGrid(false);
  table_->verticalHeader()->hide();
  table_->verticalHeader()->setDefaultSectionSize(kTableRow);
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  column->addWidget(table_);
  figure_ = new QLabel;
  figure_->setAccessibleName(tr("Pictures of the methods, forces and energy"));
  column->addWidget(figure_);
  saveFigure_ = new FlatButton("", tr("Save the figure…"));
  saveTable_ = new FlatButton("", tr("Save the table…"));
  connect(saveFigure_, &FlatButton::clicked, this,
          [this] { askAndSave(tr("Save the figure"), "methods.png", tr("Figures (*.png *.pdf *.svg)")); });
  connect(saveTable_, &FlatButton::clicked, this, [this] {
    askAndSave(tr("Save the table"), "methods.csv",
               tr("Every step (*.csv);;Figures of the methods (*.json)"));
  });
  saveFigure_->hide();
  saveTable_->hide();
  column->addStretch(1);
  results_ = new QScrollArea;
  results_->setWidget(inside);
  inside->setAutoFillBackground(false);
  results_->viewport()->setAutoFillBackground(false);
  results_->setWidgetResizable(true);
  results_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  results_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);  // so that the width stays
  results_->hide();
  constexpr int kAllRoom = 1000;  // against the stretch above it
  static_cast<QVBoxLayout*>(layout())->addWidget(results_, kAllRoom);
}

Result<MethodComparison::Wish> MethodsDialog::wanted() const {
  MethodComparison::Wish wish;
  for (const Row& row : rows_)
    if (row.isWanted->isChecked()) wish.methods.push_back({row.method, 1e-3 * row.dt->value()});
  if (wish.methods.empty())
    return Error{ErrorCode::InvalidValue, "no method is chosen", "methods", "choose at least one"};
  for (const MethodComparison::Wish::Method& method : wish.methods)
    if (!(method.dt > 0) || !std::isfinite(method.dt))
      return Error{ErrorCode::InvalidValue, "a step is a time", "step of " + method.name,
                   "write milliseconds, more than 0"};
  wish.duration = duration_->value();
  if (!(wish.duration > 0) || !std::isfinite(wish.duration))
    return Error{ErrorCode::InvalidValue, "there is nothing to simulate", "simulate",
                 "write seconds, more than 0"};
  if (!(from_->value() >= 0 && from_->value() <= to_->value()))
    return Error{ErrorCode::InvalidValue, "the means end before they begin", "means",
                 "write the earlier time first"};
  const Result<std::vector<double>> moments = timesIn(moments_->text(), wish.duration);
  if (!moments) return moments.error();
  wish.moments = *moments;
  return wish;
}

void MethodsDialog::compareOrStop() {
  if (isRunning()) {
    stopping_ = true;
    comparison_->stop();
    return refresh();
  }
  Result<MethodComparison::Wish> wish = wanted();
  if (!wish) return;
  wish->camera = camera_();
  stopping_ = false;
  picture_ = {};
  comparison_ = std::make_unique<MethodComparison>(session_.run().newestModel(), session_.numbers().tuning(),
                                                   session_.services().makeStepper, *wish);
  connect(comparison_.get(), &MethodComparison::changed, this, [this] {
    showTable();
    showFigure();
    refresh();
  });
  showTable();
  showFigure();
  refresh();
}

/// "strong: 0.34 of 1.2 s · 52 %"
QString MethodsDialog::progressWords() const {
  const MethodComparison::Wish& wish = comparison_->wish();
  const MethodComparison::Progress progress = comparison_->progress();
  if (stopping_) return tr("stops after the step in work…");
  if (progress.method == wish.methods.size()) return tr("draws the figure…");
  const double all = wish.duration * static_cast<double>(wish.methods.size());
  return tr("%1: %2 of %3 s")
             .arg(toQString(wish.methods[progress.method].name), number(progress.time, 2),
                  number(wish.duration, 2)) +
         QString::fromUtf8(" · ") + tr("%1 % of all").arg(std::lround(100 * progress.simulated / all));
}

void MethodsDialog::refresh() {
  exportButton().setText(isRunning() ? tr("Stop") : tr("Compare"));
  saveFigure_->setEnabled(comparison_ && comparison_->figure());
  saveTable_->setEnabled(comparison_ && comparison_->isDone() && !comparison_->runs().empty());
  if (isRunning()) {
    say(progressWords());
    exportButton().setEnabled(!stopping_);
    return;
  }
  const Result<MethodComparison::Wish> wish = wanted();
  if (!wish) return sayError(wish.error());
  if (comparison_ && !comparison_->errors().empty()) {
    sayError(comparison_->errors().front());
    exportButton().setEnabled(true);
    return;
  }
  if (comparison_) showTable();  // of another stretch of time
  const std::size_t count = wish->methods.size();
  say(count == 1 ? tr("1 method") : tr("%1 methods, one after the other").arg(count));
}

void MethodsDialog::showTable() {
  const std::vector<MethodRun>& runs = comparison_->runs();
  const bool isFirst = results_->isHidden() && !runs.empty();
  for (QWidget* widget : {static_cast<QWidget*>(results_), static_cast<QWidget*>(saveFigure_),
                          static_cast<QWidget*>(saveTable_)})
    widget->setVisible(!runs.empty());
  if (runs.empty()) return;
  if (isFirst) makeRoom();
  const MethodTable table = tabulate(runs, from_->value(), to_->value());
  table_->setColumnCount(static_cast<int>(table.runs.size()) + 1);
  table_->setRowCount(static_cast<int>(table.rows.size()));
  QStringList titles = {tr("means from %1 to %2 s").arg(number(from_->value(), 2), number(to_->value(), 2))};
  for (const std::string& name : table.runs) titles << toQString(name);
  table_->setHorizontalHeaderLabels(titles);
  const auto put = [&](int row, int column, const std::string& text, QColor color) {
    auto* item = new QTableWidgetItem(toQString(text));
    item->setForeground(color);
    if (column > 0) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    table_->setItem(row, column, item);
  };
  for (int r = 0; r < table_->rowCount(); ++r) {
    const MethodTable::Row& row = table.rows[static_cast<std::size_t>(r)];
    put(r, 0, row.name, theme().secondary);
    for (int c = 1; c < table_->columnCount(); ++c)
      put(r, c, row.values[static_cast<std::size_t>(c - 1)], theme().text);
  }
  QHeaderView* header = table_->horizontalHeader();
  header->setSectionResizeMode(QHeaderView::Fixed);
  header->setSectionResizeMode(0, QHeaderView::Stretch);
  header->setMinimumSectionSize(kColumnWidth);
  for (int c = 0; c < table_->columnCount(); ++c) {
    if (c > 0) header->resizeSection(c, kColumnWidth);
    table_->horizontalHeaderItem(c)->setTextAlignment(c > 0 ? Qt::AlignRight | Qt::AlignVCenter
                                                            : Qt::AlignLeft | Qt::AlignVCenter);
  }
  table_->setMinimumWidth(kNameWidth + static_cast<int>(table.runs.size()) * kColumnWidth);
  table_->setFixedHeight(header->sizeHint().height() + kTableRow * table_->rowCount() + 2);
}

/// For the results, as far as the screen has any.
void MethodsDialog::makeRoom() {
  const QRect there = screen()->availableGeometry();
  const QSize size(std::max(width(), kWidth), std::min(there.height() * 9 / 10, 980));
  resize(size);
  const QPoint place(std::clamp(x(), there.left(), std::max(there.left(), there.right() - size.width())),
                     std::clamp(y(), there.top(), std::max(there.top(), there.bottom() - size.height())));
  move(place);
}

/// As wide as the dialog.
void MethodsDialog::showFigure() {
  const bool there = comparison_ && comparison_->figure();
  figure_->setVisible(there);
  if (!there) return figure_->clear();
  const double width = std::max(1, table_->width()) * devicePixelRatioF();
  picture_ = figureImage(*comparison_->figure(), 25.4 * width / comparison_->figure()->width_mm);
  picture_.setDevicePixelRatio(devicePixelRatioF());
  figure_->setPixmap(QPixmap::fromImage(picture_));
  figure_->setFixedHeight(static_cast<int>(std::ceil(picture_.height() / devicePixelRatioF())));
}

void MethodsDialog::resizeEvent(QResizeEvent* event) {
  ExportDialog::resizeEvent(event);
  if (comparison_ && comparison_->isDone()) showFigure();
}

void MethodsDialog::askAndSave(const QString& title, const QString& name, const QString& filter) {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
  const QString file = QFileDialog::getSaveFileName(this, title, QDir(folder).filePath(name), filter);
  if (!file.isEmpty()) saveAs(file);
}

void MethodsDialog::saveAs(const QString& file) {
  const QString suffix = QFileInfo(file).suffix().toLower();
  Result<void> saved;
  if (suffix == "csv" || suffix == "json") {
    saved = session_.services().saveComparison(comparison_->runs(), from_->value(), to_->value(),
                                               file.toStdString());
  } else if (const Result<FigureReport> written = writeFigure(*comparison_->figure(), file.toStdString());
             !written) {
    saved = written.error();
  }
  if (saved) return session_.messages().tell(LogLevel::Info, tr("%1 is written").arg(file));
  session_.messages().tell(LogLevel::Error, QString::fromStdString(saved.error().message()));
}

}  // namespace slipstick::ui
