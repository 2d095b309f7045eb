#include "ui/method_comparison.h"

#include <algorithm>
#include <utility>

#include "engine/foundation/guarded.h"
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
      wish_(std::move(wish)),
      thread_([this](const std::stop_token& stop) { work(stop); }) {}

MethodComparison::~MethodComparison() {
  stop();
  thread_.join();
}

void MethodComparison::stop() {
  thread_.request_stop();
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

void MethodComparison::work(const std::stop_token& stop) {
  std::vector<MethodRun> drawn;  // what the figure needs of them
  for (std::size_t i = 0; i < wish_.methods.size() && !stop.stop_requested(); ++i) {
    const Wish::Method& method = wish_.methods[i];
    Result<MethodRun> run = guarded(ErrorCode::SimulationFailed, method.name, [&]() -> Result<MethodRun> {
      Result<MethodRun> prepared = prepare(method, stop);
      if (!prepared) return prepared;
      const auto onStep = [&] {
        const std::lock_guard lock(mutex_);
        const double time = prepared->run->snapshot().time;
        progress_ = {i, time, wish_.duration * static_cast<double>(i) + time};
        return !stop.stop_requested();
      };
      runMethod(*prepared, wish_.duration, wish_.moments, onStep, stop);
      return prepared;
    });
    if (run && !run->pictures.empty()) {
      MethodRun copy;
      copy.name = run->name;
      copy.method = run->method;
      copy.tally = run->tally;
      copy.pictures = run->pictures;
      drawn.push_back(std::move(copy));
    }
    auto handed = std::make_shared<Result<MethodRun>>(std::move(run));
    QMetaObject::invokeMethod(
        this, [this, handed, name = method.name] { take(name, std::move(*handed)); }, Qt::QueuedConnection);
  }
  {
    const std::lock_guard lock(mutex_);
    const auto methods = static_cast<double>(wish_.methods.size());
    progress_ = {wish_.methods.size(), wish_.duration, wish_.duration * methods};
  }
  std::shared_ptr<Result<Figure>> figure;
  if (!drawn.empty()) {
    render::PictureRequest request = methodPictures(kDotsPerInch);
    request.cameras = {wish_.camera};
    figure = std::make_shared<Result<Figure>>(guarded(ErrorCode::SimulationFailed, "figure", [&] {
      return methodFigure(drawn, request, kWidth_mm, kDotsPerInch, {});
    }));
  }
  QMetaObject::invokeMethod(
      this,
      [this, figure] {
        if (figure && *figure)
          figure_ = std::move(**figure);
        else if (figure)
          errors_.push_back(figure->error());
        done_ = true;
        Q_EMIT changed();
      },
      Qt::QueuedConnection);
}

void MethodComparison::take(const std::string& method, Result<MethodRun> run) {
  const auto blame = [&](Error error) {
    error.where = method + ", " + error.where;
    errors_.push_back(std::move(error));
  };
  if (!run) {
    blame(run.error());
  } else {
    if (!run->outcome) blame(run->outcome.error());
    runs_.push_back(std::move(*run));
  }
  Q_EMIT changed();
}

}  // namespace slipstick::ui
