#include "ui/method_advice.h"

#include <algorithm>

#include "engine/model/assumed_mass.h"
#include "engine/model/method_choice.h"
#include "engine/model/tuned_model.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

/// Numbers that are dragged are looked at once they have rested for this long.
constexpr int kNumbersRest_ms = 300;

}  // namespace

MethodAdvice::MethodAdvice(const StudioServices& services, OpenRun& run, const ShownMoment& moment,
                           const NumberEditor& numbers, Transport& transport, Messages& messages)
    : services_(services),
      run_(run),
      moment_(moment),
      numbers_(numbers),
      transport_(transport),
      messages_(messages) {
  timer_.setSingleShot(true);
  timer_.setInterval(kNumbersRest_ms);
  connect(&timer_, &QTimer::timeout, this, [this] { look(false); });
  connect(&numbers_, &NumberEditor::applied, this, &MethodAdvice::lookSoon);
}

void MethodAdvice::begin(const std::vector<Notice>& notices) {
  notices_ = notices;
  look(true);
}

QString MethodAdvice::method() const {
  if (!run_.isOpen() || services_.methods.empty()) return {};
  const std::string& named = run_.newestModel()->solver.method;
  return QString::fromStdString(named.empty() ? services_.methods.front().name : named);
}

QString MethodAdvice::obstacle(const std::string& method) const {
  if (!run_.isOpen()) return tr("no scene is open");
  if (!run_.newestModel()->scene) return tr("its scene is not known");
  for (const StudioServices::Method& known : services_.methods)
    if (known.name == method)
      for (const Error& obstacle : known.obstacles(*run_.newestModel()))
        return QString::fromStdString(obstacle.message());
  return {};
}

void MethodAdvice::choose(const std::string& method) {
  if (!run_.isOpen()) return;
  // What auto has come to steps the scene, but the scene does not name it.
  const std::shared_ptr<const Scene> scene = run_.newestModel()->scene;
  const bool isNamed = scene && scene->solver.method == method;
  if (isNamed && QString::fromStdString(method) == this->method()) return;
  if (const QString why = obstacle(method); !why.isEmpty()) return messages_.tell(LogLevel::Warning, why);
  Scene named = *scene;
  named.solver.method = method;
  transport_.startOver(std::move(named), QString::fromStdString(method), nullptr);
  messages_.tell(LogLevel::Info,
                 tr("Starts over under the method %1; what was simulated stays as a branch, whose ghosts and "
                    "curves can be laid over it")
                     .arg(QString::fromStdString(method)));
}

// What decides it may have changed: contact, a number, what the scene holds. A run goes on as it is; another method is
// offered.
void MethodAdvice::look(bool atOpening) {
  if (!run_.isOpen()) return;
  std::shared_ptr<const Model> model = run_.newestModel();
  const Tuning& tuning = numbers_.tuning();
  if (model == moment_.model() && hashOf(tuning) != hashOf(model->tuning)) model = tunedModel(*model, tuning);
  const FrozenMotion worst = worstFrozenMotion(*model);
  const std::vector<char> assumed = assumedMasses(*model, notices_);
  const std::string method = this->method().toStdString();
  if (atOpening && isChosenFor(*model) && worst.body >= 0)
    messages_.tell(LogLevel::Info,
                   tr("stepped by %1").arg(toQString(choiceInWords(*model, worst, method, assumed))));
  tellNotes(*model, method, atOpening);
  const QString warning = toQString(frozenWarning(*model, worst, method, assumed).value_or(std::string()));
  if (warning == warning_ && !atOpening) return;
  warning_ = warning;
  if (!warning.isEmpty()) messages_.tell(LogLevel::Warning, warning);
  if (warning.isEmpty() || (canCouple() && !(atOpening && isKnown(*model))))
    Q_EMIT offered(std::string(kCoupledMethod), warning);
  Q_EMIT run_.statusChanged();
}

/// Says what the method ignores of the scene, at opening or once that changes.
void MethodAdvice::tellNotes(const Model& model, const std::string& method, bool atOpening) {
  std::vector<std::string> notes;
  for (const StudioServices::Method& known : services_.methods)
    if (known.name == method && known.notes) notes = known.notes(model);
  if (notes != notes_ || atOpening)
    for (const std::string& note : notes) messages_.tell(LogLevel::Warning, QString::fromStdString(note));
  notes_ = std::move(notes);
}

/// Who made a shipped scene has looked at what it does.
bool MethodAdvice::isKnown(const Model& model) const {
  const auto& shipped = services_.shippedScenes;
  return run_.stored() || std::any_of(shipped.begin(), shipped.end(),
                                      [&](const auto& scene) { return scene.file == model.file; });
}

bool MethodAdvice::canCouple() const {
  const std::string coupled(kCoupledMethod);
  const auto& methods = services_.methods;
  return std::any_of(methods.begin(), methods.end(), [&](const auto& m) { return m.name == coupled; }) &&
         obstacle(coupled).isEmpty();
}

}  // namespace slipstick::ui
