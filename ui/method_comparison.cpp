#include "ui/method_comparison.h"

#include <algorithm>
#include <utility>

#include "engine/compile/compile.h"
#include "engine/model/model.h"
#include "engine/model/tuned_model.h"
#include "ui/method_figure.h"

namespace slipstick::ui {

namespace {

/// Of the figure in the window, and of what it is saved as.
constexpr double kWidth_mm = 180, kDotsPerInch = 220;

}  // namespace

MethodComparison::MethodComparison(std::shared_ptr<const Model> model, Tuning tuning, MakeStepper makeStepper,
                                   Wish wish, QObject* parent)
    : QObject(parent),
      model_(std::move(model)),
      tuning_(std::move(tuning)),
      makeStepper_(std::move(makeStepper)),
      wish_(std::move(wish)) {
  goOn();
}

void MethodComparison::stop() {
  isStopped_ = true;
  simulating_.stop();
}

void MethodComparison::goOn() {
  if (isStopped_ || next_ == wish_.methods.size()) return draw();
  const std::string& method = wish_.methods[next_].name;
  simulating_.start(
      ErrorCode::SimulationFailed, method,
      [this, index = next_](const std::stop_token& stop) { return simulate(index, stop); },
      [this, method](Result<Simulated> simulated) { take(method, std::move(simulated)); });
}

MethodComparison::Progress MethodComparison::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

/// The scene at its start, with the numbers that are in force.
Result<MethodRun> MethodComparison::prepare(const Wish::Method& method, const std::stop_token& stop) const {
  Scene scene = *model_->scene;
  scene.solver.method = method.name;
  if (method.dt != scene.time.dt) scene.time.substeps = 0;  // a number of them belongs to a step
  scene.time.dt = method.dt;
  LoadProgress progress;
  const std::stop_callback onStop(stop, [&progress] { progress.cancel(); });
  const Result<CompiledScene> compiled = compile(scene, {.progress = &progress});
  if (!compiled) return compiled.error();
  std::shared_ptr<const Model> tuned = tunedModel(*compiled->model, tuning_);
  Result<std::unique_ptr<Stepper>> stepper = makeStepper_(tuned);
  if (!stepper) return stepper.error();
  Result<std::unique_ptr<HeadlessRun>> run = HeadlessRun::of(std::move(tuned), std::move(*stepper));
  if (!run) return run.error();
  return methodRunOf(method.name, std::move(*run));
}

Result<MethodComparison::Simulated> MethodComparison::simulate(std::size_t method,
                                                               const std::stop_token& stop) {
  Result<MethodRun> run = prepare(wish_.methods[method], stop);
  if (!run) return run.error();
  const auto onStep = [&] {
    const std::lock_guard lock(mutex_);
    const double time = run->run->snapshot().time;
    progress_ = {method, time, wish_.duration * static_cast<double>(method) + time};
    return !stop.stop_requested();
  };
  runMethod(*run, wish_.duration, wish_.moments, onStep, stop);
  Simulated simulated{std::move(*run), std::nullopt};
  if (simulated.run.pictures.empty()) return simulated;
  MethodRun& drawn = simulated.drawn.emplace();
  drawn.name = simulated.run.name;
  drawn.method = simulated.run.method;
  drawn.tally = simulated.run.tally;
  drawn.pictures = simulated.run.pictures;
  return simulated;
}

void MethodComparison::take(const std::string& method, Result<Simulated> simulated) {
  const auto blame = [&](Error error) {
    error.where = method + ", " + error.where;
    errors_.push_back(std::move(error));
  };
  if (!simulated) {
    blame(simulated.error());
  } else {
    if (!simulated->run.outcome) blame(simulated->run.outcome.error());
    runs_.push_back(std::move(simulated->run));
    if (simulated->drawn) drawn_.push_back(std::move(*simulated->drawn));
  }
  ++next_;
  Q_EMIT changed();
  goOn();
}

void MethodComparison::draw() {
  {
    const std::lock_guard lock(mutex_);
    const auto methods = static_cast<double>(wish_.methods.size());
    progress_ = {wish_.methods.size(), wish_.duration, wish_.duration * methods};
  }
  if (drawn_.empty()) return finish();
  render::PictureRequest request = methodPictures(kDotsPerInch);
  request.cameras = {wish_.camera};
  const auto work = [drawn = std::make_shared<const std::vector<MethodRun>>(std::move(drawn_)),
                     request](const std::stop_token&) -> Result<Figure> {
    return methodFigure(*drawn, request, kWidth_mm, kDotsPerInch, {});
  };
  drawing_.start(ErrorCode::SimulationFailed, "figure", work, [this](Result<Figure> figure) {
    if (figure)
      figure_ = std::move(*figure);
    else
      errors_.push_back(figure.error());
    finish();
  });
}

void MethodComparison::finish() {
  done_ = true;
  Q_EMIT changed();
}

}  // namespace slipstick::ui
