#include "render/jobs/picture_job.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>

#include "render/jobs/picture_painter.h"
#include "render/jobs/picture_queue.h"
#include "render/jobs/picture_sink.h"

namespace slipstick::render {
namespace {

using Clock = std::chrono::steady_clock;

/// Adds to `seconds` what `work` takes.
template <class Work>
auto timed(double& seconds, const Work& work) {
  const Clock::time_point start = Clock::now();
  auto result = work();
  seconds += std::chrono::duration<double>(Clock::now() - start).count();
  return result;
}

/// One job under way.
class Job {
 public:
  Job(RunWalk& walk, PicturePainter& painter, PictureQueue& queue, PictureReport& report)
      : walk_(walk), painter_(painter), queue_(queue), report_(report) {}

  Result<void> meetGhosts(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    std::vector<std::shared_ptr<const Snapshot>> ghosts;
    for (const double time : times) {
      Result<std::shared_ptr<const Snapshot>> ghost = goTo(time);
      if (!ghost) return ghost.error();
      ghosts.push_back(*ghost);
    }
    painter_.setGhosts(std::move(ghosts));
    return {};
  }

  std::uint64_t stepAt(double time) const { return walk_.stepAt(time); }

  Result<std::shared_ptr<const Snapshot>> goTo(double time) {
    return timed(report_.times.walk, [&] { return walk_.goTo(walk_.stepAt(time)); });
  }

  Result<void> add(const std::shared_ptr<const Snapshot>& snapshot) {
    Image image = painter_.paint({snapshot, walk_.largestForce(), report_.done, report_.total});
    report_.times.build += painter_.buildSeconds();
    report_.times.draw += painter_.drawTimes().draw;
    report_.times.read += painter_.drawTimes().read;
    const Result<void> added = timed(report_.times.wait, [&] { return queue_.add(std::move(image)); });
    if (!added) return added.error();
    ++report_.done;
    report_.reached = snapshot->time;
    report_.wall = std::chrono::duration<double>(Clock::now() - start_).count();
    report_.times.encode = queue_.seconds();
    return {};
  }

  Result<void> finish() {
    const Result<void> finished = timed(report_.times.wait, [&] { return queue_.finish(); });
    report_.wall = std::chrono::duration<double>(Clock::now() - start_).count();
    report_.times.encode = queue_.seconds();
    return finished;
  }

 private:
  RunWalk& walk_;
  PicturePainter& painter_;
  PictureQueue& queue_;
  PictureReport& report_;
  Clock::time_point start_ = Clock::now();
};

/// Leaves pictures in memory.
class Kept final : public PictureSink {
 public:
  explicit Kept(std::vector<Image>& pictures) : pictures_(pictures) {}
  Result<void> add(Image image) override {
    pictures_.push_back(std::move(image));
    return {};
  }
  Result<void> finish() override { return {}; }

 private:
  std::vector<Image>& pictures_;
};

using OnPicture = std::function<void(const PictureProgress&)>;

/// One after the other, until it is stopped, or the run fails.
Result<PictureReport> draw(Job& job, PictureReport& report, const std::vector<double>& moments,
                           const std::stop_token& stop, const OnPicture& onPicture) {
  Result<void> walked;
  for (std::size_t i = 0; i < moments.size() && report.isWhole; ++i) {
    const Result<std::shared_ptr<const Snapshot>> snapshot = job.goTo(moments[i]);
    if (!snapshot) walked = snapshot.error();
    if (!snapshot) break;
    report.isWhole = !(stop.stop_requested() && (*snapshot)->step < job.stepAt(moments[i]));
    if (!report.isWhole && report.done > 0) break;
    if (const Result<void> added = job.add(*snapshot); !added) return added.error();
    if (onPicture) onPicture(report);
    if (stop.stop_requested() && i + 1 < moments.size()) report.isWhole = false;
  }
  if (report.done == 0) return walked.error();
  if (const Result<void> finished = job.finish(); !finished) return finished.error();
  if (!walked) return walked.error();
  return report;
}

/// What pictures of a request are drawn with, and go to.
struct Tools {
  PicturePainter& painter;
  PictureSink& sink;
};

Result<PictureReport> make(RunWalk& walk, const PictureRequest& request, OutputFormat format, Tools tools,
                           const std::stop_token& stop, const OnPicture& onPicture) {
  const std::vector<double> moments = momentsOf(request, format);
  PictureQueue queue(tools.sink);
  PictureReport report;
  report.total = moments.size();
  report.notice = tools.sink.notice();
  Job job(walk, tools.painter, queue, report);
  if (const Result<void> met = job.meetGhosts(request.ghosts); !met) return met.error();
  return draw(job, report, moments, stop, onPicture);
}

}  // namespace

Result<PictureReport> makePictures(RunWalk& walk, const PictureRequest& request, const std::stop_token& stop,
                                   const OnPicture& onPicture) {
  const Result<OutputFormat> format = checkRequest(request);
  if (!format) return format.error();
  Result<std::unique_ptr<PicturePainter>> painter = PicturePainter::create(request, walk.model());
  if (!painter) return painter.error();
  // Once the renderer works: a file that never got a picture would be left behind otherwise.
  Result<std::unique_ptr<PictureSink>> sink =
      PictureSink::create(request, *format, (*painter)->width(), (*painter)->height());
  if (!sink) return sink.error();
  return make(walk, request, *format, {**painter, **sink}, stop, onPicture);
}

Result<PictureReport> drawStills(RunWalk& walk, const PictureRequest& request, std::vector<Image>& stills,
                                 const std::stop_token& stop, const OnPicture& onPicture) {
  if (const Result<void> checked = checkStills(request); !checked) return checked.error();
  Result<std::unique_ptr<PicturePainter>> painter = PicturePainter::create(request, walk.model());
  if (!painter) return painter.error();
  Kept sink(stills);
  return make(walk, request, OutputFormat::Png, {**painter, sink}, stop, onPicture);
}

}  // namespace slipstick::render
