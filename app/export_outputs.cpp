#include "app/export_outputs.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "app/display_shapes.h"
#include "app/output_path.h"
#include "assets/export/bodies_csv.h"
#include "assets/export/contacts_csv.h"
#include "assets/export/geometry_sequence.h"
#include "assets/export/gltf_writer.h"
#include "assets/export/npz_writer.h"
#include "assets/export/observables_csv.h"
#include "engine/foundation/lower_case.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace fs = std::filesystem;

namespace {

constexpr double kUsualFps = 30, kUsualMorphFps = 10;

using Steps = std::vector<std::uint64_t>;
using Reads = ExportOutput::Reads;

/// Which steps outputs take.
class Schedule {
 public:
  Schedule(const DataOutputs& options, const RunWalk& run)
      : run_(run),
        from_(options.from.value_or(run.timeOf(run.firstStep()))),
        to_(options.to.value_or(run.timeOf(run.lastStep()))),
        fps_(options.fps) {}

  Steps every() const {
    Steps steps;
    for (std::uint64_t step = first(from_); step <= first(to_); ++step) steps.push_back(step);
    return steps;
  }
  /// The first step at or after each moment from + k / fps; each step once.
  Result<Steps> sampled(double usualFps, std::uint64_t most) const {
    const double fps = fps_.value_or(usualFps), count = std::floor((to_ - from_) * fps + 1e-6) + 1;
    Steps steps;
    for (double k = 0; k < count && steps.size() <= most; ++k) {
      const std::uint64_t step = first(from_ + k / fps);
      if (steps.empty() || step > steps.back()) steps.push_back(step);
    }
    if (steps.size() <= most) return steps;
    return Error{ErrorCode::InvalidValue, "that makes more than " + std::to_string(most) + " samples",
                 significant(fps) + " samples/s", "lower the rate, or shorten the time"};
  }

 private:
  std::uint64_t first(double time) const { return std::max(run_.firstStep(), run_.stepAt(time)); }
  const RunWalk& run_;
  double from_, to_;
  std::optional<double> fps_;
};

/// Of a .gltf also the numbers beside it.
std::vector<fs::path> filesOf(const DataOutputs& options) {
  std::vector<fs::path> files;
  for (const auto& file : {options.contacts, options.bodies, options.csv, options.gltf, options.npz})
    if (file) files.emplace_back(*file);
  if (options.gltf && lowerSuffix(*options.gltf) == ".gltf")
    files.push_back(fs::path(*options.gltf).replace_extension(".bin"));
  return files;
}

Result<ObservableChoice> choiceOf(const DataOutputs& options, const RunWalk& run) {
  if (options.observables.empty()) return ObservableChoice::everything(run.model());
  return ObservableChoice::matching(run.model(), options.observables);
}

/// Opens outputs one by one, until one cannot be.
class Opener {
 public:
  Opener(const DataOutputs& options, const RunWalk& run)
      : options_(options), run_(run), schedule_(options, run) {}

  Result<std::vector<ExportOutput>> open() {
    if (options_.contacts) addRows<assets::ContactsCsv>(*options_.contacts, run_.model(), Reads::Contacts);
    if (options_.bodies) addRows<assets::BodiesCsv>(*options_.bodies, run_.model(), Reads::Facts);
    if (options_.csv || options_.npz) addObservables();
    if (options_.geometry) addGeometry();
    if (options_.gltf) addGltf();
    if (!outcome_) return outcome_.error();
    return std::move(outputs_);
  }

 private:
  /// The value, or nothing after an error, which ends all.
  template <class T>
  std::optional<T> taken(Result<T> result) {
    if (!outcome_) return std::nullopt;
    if (result) return std::move(*result);
    outcome_ = result.error();
    return std::nullopt;
  }

  /// One of the tables: a row for every step.
  template <class Table, class Source>
  void addRows(const std::string& file, const Source& source, Reads reads) {
    auto made = taken(Table::create(file, source));
    if (!made) return;
    const auto table = std::make_shared<Table>(std::move(*made));
    outputs_.push_back({file, schedule_.every(), reads, false,
                        [table](const Snapshot& s) { return table->add(s); },
                        [table] { return table->finish(); }});
  }

