#include <cmath>

#include "assets/limits.h"
#include "assets/one_line.h"
#include "assets/recording/command_json.h"
#include "assets/recording/recorded_soft_fields.h"
#include "assets/recording/recording_file.h"
#include "assets/recording/recording_format.h"
#include "assets/shipped.h"
#include "engine/compile/method_change.h"
#include "engine/foundation/number_text.h"

namespace slipstick::assets {

using namespace recording;
namespace fs = std::filesystem;

Result<void> RecordingReader::File::endWhereAllIsWhole() {
  struct Reference {
    hdf5::TableReader& table;
    std::size_t field;
    std::uint64_t rows;  ///< that it may refer to
  };
  for (const Reference& r :
       {Reference{steps, steps::ContactEnd, contacts.rows()}, Reference{steps, steps::PairEnd, pairs.rows()},
        Reference{frames, frames::PatchEnd, patches.rows()},
        Reference{keyframes, keyframes::ImpulseEnd, impulses.rows()},
        Reference{keyframes, keyframes::MemoryEnd, memory.rows()}}) {
    const Result<std::uint64_t> whole = r.table.rowsUpTo(r.field, r.rows);
    if (!whole) return whole.error();
    r.table.keep(*whole);
  }
  return {};
}

RecordingReader::RecordingReader() : file_(std::make_unique<File>()) {}
RecordingReader::~RecordingReader() = default;

Result<std::unique_ptr<RecordingReader>> RecordingReader::open(const fs::path& path, LoadProgress* progress,
                                                               std::shared_ptr<const AllMethodRows> methods) {
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    return Error{ErrorCode::FileNotFound, "there is no such recording", path.string(), "check the path"};
  if (Result<void> ok = checkIsFile(path); !ok) return ok.error();
  hdf5::begin();
  std::unique_ptr<RecordingReader> reader(new RecordingReader);
  File& file = *reader->file_;
  file.path = path;
  file.handle = hdf5::openToRead(path);
  if (const auto cut = file.handle.ok() ? std::nullopt : hdf5::howCutOff(path))
    return Error{ErrorCode::SyntaxError, *cut, path.string(), "copy it again from where it is whole"};
  const Result<std::string> format = file.handle.ok() ? hdf5::readText(file.handle.id(), "format")
                                                      : Result<std::string>(file.fault(hdf5::lastError()));
  if (!format || *format != kFormat)
    return Error{ErrorCode::SyntaxError, "this is not a recording of Slipstick", path.string(),
                 "open a file that 'slipstick run --record' has written"};
  if (Result<void> read = reader->readFacts(progress, std::move(methods)); !read) {
    Error error = read.error();
    if (error.where.find(path.filename().string()) == std::string::npos)
      error.where = path.string() + (error.where.empty() ? "" : ", " + error.where);
    return error;
  }
  return reader;
}

Result<std::string> RecordingReader::sceneText() const {
  const Result<std::vector<std::string>> texts = hdf5::readTexts(file_->handle.id(), "scene/yaml");
  if (!texts) return texts.error();
  if (texts->empty()) return file_->fault("it holds no scene");
  return texts->front();
}

Result<void> RecordingReader::readFacts(LoadProgress* progress,
                                        std::shared_ptr<const AllMethodRows> methods) {
  const hid_t root = file_->handle.id();
  const Result<double> version = hdf5::readNumber(root, "version");
  if (!version) return version.error();
  const std::pair<const char*, std::string*> texts[] = {
      {"program", &program_}, {"method", &method_}, {"backend", &backend_}, {"runs_on", &runsOn_}};
  for (const auto& [name, to] : texts) {
    Result<std::string> text = hdf5::readText(root, name);
    if (!text) return text.error();
    *to = oneLine(std::move(*text));
  }
  if (!(*version <= kVersion))
    return Error{ErrorCode::Unsupported,
                 "it is written by " + program_ + " in version " + significant(*version) +
                     " of the format, and this program reads up to version " + std::to_string(kVersion),
                 file_->path.string(), "open it with a newer Slipstick"};
  const Result<double> reproduces = hdf5::readNumber(root, "reproduces");
  if (!reproduces) return reproduces.error();
  reproduces_ = *reproduces != 0;
  const Result<double> first = hdf5::readNumber(root, "first_step"),
                       lattice = hdf5::readNumber(root, "lattice");
  if (!first) return first.error();
  if (!lattice) return lattice.error();
  constexpr double kLargestStep = 1e15;
  if (!(*first >= 0 && *first <= kLargestStep) || !std::isfinite(*lattice))
    return file_->fault("its first step or its lattice is no number that can be");
  firstStep_ = static_cast<std::uint64_t>(*first);
  file_->lattice = Lattice(*lattice);
  Result<TemporaryFolder> folder = TemporaryFolder::create();
  if (!folder) return folder.error();
  file_->folder.emplace(std::move(*folder));
  Result<LoadedModel> loaded = openRecordedScene(root, *file_->folder, progress, std::move(methods));
  if (!loaded) return loaded.error();
  Result<std::shared_ptr<const Model>> model = withMethod(loaded->model, method_);
  if (!model) return model.error();
  model_ = std::move(*model);
  notices_ = std::move(loaded->notices);
  if (Result<void> ok = readSettings(); !ok) return ok;
  return openTables();
}

Result<void> RecordingReader::readSettings() {
  const Result<std::vector<std::string>> texts = hdf5::readTexts(file_->handle.id(), "scene/settings");
  if (!texts) return texts.error();
  inForce_ = std::make_shared<const Tuning>(model_->tuning);
  for (const std::string& text : *texts)
    if (const std::optional<Command> setting = admitted(text))
      inForce_ = tuningAfter({&*setting, 1}, *model_, inForce_);
  tunings_ = {inForce_};
  return {};
}

Result<void> RecordingReader::readSoftFields() {
  const hid_t root = file_->handle.id();
  const Result<std::string> text = H5Aexists(root, kSoftFields) > 0
                                       ? hdf5::readText(root, kSoftFields)
                                       : Result<std::string>(std::string(kSoftFieldsBefore));
  if (!text) return text.error();
  std::optional<std::vector<FieldSpec>> fields = softFieldsOf(*text);
  if (!fields) return file_->fault("it does not say what its keyframes have of soft bodies");
  file_->softFields = std::move(*fields);
  return {};
}

namespace {

/// What the file has of a table's columns that only some methods tell.
ContactColumns columnsIn(hid_t file, const std::string& group) {
  if (H5Lexists(file, group.c_str(), H5P_DEFAULT) <= 0) return {};
  const auto has = [&](const char* column) {
    return H5Lexists(file, (group + "/" + column).c_str(), H5P_DEFAULT) > 0;
  };
  // One is enough: where another of them is missing, the file is damaged.
  return {has(contacts::kSoftSide),
          has(contacts::kLaw) || has(contacts::kLawNumbers) || has(contacts::kIndeterminate)};
}

}  // namespace

Result<void> RecordingReader::openTables() {
  const hid_t root = file_->handle.id();
  const Result<std::vector<std::string>> names = hdf5::readTexts(root, "steps/columns");
  const Result<std::vector<std::string>> units = hdf5::readTexts(root, "steps/units");
  if (!names) return names.error();
  if (!units) return units.error();
  if (names->size() != units->size()) return file_->fault("it has not a unit for each column");
  for (std::size_t i = 0; i < names->size(); ++i)
    columns_.push_back({oneLine((*names)[i]), oneLine((*units)[i])});
  if (Result<void> ok = readSoftFields(); !ok) return ok;
  const Sizes sizes = Sizes::of(*model_, columns_.size(), file_->softFields);
  struct Wanted {
    hdf5::TableReader* table;
    const char* group;
    std::vector<hdf5::Field> fields;
  };
  const Wanted wanted[] = {
      {&file_->steps, steps::kGroup, steps::fields(sizes)},
      {&file_->contacts, contacts::kGroup, contacts::fields(columnsIn(root, contacts::kGroup))},
      {&file_->pairs, recording::pairs::kGroup,
       recording::pairs::fields(columnsIn(root, recording::pairs::kGroup))},
      {&file_->frames, frames::kGroup, frames::fields(sizes)},
      {&file_->commands, commands::kGroup, commands::fields()},
      {&file_->keyframes, keyframes::kGroup, keyframes::fields(sizes)},
      {&file_->impulses, impulses::kGroup, impulses::fields()},
      {&file_->memory, memory::kGroup, memory::fields()}};
  for (const Wanted& w : wanted)
    if (Result<void> ok = w.table->open(root, w.group, w.fields); !ok) return ok;
  Result<PatchReader> patches = PatchReader::open(root);
  if (!patches) return patches.error();
  file_->patches = std::move(*patches);
  if (Result<void> ok = file_->endWhereAllIsWhole(); !ok) return ok;
  file_->stepCount = file_->steps.rows();
  if (file_->stepCount > limits::kRecordedSteps || file_->commands.rows() > limits::kRecordedCommands)
    return file_->fault("it has more steps or commands than are read");
  if (file_->stepCount == 0) return file_->fault("it ended before its first step was written");
  if (Result<void> ok = readFrames(); !ok) return ok;
  return readCommands();
}

Result<void> RecordingReader::readFrames() {
  const std::uint64_t rows = file_->frames.rows();
  Result<std::vector<std::uint64_t>> steps = file_->frames.read<std::uint64_t>(frames::Step, 0, rows);
  Result<std::vector<std::uint8_t>> isWhole = file_->frames.read<std::uint8_t>(frames::IsWhole, 0, rows);
  if (!steps) return steps.error();
  if (!isWhole) return isWhole.error();
  frames_ = std::move(*steps);
  file_->isWhole = std::move(*isWhole);
  while (!frames_.empty() && frames_.back() > lastStep()) frames_.pop_back();
  if (model_->nodeCount() > 0 && (frames_.empty() || file_->isWhole.front() == 0))
    return file_->fault("it has no picture of its start");
  return {};
}

Result<void> RecordingReader::readCommands() {
  const std::uint64_t rows = file_->commands.rows();
  const Result<std::vector<std::uint64_t>> steps =
      file_->commands.read<std::uint64_t>(commands::Step, 0, rows);
  if (!steps) return steps.error();
  constexpr std::uint64_t kRowsAtOnce = 1024;
  constexpr auto kBytes = static_cast<std::ptrdiff_t>(commands::kTextBytes);
  std::string text;
  for (std::uint64_t row = 0; row < rows; row += kRowsAtOnce) {
    const std::uint64_t end = std::min(rows, row + kRowsAtOnce);
    const Result<std::vector<std::uint8_t>> bytes =
        file_->commands.read<std::uint8_t>(commands::Text, row, end);
    if (!bytes) return bytes.error();
    auto part = bytes->begin();
    for (std::uint64_t i = row; i < end && (*steps)[i] < lastStep(); ++i, part += kBytes) {
      text += textIn({part, part + kBytes});
      if (text.size() > limits::kRecordedText) return file_->fault("a command is too long");
      if (std::find(part, part + kBytes, 0) == part + kBytes) continue;  // it goes on in the next row
      addCommand((*steps)[i], std::exchange(text, {}));
    }
  }
  return {};
}

/// For one that is bad the recording is not lost: it is left out and counted, as wherever commands come from.
std::optional<Command> RecordingReader::admitted(const std::string& text) {
  const Result<Command> command = commandOf(text);
  if (!command) {
    ++dropped_.count;
    dropped_.why = shortLine(command.error().message());
    return std::nullopt;
  }
  std::vector<Command> commands = {*command};
  dropBadCommands(commands, *model_, *inForce_, dropped_);
  if (!commands.empty()) return std::move(commands.front());
  dropped_.why = shortLine(dropped_.why);  // a path of a number is any text
  return std::nullopt;
}

void RecordingReader::addCommand(std::uint64_t step, const std::string& text) {
  std::optional<Command> command = admitted(text);
  if (!command) return;
  inForce_ = tuningAfter({&*command, 1}, *model_, inForce_);
  if (std::holds_alternative<SetParameter>(*command)) {
    settings_.push_back(commands_.size());
    if (settings_.size() % kSettingsPerTuning == 0) tunings_.push_back(inForce_);
  }
  commands_.push_back({step, std::move(*command)});
}

}  // namespace slipstick::assets
