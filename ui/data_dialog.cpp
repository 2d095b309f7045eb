#include "ui/data_dialog.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <cmath>

#include "ui/text.h"
#include "ui/theme.h"

namespace slipstick::ui {

DataDialog::DataDialog(std::function<Now()> now, const DataChoice& choice, QWidget* parent)
    : ExportDialog(tr("Export data"), tr("Export"), parent), now_(std::move(now)) {
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

void DataDialog::addKind(DataKind kind, const QString& name, const QString& explanation,
                         std::vector<QWidget*> more) {
  const auto index = static_cast<std::size_t>(kind);
  kinds_[index] = new Switch;
  kinds_[index]->setAccessibleName(name);
  connect(kinds_[index], &QAbstractButton::toggled, this, [this] { refresh(); });
  files_[index] = new ValueLabel(Qt::AlignLeft);
  files_[index]->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  std::vector<QWidget*> widgets = {kinds_[index], files_[index]};
  widgets.insert(widgets.end(), more.begin(), more.end());
  addRow(name, widgets, explanation);
}

void DataDialog::buildKinds() {
  addHeading(tr("Tables, a row for every step"));
  addKind(DataKind::Contacts, tr("Contacts"),
          tr("CSV: each contact of each step: what touches, where, its force, slip and depth"));
  addKind(DataKind::Bodies, tr("Bodies"), tr("CSV: pose, velocity and contact force of each body"));
  addKind(DataKind::Observables, tr("Observables"), tr("CSV: what the plots know, a column each"));
  patterns_ = textField(tr("Which observables"), tr("all"));
  addRow(tr("Which"), {patterns_},
         tr("Names with * and ?, commas between: roller.*, *.contact.f?, roller+dough.*, |roller.contact.f|. "
            "Of the table and the arrays"));
  addHeading(tr("Geometry and arrays, sampled"));
  geometry_ = new Segments(tr("Files of surfaces and particles"), {tr("PLY"), tr("OBJ")});
  connect(geometry_, &Segments::chosen, this, [this] { refresh(); });
  addKind(DataKind::Geometry, tr("Sequence"),
          tr("A folder of files that other renderers read: particles, cloth and bodies of each moment"),
          {geometry_});
  gltf_ = new Segments(tr("Form of the glTF file"), {tr("GLB"), tr("glTF")});
  connect(gltf_, &Segments::chosen, this, [this] { refresh(); });
  addKind(
      DataKind::Gltf, tr("Animation"),
      tr("One glTF 2.0 file with moving bodies and changing surfaces, for Blender. GLB is one file; glTF is "
         "text with its numbers beside it"),
      {gltf_});
  addKind(DataKind::Arrays, tr("NumPy arrays"),
          tr("One npz file: observables, poses and contacts of every step, particles at the rate below"));
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
  for (int i = 0; i < kDataKinds; ++i)
    kinds_[static_cast<std::size_t>(i)]->setChecked(choice.kinds.contains(static_cast<DataKind>(i)));
  geometry_->setIndex(choice.asObj ? 1 : 0);
  gltf_->setIndex(choice.asGltfText ? 1 : 0);
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
  for (int i = 0; i < kDataKinds; ++i)
    if (kinds_[static_cast<std::size_t>(i)]->isChecked()) choice.kinds.insert(static_cast<DataKind>(i));
  choice.asObj = geometry_->index() == 1;
  choice.asGltfText = gltf_->index() == 1;
  choice.range = range_->choice();
  choice.fps = fps_->value();
  return choice;
}

Result<StudioServices::DataExport> DataDialog::wanted() const {
  const Now now = now_();
  return exportOf(choice(), now.times, now.model);
}

/// "601 steps into 2 files"
QString DataDialog::words(const StudioServices::DataExport& what) const {
  const DataChoice now = choice();
  const double dt = now_().times.dt;
  const auto steps = static_cast<std::size_t>(std::llround((what.to - what.from) / dt)) + 1;
  const QStringList files = filesOf(now);
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
  for (int i = 0; i < kDataKinds; ++i) {
    const auto index = static_cast<std::size_t>(i);
    files_[index]->setText(fileNameOf(static_cast<DataKind>(i), now));
    files_[index]->setRole(kinds_[index]->isChecked() ? secondaryColor : faintColor);
  }
  const bool samples = std::any_of(now.kinds.begin(), now.kinds.end(), isSampled);
  fps_->setEnabled(samples);
  patterns_->setEnabled(now.kinds.contains(DataKind::Observables) || now.kinds.contains(DataKind::Arrays));
  geometry_->setEnabled(now.kinds.contains(DataKind::Geometry));
  gltf_->setEnabled(now.kinds.contains(DataKind::Gltf));
  const Result<StudioServices::DataExport> what = wanted();
  what ? say(words(*what)) : sayError(what.error());
}

}  // namespace slipstick::ui