  void addObservables() {
    const std::optional<ObservableChoice> choice = taken(choiceOf(options_, run_));
    if (choice && options_.csv)
      addRows<assets::ObservablesCsv>(*options_.csv, *choice,
                                      choice->readsPairs() ? Reads::Contacts : Reads::Facts);
    if (choice && options_.npz) addNpz(*choice);
  }

  void addNpz(const ObservableChoice& choice) {
    const auto frames = taken(schedule_.sampled(kUsualFps, assets::GeometrySequence::kMaxFrames));
    auto made = taken(assets::NpzWriter::create(*options_.npz, run_.model(), choice));
    if (!frames || !made) return;
    const std::shared_ptr<assets::NpzWriter> npz = std::move(*made);
    if (run_.model()->particleCount() > 0)
      outputs_.push_back({*options_.npz,
                          *frames,
                          Reads::Particles,
                          true,
                          [npz](const Snapshot& s) { return npz->addFrame(s); },
                          {}});
    outputs_.push_back({*options_.npz, schedule_.every(), Reads::Contacts, false,
                        [npz](const Snapshot& s) { return npz->addStep(s); },
                        [npz] { return npz->finish(); }});
  }

  void addGeometry() {
    const auto frames = taken(schedule_.sampled(kUsualFps, assets::GeometrySequence::kMaxFrames));
    const auto format = options_.format == "obj" ? assets::SoftFormat::Obj : assets::SoftFormat::Ply;
    auto made = taken(assets::GeometrySequence::create(*options_.geometry, run_.model(),
                                                       displayShapesOf(*run_.model()), format));
    if (!frames || !made) return;
    const std::shared_ptr<assets::GeometrySequence> sequence = std::move(*made);
    outputs_.push_back({*options_.geometry, *frames, Reads::Particles, true,
                        [sequence](const Snapshot& s) { return sequence->add(s); },
                        [sequence] { return sequence->finish(); }});
  }

  void addGltf() {
    const auto poses = taken(schedule_.sampled(kUsualFps, assets::GeometrySequence::kMaxFrames));
    auto made =
        taken(assets::GltfWriter::create(*options_.gltf, run_.model(), displayShapesOf(*run_.model())));
    if (!poses || !made) return;
    const std::shared_ptr<assets::GltfWriter> gltf = std::move(*made);
    if (run_.model()->particleCount() > 0) {
      const auto morphs = taken(schedule_.sampled(kUsualMorphFps, assets::GltfWriter::kMaxMorphs));
      if (!morphs) return;
      outputs_.push_back({*options_.gltf,
                          *morphs,
                          Reads::Particles,
                          true,
                          [gltf](const Snapshot& s) { return gltf->addDeformables(s); },
                          {}});
    }
    outputs_.push_back({*options_.gltf, *poses, Reads::Facts, true,
                        [gltf](const Snapshot& s) { return gltf->addPoses(s); },
                        [gltf] { return gltf->finish(); }});
  }

  const DataOutputs& options_;
  const RunWalk& run_;
  Schedule schedule_;
  std::vector<ExportOutput> outputs_;
  Result<void> outcome_;
};

}  // namespace

Result<void> checkExports(const DataOutputs& options) {
  if (options.gltf && lowerSuffix(*options.gltf) != ".glb" && lowerSuffix(*options.gltf) != ".gltf")
    return Error{ErrorCode::Unsupported, "this is no name of a glTF file", "--gltf " + *options.gltf,
                 "end it in .glb, or in .gltf for text with a .bin beside it"};
  std::set<fs::path> known;
  for (const fs::path& file : filesOf(options)) {
    if (!known.insert(fs::absolute(file).lexically_normal()).second)
      return Error{ErrorCode::InvalidValue, "two outputs have this name", file.string(),
                   "give each a name of its own"};
    if (const Result<void> writable = checkWritableFile(file); !writable) return writable;
  }
  return options.geometry ? makeWritableFolder(*options.geometry) : Result<void>();
}

Result<std::vector<ExportOutput>> openExports(const DataOutputs& options, const RunWalk& run) {
  return Opener(options, run).open();
}

}  // namespace slipstick::app
