// Work beside the window's thread, whose result comes back to it.
#pragma once

#include <QMetaObject>
#include <QObject>
#include <algorithm>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/foundation/guarded.h"
#include "engine/foundation/result.h"

namespace slipstick::ui {

/// Jobs that are done one after the other, in the order in which they were begun, on threads of their own. All functions
/// are for the thread that made the object, which needs an event loop: it is where the results arrive.
template <class T>
class Beside {
 public:
  /// Once `stop` says so nobody waits for more than an early end. What it throws becomes an Error.
  using Work = std::function<Result<T>(const std::stop_token& stop)>;
  using Then = std::function<void(Result<T> result)>;

  Beside() = default;
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  /// Cancels the jobs, and waits until they have ended.
  ~Beside() { cancel(); }

  /// Work that was stopped before its turn is called all the same, and sees it by its token.
  /// @param code, where  of an Error for what the work throws
  /// @param then         called with the result, unless the job was cancelled
  void start(ErrorCode code, const std::string& where, Work work, Then then) {
    std::stop_source stop;
    jobs_.push_back(stop);
    thread_ = std::jthread([this, code, where, stop, work = std::move(work), then = std::move(then),
                            before = std::move(thread_)]() mutable {
      if (before.joinable()) before.join();
      // What is posted must be copyable, so a result that is not travels in a shared box.
      auto box = std::make_shared<Result<T>>(guarded(code, where, [&] { return work(stop.get_token()); }));
      work = {};  // what it holds goes before anybody hears that it has ended
      QMetaObject::invokeMethod(
          &receiver_, [this, stop, box, then = std::move(then)] { finish(stop, std::move(*box), then); },
          Qt::QueuedConnection);
    });
  }

  /// There are jobs whose results are still to come.
  bool isRunning() const { return !jobs_.empty(); }
  /// Asks all jobs to end early. Their results still come.
  void stop() {
    for (std::stop_source& job : jobs_) job.request_stop();
  }
  /// The same, and their results do not come any more. What is begun afterwards waits until they have ended.
  void cancel() {
    stop();
    jobs_.clear();
  }

 private:
  void finish(const std::stop_source& job, Result<T> result, const Then& then) {
    if (std::erase(jobs_, job) > 0) then(std::move(result));
  }

  QObject receiver_;                    ///< what is posted to it goes with it
  std::vector<std::stop_source> jobs_;  ///< that are not cancelled, oldest first
  std::jthread thread_;                 ///< of the last job; it ends after those before it
};

}  // namespace slipstick::ui
