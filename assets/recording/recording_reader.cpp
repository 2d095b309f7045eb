#include "assets/recording/recording_reader.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "assets/recording/command_json.h"
#include "assets/recording/recorded_contacts.h"
#include "assets/recording/recording_file.h"
#include "assets/recording/recording_format.h"
#include "engine/foundation/require.h"
#include "engine/runtime/block_codes.h"

namespace slipstick::assets {

using namespace recording;

namespace {

/// Some of the numbers [from, to) that rows end at: the begin and the end of the row.
Result<std::pair<std::uint64_t, std::uint64_t>> rangeOf(const hdf5::TableReader& table, std::size_t field,
                                                        std::uint64_t row, std::uint64_t rows) {
  const Result<std::vector<std::uint64_t>> ends =
      table.read<std::uint64_t>(field, row > 0 ? row - 1 : 0, row + 1);
  if (!ends) return ends.error();
  const std::uint64_t begin = row > 0 ? ends->front() : 0, end = ends->back();
  if (begin > end || end > rows)
    return Error{ErrorCode::SyntaxError, "its parts do not fit together", "",
                 "record again; this file is damaged"};
  return std::pair(begin, end);
}

/// Numbers as entries of another type of equal size.
template <class Entry, class Number>
void assign(const std::vector<Number>& numbers, std::vector<Entry>& entries) {
  static_assert(sizeof(Entry) % sizeof(Number) == 0);
  entries.resize(numbers.size() * sizeof(Number) / sizeof(Entry));
  std::copy(numbers.begin(), numbers.end(), reinterpret_cast<Number*>(entries.data()));
}

/// A number of things out of a file that may say anything.
int countOf(double number) {
  constexpr double kMax = 1e9;
  return number >= 0 && number <= kMax ? static_cast<int>(number) : 0;
}

bool isIn(std::int32_t index, std::size_t count) {
  return index >= 0 && static_cast<std::size_t>(index) < count;
}

/// Whether what a contact names is in the scene.
bool isOf(const Model& model, const ContactSide& side) {
  if (!side.isSoft())
    return isIn(side.body, model.tree.bodies.size()) && isIn(side.geometry, model.geometries.size()) &&
           side.element == -1;
  return side.body == -1 && side.geometry == -1 && isIn(side.deformable, model.deformables.size()) &&
         isIn(side.element, model.nodeCount());
}

/// Whether what a person holds and drives in a state is in the scene.
bool isOf(const Model& model, const State& state) {
  const auto fits = [&](const Command& command) { return check(command, model).ok(); };
  const auto drives = [&](const State::Drive& drive) {
    return fits(DriveJoint{drive.joint, drive.goal}) && std::isfinite(drive.q) && std::isfinite(drive.v);
  };
  const auto leads = [&](const State::Goal& goal) {
    if (!fits(Goal{goal.effector, goal.p, goal.R})) return false;
    const auto& joints = model.effectors[static_cast<std::size_t>(goal.effector)].chain.joints;
    const auto isOfChain = [&](const VecX& numbers) {
      return static_cast<std::size_t>(numbers.size()) == joints.size() && numbers.allFinite();
    };
    return isOfChain(goal.q) && isOfChain(goal.v) && isOfChain(goal.home) &&
           (goal.detour.size() == 0 || isOfChain(goal.detour)) && std::isfinite(goal.closed) &&
           (!goal.grips || fits(Grip{goal.effector, goal.closing}));
  };
  return std::all_of(state.pulls.begin(), state.pulls.end(), fits) &&
         std::all_of(state.twists.begin(), state.twists.end(), fits) &&
         std::all_of(state.drives.begin(), state.drives.end(), drives) &&
         std::all_of(state.goals.begin(), state.goals.end(), leads);
}

/// The contacts of a pair that has a patch are points of it.
void nameThePatchesOf(Snapshot& snapshot) {
  for (Contact& contact : snapshot.contacts) {
    const auto patch =
        std::find_if(snapshot.patches.begin(), snapshot.patches.end(), [&](const PressurePatch& p) {
          return p.geometry == contact.a.geometry && p.otherGeometry == contact.b.geometry;
        });
    if (patch != snapshot.patches.end())
      contact.patch = static_cast<std::int32_t>(patch - snapshot.patches.begin());
  }
}

}  // namespace

std::uint64_t RecordingReader::stepCount() const {
  return file_->stepCount;
}

std::uint64_t RecordingReader::rowOf(std::uint64_t step) const {
  SIM_REQUIRE(step >= firstStep_ && step <= lastStep() + 1, step, firstStep_, lastStep());
  return step - firstStep_;
}

Result<std::vector<double>> RecordingReader::values(std::uint64_t from, std::uint64_t to) const {
  return file_->steps.read<double>(steps::Values, rowOf(from), rowOf(to));
}

Result<std::vector<double>> RecordingReader::column(std::size_t column, std::uint64_t from,
                                                    std::uint64_t to) const {
  return file_->steps.readColumn<double>(steps::Values, column, rowOf(from), rowOf(to));
}

Result<std::vector<std::uint64_t>> RecordingReader::hashes(std::uint64_t from, std::uint64_t to) const {
  return file_->steps.read<std::uint64_t>(steps::Hash, rowOf(from), rowOf(to));
}

Result<std::vector<TimelineMark>> RecordingReader::marks() const {
  const hdf5::TableReader& table = file_->steps;
  const std::uint64_t rows = file_->stepCount;
  const auto counts =
      std::find_if(columns_.begin(), columns_.end(), [](const Column& c) { return c.name == "contacts"; });
  if (counts == columns_.end()) return file_->fault("it does not say how many contacts there are");
  const auto contacts =
      table.readColumn<double>(steps::Values, static_cast<std::size_t>(counts - columns_.begin()), 0, rows);
  const auto hashes = table.read<std::uint64_t>(steps::Hash, 0, rows);
  const auto health = table.read<std::uint32_t>(steps::Health, 0, rows);
  const auto slipping = table.read<std::uint32_t>(steps::Slipping, 0, rows);
  const auto forces = table.read<double>(steps::LargestForce, 0, rows);
  if (!contacts) return contacts.error();
  if (!hashes) return hashes.error();
  if (!health) return health.error();
  if (!slipping) return slipping.error();
  if (!forces) return forces.error();
  std::vector<TimelineMark> marks(rows);
  for (std::uint64_t row = 0; row < rows; ++row) {
    const std::uint64_t step = firstStep_ + row;
    marks[row] = {step,
                  static_cast<double>(step) * model_->time.dt,
                  countOf((*contacts)[row]),
                  countOf((*slipping)[row]),
                  (*health)[row],
                  (*hashes)[row],
                  (*forces)[row]};
  }
  return marks;
}

Result<std::vector<ContactPair>> RecordingReader::pairs() const {
  const auto rows = readPairs(file_->pairs, 0, file_->pairs.rows());
  if (!rows) return rows.error();
  std::vector<ContactPair> pairs;
  for (const ContactPair& pair : *rows)
    if (std::find(pairs.begin(), pairs.end(), pair) == pairs.end()) pairs.push_back(pair);
  return pairs;
}

Result<std::vector<double>> RecordingReader::pairValues(const ContactPair& pair, std::size_t quantity,
                                                        std::uint64_t from, std::uint64_t to) const {
  namespace t = recording::pairs;
  std::vector<double> values(to - from, 0);
  if (from == to) return values;
  const std::uint64_t first = rowOf(from), last = rowOf(to);
  const auto ends = file_->steps.read<std::uint64_t>(steps::PairEnd, first > 0 ? first - 1 : 0, last);
  if (!ends) return ends.error();
  const std::uint64_t begin = first > 0 ? ends->front() : 0, end = ends->back();
  if (begin > end || end > file_->pairs.rows()) return file_->fault("its parts do not fit together");
  const auto pairs = readPairs(file_->pairs, begin, end);
  const auto numbers = file_->pairs.readColumn<double>(t::Values, quantity, begin, end);
  if (!pairs) return pairs.error();
  if (!numbers) return numbers.error();
  std::uint64_t row = begin;
  for (std::uint64_t i = 0; i < values.size(); ++i)
    for (; row < std::min(end, (*ends)[i + (first > 0 ? 1 : 0)]); ++row) {
      const std::size_t k = row - begin;
      if ((*pairs)[k] == pair) values[i] = (*numbers)[k];
    }
  return values;
}

Result<std::vector<Contact>> RecordingReader::contactsAt(std::uint64_t step) const {
  const auto range = rangeOf(file_->steps, steps::ContactEnd, rowOf(step), file_->contacts.rows());
  if (!range) return range.error();
  Result<std::vector<Contact>> contacts = readContacts(file_->contacts, range->first, range->second);
  if (!contacts) {
    Error error = contacts.error();
    error.where = file_->path.string() + ", " + error.where;
    return error;
  }
  for (const Contact& c : *contacts)
    if (!isOf(*model_, c.a) || !isOf(*model_, c.b))
      return file_->fault("a contact is of what its scene does not have");
  return contacts;
}

Result<void> RecordingReader::readFrame(std::size_t frame, Snapshot& snapshot) const {
  const hdf5::TableReader& table = file_->frames;
  const auto rows = rangeOf(table, frames::PatchEnd, frame, file_->patches.rows());
  if (!rows) return rows.error();
  Result<std::vector<PressurePatch>> patches = file_->patches.read(rows->first, rows->second);
  if (!patches) return patches.error();
  for (const PressurePatch& patch : *patches)
    if (!isIn(patch.geometry, model_->geometries.size()) ||
        !isIn(patch.otherGeometry, model_->geometries.size()))
      return file_->fault("a surface of pressure is of what its scene does not have");
  snapshot.patches = std::move(*patches);
  nameThePatchesOf(snapshot);
  if (model_->nodeCount() == 0) return {};
  const auto places = placesOf(frame);
  const auto colors = table.read<std::uint8_t>(frames::Colors, frame, frame + 1);
  const auto ranges = table.read<float>(frames::ColorRanges, frame, frame + 1);
  if (!places) return places.error();
  if (!colors) return colors.error();
  if (!ranges) return ranges.error();
  snapshot.particles = file_->lattice.decode(*places);
  const std::size_t count = places->size(), blocks = codes::blocksOf(count);
  for (std::size_t k = 0; k < frames::kColors.size(); ++k) {
    codes::Colors color;
    const auto code = colors->begin() + static_cast<std::ptrdiff_t>(k * count);
    color.codes.assign(code, code + static_cast<std::ptrdiff_t>(count));
    const auto range = ranges->begin() + static_cast<std::ptrdiff_t>(2 * k * blocks);
    assign(std::vector<float>(range, range + static_cast<std::ptrdiff_t>(2 * blocks)), color.blocks);
    codes::unpack(color, snapshot.*frames::kColors[k]);
  }
  return {};
}

/// From the last whole frame before it on, or from the one that was read last.
Result<std::vector<Lattice::Place>> RecordingReader::placesOf(std::size_t frame) const {
  std::size_t whole = frame;
  while (whole > 0 && file_->isWhole[whole] == 0) --whole;
  std::vector<Lattice::Place> places(model_->nodeCount(), Lattice::Place{});
  std::size_t next = whole;
  {
    const std::lock_guard lock(file_->mutex);
    if (file_->lastFrame && *file_->lastFrame >= whole && *file_->lastFrame <= frame) {
      places = file_->lastPlaces;
      next = *file_->lastFrame + 1;
    }
  }
  for (; next <= frame; ++next) {
    const auto codes = file_->frames.read<std::uint32_t>(frames::Places, next, next + 1);
    if (!codes) return codes.error();
    for (std::size_t i = 0; i < places.size(); ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto before = static_cast<std::uint32_t>(next == whole ? 0 : places[i][axis]);
        places[i][axis] =
            static_cast<std::int32_t>(before + static_cast<std::uint32_t>(unzigzag((*codes)[3 * i + axis])));
      }
  }
  const std::lock_guard lock(file_->mutex);
  file_->lastFrame = frame;
  file_->lastPlaces = places;
  return places;
}

Result<State> RecordingReader::keyframeBefore(std::uint64_t step) const {
  namespace t = keyframes;
  const hdf5::TableReader& table = file_->keyframes;
  const Result<std::vector<std::uint64_t>> steps = table.read<std::uint64_t>(t::Step, 0, table.rows());
  if (!steps) return steps.error();
  const auto after = std::upper_bound(steps->begin(), steps->end(), step);
  if (after == steps->begin()) return file_->fault("it has no state to go on from before this step");
  const auto row = static_cast<std::uint64_t>(after - steps->begin() - 1);
  State state = State::initial(*model_);
  state.step = (*steps)[row];
  state.time = static_cast<double>(state.step) * model_->time.dt;
  const std::pair<t::Field, VecX*> vectors[] = {
      {t::Q, &state.q}, {t::V, &state.v}, {t::ControllerQ, &state.controllerQ}};
  for (const auto& [field, to] : vectors) {
    const auto numbers = table.read<double>(field, row, row + 1);
    if (!numbers) return numbers.error();
    *to = Eigen::Map<const VecX>(numbers->data(), static_cast<Eigen::Index>(numbers->size()));
  }
  if (Result<void> ok = readSoftBodies(row, state.soft); !ok) return ok.error();
  const auto range = rangeOf(table, t::MemoryEnd, row, file_->memory.rows());
  if (!range) return range.error();
  const auto names = file_->memory.read<std::uint8_t>(memory::Name, range->first, range->second);
  const auto values = file_->memory.read<double>(memory::Value, range->first, range->second);
  if (!names) return names.error();
  if (!values) return values.error();
  std::map<std::string, std::vector<double>> remembered;
  std::vector<std::string> order;  // that of the file: the state's hash depends on it
  for (std::size_t i = 0; i < values->size(); ++i) {
    const auto begin = names->begin() + static_cast<std::ptrdiff_t>(i * memory::kNameBytes);
    const std::string name = textIn({begin, begin + static_cast<std::ptrdiff_t>(memory::kNameBytes)});
    std::vector<double>& numbers = remembered[name];
    if (numbers.empty()) order.push_back(name);
    numbers.push_back((*values)[i]);
  }
  state.memory.clear();
  for (const std::string& name : order)
    state.remembered(name) =
        Eigen::Map<const VecX>(remembered[name].data(), static_cast<Eigen::Index>(remembered[name].size()));
  const auto extra = table.read<std::uint8_t>(t::Extra, row, row + 1);
  if (!extra) return extra.error();
  if (Result<void> ok = readGrips(textIn(*extra), state); !ok) return ok.error();
  if (!isOf(*model_, state)) return file_->fault("a state holds or drives what its scene does not have");
  state.tuning = tuningAt(state.step);
  return state;
}

/// As long as nobody sets another number it is the same one.
std::shared_ptr<const Tuning> RecordingReader::tuningAt(std::uint64_t step) const {
  const auto later =
      std::lower_bound(settings_.begin(), settings_.end(), step,
                       [this](std::size_t i, std::uint64_t at) { return commands_[i].step < at; });
  const auto made = static_cast<std::size_t>(later - settings_.begin());
  const std::lock_guard lock(file_->mutex);
  if (file_->tuning == nullptr || file_->settingsMade != made) {
    const std::size_t kept = made / kSettingsPerTuning;
    std::vector<Command> commands;
    for (std::size_t i = kept * kSettingsPerTuning; i < made; ++i)
      commands.push_back(commands_[settings_[i]].command);
    file_->tuning = tuningAfter(commands, *model_, tunings_[kept]);
    file_->settingsMade = made;
  }
  return file_->tuning;
}

Result<void> RecordingReader::readSoftBodies(std::uint64_t row, SoftState& soft) const {
  namespace t = keyframes;
  for (const auto& [field, vectors] : {std::pair(t::X, &soft.x), std::pair(t::Velocity, &soft.v)}) {
    const auto numbers = file_->keyframes.read<double>(field, row, row + 1);
    if (!numbers) return numbers.error();
    assign(*numbers, *vectors);
  }
  for (std::size_t i = 0; i < file_->softFields.size(); ++i) {
    auto numbers = file_->keyframes.read<double>(t::SoftFields + i, row, row + 1);
    if (!numbers) return numbers.error();
    soft.fields.push_back({file_->softFields[i], std::move(*numbers)});
  }
  const auto range = rangeOf(file_->keyframes, t::ImpulseEnd, row, file_->impulses.rows());
  if (!range) return range.error();
  const auto keys = file_->impulses.read<std::int32_t>(impulses::Key, range->first, range->second);
  const auto values = file_->impulses.read<double>(impulses::Impulse, range->first, range->second);
  if (!keys) return keys.error();
  if (!values) return values.error();
  soft.contacts.resize(values->size() / 3);
  for (std::size_t i = 0; i < soft.contacts.size(); ++i)
    if (!isIn((*keys)[2 * i], model_->nodeCount()) || !isIn((*keys)[2 * i + 1], model_->geometries.size()))
      return file_->fault("an impulse is of what its scene does not have");
  for (std::size_t i = 0; i < soft.contacts.size(); ++i)
    soft.contacts[i] = {(*keys)[2 * i], (*keys)[2 * i + 1],
                        Vec3((*values)[3 * i], (*values)[3 * i + 1], (*values)[3 * i + 2])};
  return {};
}

}  // namespace slipstick::assets
