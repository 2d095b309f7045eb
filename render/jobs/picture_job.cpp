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

}  // namespace

Result<PictureReport> makePictures(RunWalk& walk, const PictureRequest& request, const std::stop_token& stop,
                                   const std::function<void(const PictureProgress&)>& onPicture) {
  const Result<OutputFormat> format = checkRequest(request);
  if (!format) return format.error();
  Result<std::unique_ptr<PicturePainter>> painter = PicturePainter::create(request, walk.model());
  if (!painter) return painter.error();
  // Once the renderer works: a file that never got a picture would be left behind otherwise.
  Result<std::unique_ptr<PictureSink>> sink =
      PictureSink::create(request, *format, (*painter)->width(), (*painter)->height());
  if (!sink) return sink.error();
  PictureQueue queue(**sink);
  const std::vector<double> moments = momentsOf(request, *format);
  PictureReport report;
  report.total = moments.size();
  report.notice = (*sink)->notice();
  Job job(walk, **painter, queue, report);

  Result<void> walked = job.meetGhosts(request.ghosts);
  for (std::size_t i = 0; i < moments.size() && walked && report.isWhole; ++i) {
    const Result<std::shared_ptr<const Snapshot>> snapshot = job.goTo(moments[i]);
    if (!snapshot) walked = snapshot.error();
    if (!snapshot) break;
    report.isWhole = !(stop.stop_requested() && (*snapshot)->step < walk.stepAt(moments[i]));
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

}  // namespace slipstick::render
