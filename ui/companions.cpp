#include "ui/companions.h"

#include <algorithm>
#include <utility>

#include "engine/model/parameters.h"
#include "ui/companion_numbers.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

constexpr int kPollPeriod_ms = 50;
/// The first hue is that of the second curve of many plots.
constexpr int kFirstHue = 1;

/// Whether the numbers can be in force in a scene.
Result<void> checkNumbers(const std::vector<SetParameter>& numbers, const Model& model) {
  Tuning tuning = model.tuning;
  for (const SetParameter& number : numbers)
    if (Result<void> set = setParameter(model, number.path, number.value, tuning); !set) return set;
  return {};
}

}  // namespace

Companions::Companions(const StudioServices& services, OpenRun& run, const MethodAdvice& methods,
                       NumberEditor& numbers, Transport& transport, Messages& messages)
    : services_(services),
      run_(run),
      methods_(methods),
      numbers_(numbers),
      transport_(transport),
      messages_(messages) {
  timer_.setInterval(kPollPeriod_ms);
  connect(&timer_, &QTimer::timeout, this, &Companions::poll);
}

/// All of them end while the first one is waited for.
Companions::~Companions() {
  for (const Entry& entry : entries_) entry.run->stop();
}

const Companions::Entry* Companions::find(std::uint64_t id) const {
  const auto found =
      std::find_if(entries_.begin(), entries_.end(), [id](const Entry& entry) { return entry.id == id; });
  return found == entries_.end() ? nullptr : &*found;
}

Companions::Entry* Companions::entry(std::uint64_t id) {
  return const_cast<Entry*>(std::as_const(*this).find(id));
}

// ---- which there are

std::string Companions::usualMethod() const {
  const std::string live = run_.newestModel()->solver.method;
  const auto isAnother = [&](const StudioServices::Method& method) {
    return method.name != live && methods_.obstacle(method.name).isEmpty();
  };
  const auto& all = services_.methods;
  const auto another = std::find_if(all.begin(), all.end(), isAnother);
  return another == all.end() ? live : another->name;
}

QString Companions::freeName(const QString& wanted, std::uint64_t except) const {
  const auto isTaken = [&](const QString& name) {
    return std::any_of(entries_.begin(), entries_.end(),
                       [&](const Entry& other) { return other.id != except && other.name == name; });
  };
  QString name = wanted;
  for (int copy = 2; isTaken(name); ++copy) name = QString("%1 %2").arg(wanted).arg(copy);
  return name;
}

int Companions::freeHue() const {
  int hue = kFirstHue;
  while (std::any_of(entries_.begin(), entries_.end(), [hue](const Entry& e) { return e.hue == hue; })) ++hue;
  return hue;
}

void Companions::add() {
  if (!canAdd()) return;
  Entry fresh;
  fresh.id = nextId_++;
  fresh.hue = freeHue();
  fresh.settings.method = usualMethod();
  begin(fresh);
  entries_.push_back(std::move(fresh));
  timer_.start();
  Q_EMIT changed();
}

/// With its settings as they are now, from the start on.
void Companions::begin(Entry& entry) {
  if (!entry.isNamed) {
    const QString method = toQString(entry.settings.method);
    entry.name = freeName(method.isEmpty() ? tr("companion") : method, entry.id);
  }
  entry.settings.name = entry.name.toStdString();
  retire(std::move(entry.run));
  entry.run = std::make_shared<Companion>(
      run_.simulation().record(), entry.settings,
      services_.makeBesideStepper ? services_.makeBesideStepper : services_.makeStepper);
  entry.status = {};
}

void Companions::rename(std::uint64_t id, const QString& name) {
  Entry* const named = entry(id);
  if (!named || name.trimmed() == named->name) return;
  named->isNamed = !name.trimmed().isEmpty();
  const QString wanted = named->isNamed ? name.trimmed() : toQString(named->settings.method);
  named->name = freeName(wanted, id);
  named->settings.name = named->name.toStdString();
  Q_EMIT changed();
}

void Companions::chooseMethod(std::uint64_t id, const std::string& method) {
  Entry* const changing = entry(id);
  if (!changing || method == changing->settings.method) return;
  if (const QString why = methods_.obstacle(method); !why.isEmpty()) {
    messages_.tell(LogLevel::Warning, why);
  } else {
    changing->settings.method = method;
    begin(*changing);
  }
  Q_EMIT changed();
}

bool Companions::setNumbers(std::uint64_t id, const QString& text) {
  Entry* const changing = entry(id);
  if (!changing || text.trimmed() == changing->numbers) return changing != nullptr;
  Result<std::vector<SetParameter>> numbers = numbersIn(text);
  const Result<void> checked = numbers ? checkNumbers(*numbers, *run_.newestModel()) : numbers.error();
  if (!checked) {
    Q_EMIT messages_.failed(checked.error());
    return false;
  }
  changing->numbers = text.trimmed();
  changing->settings.numbers = *std::move(numbers);
  begin(*changing);
  Q_EMIT changed();
  return true;
}

void Companions::remove(std::uint64_t id) {
  Entry* const gone = entry(id);
  if (!gone) return;
  retire(std::move(gone->run));
  std::erase_if(entries_, [id](const Entry& e) { return e.id == id; });
  if (entries_.empty()) timer_.stop();
  Q_EMIT changed();
}

void Companions::clear() {
  for (Entry& gone : entries_) retire(std::move(gone.run));
  entries_.clear();
  timer_.stop();
}

/// Ends it beside the window: who reads it may hold it for a while, too.
void Companions::retire(std::shared_ptr<Companion> companion) {
  if (!companion) return;
  companion->stop();
  retiring_ =
      std::jthread([before = std::move(retiring_), old = std::move(companion)]() mutable { old.reset(); });
}

void Companions::takeOver(std::uint64_t id) {
  Entry* const taken = entry(id);
  if (!taken || taken->status.isOver) return;
  Result<BesideState> state = taken->run->end();
  if (!state) {
    Q_EMIT messages_.failed(state.error());
    return;
  }
  state->name = taken->settings.name;
  transport_.goOnAs(*std::move(state));
  // They are in force there already; what the inspector shows are they, too.
  for (const SetParameter& number : taken->settings.numbers)
    numbers_.applyParameter(number.path, number.value);
  taken->status = taken->run->status();
  messages_.tell(LogLevel::Info,
                 tr("The simulation goes on as %1; what it was before stays, as a branch").arg(taken->name));
  Q_EMIT changed();
}

// ---- what they have come to

void Companions::poll() {
  bool isNews = false;
  for (Entry& entry : entries_) {
    const CompanionStatus before = std::exchange(entry.status, entry.run->status());
    if (entry.status == before) continue;
    isNews = true;
    tellNews(entry, before);
  }
  if (isNews) Q_EMIT stepped();
}

void Companions::tellNews(const Entry& entry, const CompanionStatus& before) {
  const CompanionStatus& now = entry.status;
  const auto tell = [&](LogLevel level, const std::string& words) {
    messages_.tell(level, entry.name + ": " + QString::fromStdString(words));
  };
  if (now.error != before.error && !now.error.empty()) tell(LogLevel::Warning, now.error);
  if (now.notice != before.notice && !now.notice.empty()) tell(LogLevel::Info, now.notice);
  if (now.dropped.count > 0 && before.dropped.count == 0) tell(LogLevel::Warning, now.dropped.why);
}

}  // namespace slipstick::ui
