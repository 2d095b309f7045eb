#include "ui/data_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>
#include <cmath>

#include "engine/foundation/require.h"
#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {

DataDialog::DataDialog(std::vector<ExportKind> kinds, std::function<Now()> now, const DataChoice& choice,
                       QWidget* parent)
    : ExportDialog(tr("Export data"), tr("Export"), parent), kinds_(std::move(kinds)), now_(std::move(now)) {
  buildPlace();
  buildKinds();
  buildTimes();
  addFooter();
  setChoice(choice);
  name_->setFocus();
  resize(600, sizeHint().height());
}

void DataDialog::buildPlace() {
  folder_ = textField(tr("Folder"), tr("where to"));
  auto* browse = new FlatButton("folder", tr("Browse…"));
  connect(browse, &FlatButton::clicked, this, [this] {
    const QString folder =
        QFileDialog::getExistingDirectory(this, tr("Folder of the files"), folder_->text());
    if (!folder.isEmpty()) folder_->setText(folder);
  });
  addRow(tr("Folder"), {folder_, browse}, tr("The folder that all files go into"));
  name_ = textField(tr("Name"), tr("name"));
  addRow(tr("Name"), {name_}, tr("What all files begin with"));
}

void DataDialog::addKind(const ExportKind& kind) {
  const QString name = QString::fromStdString(kind.label);
  Row row{kind, new Switch, new ValueLabel(Qt::AlignLeft), formsOf(kind)};
  row.isWanted->setAccessibleName(name);
  connect(row.isWanted, &QAbstractButton::toggled, this, [this] { refresh(); });
  row.file->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  std::vector<QWidget*> widgets = {row.isWanted, row.file};
  if (row.forms) widgets.push_back(row.forms);
  addRow(name, widgets, QString::fromStdString(kind.explanation));
  rows_.push_back(row);
}

/// Null where there is nothing to choose.
Segments* DataDialog::formsOf(const ExportKind& kind) {
  if (kind.forms.size() < 2) return nullptr;
  QStringList labels;
  for (const ExportForm& form : kind.forms) labels << QString::fromStdString(form.label);
  auto* forms = new Segments(QString::fromStdString(kind.formsLabel), labels);
  connect(forms, &Segments::chosen, this, [this] { refresh(); });
  return forms;
}

void DataDialog::buildKinds() {
  addHeading(tr("Tables, a row for every step"));
  for (const ExportKind& kind : kinds_)
    if (!kind.takesSamples()) addKind(kind);
  patterns_ = textField(tr("Which observables"), tr("all"));
  addRow(tr("Which"), {patterns_},
         tr("Names with * and ?, commas between: roller.*, *.contact.f?, roller+dough.*, |roller.contact.f|. "
            "Of the table and the arrays"));
  addHeading(tr("Geometry and arrays, sampled"));
  for (const ExportKind& kind : kinds_)
    if (kind.takesSamples()) addKind(kind);
}

void DataDialog::buildTimes() {
  addHeading(tr("Time"));
  range_ = new RangeFields;
  connect(range_, &RangeFields::changed, this, [this] { refresh(); });
  addRow(tr("Range"), {range_}, tr("Simulated time of the first step and of the last"));
  fps_ = numberField(tr("Samples per second"), 30);
  addRow(tr("Samples"), {fps_, unit(tr("per simulated second"))},
         tr("Of geometry, of the animation and of particles"));
}

void DataDialog::setChoice(const DataChoice& choice) {
  folder_->setText(choice.folder);
  name_->setText(choice.name);
  patterns_->setText(choice.patterns);
  for (const Row& row : rows_) {
    row.isWanted->setChecked(choice.kinds.contains(row.kind.name));
    if (row.forms) row.forms->setIndex(choice.secondForms.contains(row.kind.name) ? 1 : 0);
  }
  range_->setChoice(choice.range);
  fps_->setValue(choice.fps);
  refresh();
}

DataChoice DataDialog::choice() const {
  DataChoice choice;
  choice.folder = folder_->text().trimmed();
  choice.name = name_->text().trimmed();
  choice.patterns = patterns_->text().trimmed();
  choice.kinds.clear();
  for (const Row& row : rows_) {
    if (row.isWanted->isChecked()) choice.kinds.insert(row.kind.name);
    if (row.forms && row.forms->index() == 1) choice.secondForms.insert(row.kind.name);
  }
  choice.range = range_->choice();
  choice.fps = fps_->value();
  return choice;
}

Switch& DataDialog::kind(const std::string& name) {
  const auto row =
      std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return r.kind.name == name; });
  SIM_REQUIRE(row != rows_.end(), name);
  return *row->isWanted;
}

Result<DataOutputs> DataDialog::wanted() const {
  const Now now = now_();
  return exportOf(kinds_, choice(), now.times, now.model);
}

/// "601 steps into 2 files"
QString DataDialog::words(const DataOutputs& what) const {
  const DataChoice now = choice();
  const double dt = now_().times.dt;
  const auto steps = static_cast<std::size_t>(std::llround((what.to.value() - what.from.value()) / dt)) + 1;
  const QStringList files = filesOf(kinds_, now);
  QString text =
      tr("%1 steps into %2 %3")
          .arg(grouped(steps), QString::number(files.size()), files.size() == 1 ? tr("file") : tr("files"));
  const auto replaced =
      std::count_if(files.begin(), files.end(), [](const QString& file) { return QFileInfo::exists(file); });
  if (replaced == 1) text += tr(". One is there and is replaced");
  if (replaced > 1) text += tr(". %1 are there and are replaced").arg(replaced);
  return text;
}

void DataDialog::refresh() {
  if (!fps_) return;
  range_->refresh(now_().times);
  const DataChoice now = choice();
  for (const Row& row : rows_) {
    row.file->setText(fileNameOf(row.kind, now));
    row.file->setRole(row.isWanted->isChecked() ? secondaryColor : faintColor);
    if (row.forms) row.forms->setEnabled(row.isWanted->isChecked());
  }
  fps_->setEnabled(isChosen(kinds_, now, &ExportKind::takesSamples));
  patterns_->setEnabled(isChosen(kinds_, now, [](const ExportKind& kind) { return kind.takesObservables; }));
  const Result<DataOutputs> what = wanted();
  what ? say(words(*what)) : sayError(what.error());
}

}  // namespace slipstick::ui
