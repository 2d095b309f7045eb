#include "assets/xacro.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "assets/limits.h"
#include "assets/one_line.h"
#include "assets/shipped.h"
#include "assets/xml_text.h"

namespace slipstick::assets {
namespace {

constexpr std::size_t kLargestText = std::size_t{4} << 20,
                      kLargestComplaint = std::size_t{64} << 10;  // [bytes]
constexpr std::chrono::seconds kPatience{20};
constexpr int kPollInterval_ms = 50;

thread_local bool allowed = false;

using Clock = std::chrono::steady_clock;

/// Both ends of a pipe, closed with it.
class Pipe {
 public:
  Pipe() { open_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
  ~Pipe() {
    closeEnd(0);
    closeEnd(1);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  bool isOpen() const { return open_; }
  int end(std::size_t which) const { return ends_[which]; }
  void closeEnd(std::size_t which) {
    if (ends_[which] >= 0) ::close(ends_[which]);
    ends_[which] = -1;
  }

 private:
  std::array<int, 2> ends_ = {-1, -1};
  bool open_ = false;
};

/// A program that runs, whose output is read until it ends, writes too much, or takes too long.
class Expansion {
 public:
  Expansion(const std::filesystem::path& file, LoadProgress* progress) : file_(file), progress_(progress) {}
  ~Expansion() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Expansion(const Expansion&) = delete;
  Expansion& operator=(const Expansion&) = delete;

  Result<std::string> run() {
    if (Result<void> started = start(); !started) return started.error();
    const auto deadline = Clock::now() + kPatience;
    while (output_.end(0) >= 0 || errors_.end(0) >= 0) {
      if (isCancelled(progress_)) return cancelledLoad(file_.string());
      if (Clock::now() > deadline) return fault("xacro took more than 20 s", "check the file's conditions");
      std::array<pollfd, 2> waiting = {pollfd{output_.end(0), POLLIN, 0}, pollfd{errors_.end(0), POLLIN, 0}};
      if (::poll(waiting.data(), waiting.size(), kPollInterval_ms) < 0 && errno != EINTR) break;
      if (waiting[0].revents != 0 && !take(output_, text_, kLargestText))
        return fault("xacro writes more than 4 MiB, which no robot needs", "check the file's macros");
      if (waiting[1].revents != 0) (void)take(errors_, complaint_, kLargestComplaint);
    }
    return finish();
  }

 private:
  Result<void> start() {
    if (!output_.isOpen() || !errors_.isOpen()) return fault("no pipe can be opened", "close other programs");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output_.end(1), STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors_.end(1), STDERR_FILENO);
    std::string program = "xacro", name = std::filesystem::absolute(file_).string();
    std::array<char*, 3> arguments = {program.data(), name.data(), nullptr};
    const int failed = ::posix_spawnp(&process_, "xacro", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    output_.closeEnd(1);
    errors_.closeEnd(1);
    if (failed == 0) return {};
    process_ = -1;
    return fault(
        std::string("the program xacro cannot be run: ") + std::strerror(failed),
        "install it (pip install xacro, or ROS), or expand the file elsewhere: xacro FILE > robot.urdf");
  }

  /// @return false: too much has come
  static bool take(Pipe& pipe, std::string& text, std::size_t most) {
    std::array<char, 16384> buffer;
    const ssize_t count = ::read(pipe.end(0), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) return true;
    if (count <= 0) {
      pipe.closeEnd(0);
      return true;
    }
    if (text.size() + static_cast<std::size_t>(count) > most) return false;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
  }

  Result<std::string> finish() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = -1;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return std::move(text_);
    const std::string said = complaint_.substr(complaint_.size() > 600 ? complaint_.size() - 600 : 0);
    return fault("xacro cannot expand it: " + (said.empty() ? "it says nothing" : said),
                 "correct the file, or run xacro on it by hand");
  }

  Error fault(const std::string& what, const std::string& remedy) const {
    return {ErrorCode::SyntaxError, oneLine(what), oneLine(file_.string()), remedy};
  }

  const std::filesystem::path& file_;
  LoadProgress* progress_;
  Pipe output_, errors_;
  pid_t process_ = -1;
  std::string text_, complaint_;
};

}  // namespace

XacroMayRun::XacroMayRun(bool now) : before_(allowed) {
  allowed = now;
}

XacroMayRun::~XacroMayRun() {
  allowed = before_;
}

bool mayRunXacro() {
  return allowed;
}

Result<std::string> readRobotXml(const std::filesystem::path& file, LoadProgress* progress) {
  Result<std::string> text = readTextFile(file, limits::kXmlBytes);
  if (!text || !isXacro(file, *text)) return text;
  if (allowed) return expandXacro(file, progress);
  if (file.extension() == ".xacro") return xacroRefused(file, 0);
  return text;
}

Result<std::string> expandXacro(const std::filesystem::path& file, LoadProgress* progress) {
  if (progress) progress->say("expanding " + file.filename().string(), -1);
  return Expansion(file, progress).run();
}

}  // namespace slipstick::assets
