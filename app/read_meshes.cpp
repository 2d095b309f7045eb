// The child that reads meshes. It has nothing to lose: where anything goes wrong it ends, and its parent says why.
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <new>
#include <optional>
#include <string>

#include "app/child_process.h"
#include "app/mesh_child.h"
#include "assets/convex_parts.h"
#include "assets/limits.h"
#include "assets/mesh_reader.h"
#include "engine/foundation/process_memory.h"

namespace slipstick::app {

namespace limits = assets::limits;

namespace {

constexpr int kParent = STDIN_FILENO;  ///< a socket: names come from it, answers go into it

/// Until the next call; never above what the system allows.
void limit(__rlimit_resource resource, rlim_t value) {
  rlimit now{};
  if (getrlimit(resource, &now) != 0) _exit(1);
  now.rlim_cur = std::min(value, now.rlim_max);
  if (setrlimit(resource, &now) != 0) _exit(1);
}

/// For good.
void limitForGood(__rlimit_resource resource, rlim_t value) {
  const rlimit wanted{value, value};
  limit(resource, value);
  if (setrlimit(resource, &wanted) != 0) _exit(1);
}

double secondsOfProcessor() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/// From now on, until the next call: what takes longer is ended by SIGPROF. RLIMIT_CPU knows whole seconds only.
void limitProcessor(double seconds) {
  constexpr double kLeast = 1e-3;  // 0 would be for ever
  double whole = 0;
  const double rest = std::modf(std::max(seconds, kLeast), &whole);
  itimerval timer{};
  timer.it_value = {static_cast<time_t>(whole), static_cast<suseconds_t>(1e6 * rest)};
  if (setitimer(ITIMER_PROF, &timer, nullptr) != 0) _exit(1);
}

/// What a mesh may take grows with the bytes of its files, as they are opened.
class Budget {
 public:
  /// For the next mesh.
  void begin() {
    startMemory_ = processMemory().mapped;
    startSeconds_ = secondsOfProcessor();
    bytes_ = 0;
    grow(0);
  }
  void grow(std::uintmax_t bytes) {
    bytes_ = std::min<std::uintmax_t>(bytes_ + std::min<std::uintmax_t>(bytes, limits::kMeshBytes),
                                      limits::kMeshBytes);
    limit(RLIMIT_AS, startMemory_ + limits::memoryForMesh(bytes_));
    limitTime(limits::secondsForMesh(bytes_));
  }
  /// Splitting takes long however small the mesh is.
  void growToSplit(std::uintmax_t bytes) {
    grow(bytes);
    limitTime(limits::kMeshSecondsMost);
  }

 private:
  /// @param seconds  since begin()
  void limitTime(double seconds) const { limitProcessor(startSeconds_ + seconds - secondsOfProcessor()); }

  rlim_t startMemory_ = 0;
  double startSeconds_ = 0;
  std::uintmax_t bytes_ = 0;
};

/// Nothing of the parent's, no files to write, no core to leave behind.
void enclose() {
  constexpr rlim_t kFiles = limits::kMeshFiles + 16;
  closefrom(STDERR_FILENO + 1);
  // What libraries print must not come between the answers.
  if (!std::freopen("/dev/null", "w", stdout)) _exit(1);
  limitForGood(RLIMIT_NOFILE, kFiles);
  limitForGood(RLIMIT_FSIZE, 0);
  limitForGood(RLIMIT_CORE, 0);
  std::set_new_handler([] { _exit(kOutOfMemory); });
}

bool receiveAll(void* to, std::size_t size) {
  char* at = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t came = recv(kParent, at, size, 0);
    if (came < 0 && errno == EINTR) continue;
    if (came <= 0) return false;
    at += came;
    size -= static_cast<std::size_t>(came);
  }
  return true;
}

struct Request {
  bool isSplit = false;
  std::string bytes;  ///< the name of a mesh, or one to be split
};

/// The next one; none when there are no more.
std::optional<Request> nextRequest() {
  constexpr std::uint32_t kLongest = 1 << 20;
  std::uint32_t length = 0;
  if (!receiveAll(&length, sizeof length)) return std::nullopt;
  Request request{length == kSplitRequest, {}};
  std::uint64_t size = length;
  if (request.isSplit && !receiveAll(&size, sizeof size)) return std::nullopt;
  if (size > (request.isSplit ? limits::kMeshBytes : kLongest)) return std::nullopt;
  request.bytes.resize(size);
  if (!receiveAll(request.bytes.data(), size)) return std::nullopt;
  return request;
}

}  // namespace

int readMeshes() {
  enclose();
  Budget budget;
  while (const std::optional<Request> request = nextRequest()) {
    budget.begin();
    const auto grow = [&](std::uintmax_t bytes) { budget.grow(bytes); };
    if (request->isSplit) budget.growToSplit(request->bytes.size());
    const std::string bytes = request->isSplit
                                  ? assets::answerSplitRequest(request->bytes)
                                  : assets::encoded(assets::readMeshContent(request->bytes, grow));
    const std::uint64_t size = bytes.size();
    if (!sendAll(kParent, &size, sizeof size) || !sendAll(kParent, bytes.data(), bytes.size())) return 1;
  }
  return 0;
}

}  // namespace slipstick::app
