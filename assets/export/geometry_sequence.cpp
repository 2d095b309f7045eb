#include "assets/export/geometry_sequence.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <set>
#include <utility>

#include "assets/export/exporter.h"
#include "assets/export/ply_file.h"
#include "engine/facts/looks.h"
#include "engine/foundation/csv_text.h"

namespace slipstick::assets {

namespace fs = std::filesystem;

namespace {

constexpr const char* kBodies = "bodies";
constexpr const char* kLibrary = "bodies.mtl";

std::vector<Color> colorsOf(const Model& model) {
  const Looks looks = looksOf(model);
  std::vector<Color> colors;
  for (std::size_t d = 0; d < model.deformables.size(); ++d)
    colors.push_back(looks.deformable(static_cast<int>(d)).color.value_or(model.deformables[d].color));
  return colors;
}

/// Names of files that any system takes, no two alike.
std::vector<std::string> stemsOf(const Model& model) {
  std::set<std::string> taken = {kBodies};
  std::vector<std::string> stems;
  for (const Deformable& deformable : model.deformables) {
    std::string stem = deformable.name;
    for (char& c : stem)
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.') c = '_';
    while (!taken.insert(stem).second) stem += '_';
    stems.push_back(stem);
  }
  return stems;
}

}  // namespace

GeometrySequence::GeometrySequence(OutputFile index, fs::path folder, std::shared_ptr<const Model> model,
                                   std::vector<DisplayShape> shapes, SoftFormat format)
    : index_(std::move(index)),
      folder_(std::move(folder)),
      model_(std::move(model)),
      shapes_(std::move(shapes)),
      format_(format),
      colors_(colorsOf(*model_)),
      stems_(stemsOf(*model_)),
      materials_(shapes_, colors_) {
  std::stable_sort(shapes_.begin(), shapes_.end(),
                   [](const DisplayShape& a, const DisplayShape& b) { return a.body < b.body; });
}

Result<std::unique_ptr<GeometrySequence>> GeometrySequence::create(const fs::path& folder,
                                                                   std::shared_ptr<const Model> model,
                                                                   std::vector<DisplayShape> shapes,
                                                                   SoftFormat format) {
  Result<OutputFile> index = OutputFile::create(folder / "frames.csv");
  if (!index) return index.error();
  const Result<void> headed = index->write(CsvRow().add("frame").add("step").add("time [s]").line());
  if (!headed) return headed.error();
  std::unique_ptr<GeometrySequence> sequence(
      new GeometrySequence(std::move(*index), folder, std::move(model), std::move(shapes), format));
  if (const Result<void> written = sequence->materials_.write(folder / kLibrary); !written)
    return written.error();
  return sequence;
}

fs::path GeometrySequence::numbered(const std::string& stem, const char* suffix) const {
  char number[24];
  std::snprintf(number, sizeof number, "_%06llu", static_cast<unsigned long long>(frames_));
  return folder_ / (stem + number + suffix);
}

Result<void> GeometrySequence::addDeformable(std::size_t deformable, const Snapshot& snapshot) const {
  const Deformable& d = model_->deformables[deformable];
  const Color& color = colors_[deformable];
  if (format_ == SoftFormat::Ply) return writePly(numbered(stems_[deformable], ".ply"), d, color, snapshot);
  return writeDeformableObj(numbered(stems_[deformable], ".obj"), kLibrary, d, materials_.of(color),
                            snapshot);
}

Result<void> GeometrySequence::add(const Snapshot& snapshot) {
  if (!shapes_.empty()) {
    const Result<void> bodies =
        writeBodiesObj(numbered(kBodies, ".obj"), kLibrary, *model_, shapes_, materials_, snapshot);
    if (!bodies) return bodies;
  }
  for (std::size_t d = 0; d < model_->deformables.size(); ++d)
    if (const Result<void> added = addDeformable(d, snapshot); !added) return added;
  CsvRow row;
  row.addWhole(static_cast<std::int64_t>(frames_++)).addWhole(static_cast<std::int64_t>(snapshot.step));
  return index_.write(row.add(snapshot.time).line());
}

namespace {

Result<std::vector<ExportOutput>> openSequence(const ExportSource& source) {
  Result<ExportSchedule::Steps> frames =
      source.schedule.sampled(ExportSchedule::kUsualFps, GeometrySequence::kMaxFrames);
  if (!frames) return frames.error();
  Result<std::unique_ptr<GeometrySequence>> made =
      GeometrySequence::create(source.file, source.model, source.shapes(*source.model),
                               source.form == "obj" ? SoftFormat::Obj : SoftFormat::Ply);
  if (!made) return made.error();
  const std::shared_ptr<GeometrySequence> sequence = std::move(*made);
  return std::vector<ExportOutput>{{source.file, std::move(*frames), ExportOutput::Reads::Particles, true,
                                    [sequence](const Snapshot& s) { return sequence->add(s); },
                                    [sequence] { return sequence->finish(); }}};
}

}  // namespace

Exporter geometryExporter() {
  return {{.name = "geometry",
           .description = "a folder of numbered files: bodies as OBJ, particles and cloths as PLY",
           .isFolder = true,
           .moments = ExportKind::Moments::Samples,
           .label = "Sequence",
           .explanation =
               "A folder of files that other renderers read: particles, cloth and bodies of each moment",
           .forms = {{"ply", "PLY", "_geometry/"}, {"obj", "OBJ", "_geometry/"}},
           .formsLabel = "Files of surfaces and particles",
           .formsKept = "obj",
           .formsOption = "format",
           .formsDescription = "of particles and cloths there"},
          openSequence};
}

}  // namespace slipstick::assets
