#include "app/child_process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

extern char** environ;

namespace slipstick::app {

bool sendAll(int socket, const void* data, std::size_t size) {
  const char* at = static_cast<const char*>(data);
  while (size > 0) {
    const ssize_t taken = ::send(socket, at, size, MSG_NOSIGNAL);
    if (taken < 0 && errno == EINTR) continue;
    if (taken <= 0) return false;
    at += taken;
    size -= static_cast<std::size_t>(taken);
  }
  return true;
}

Result<ChildProcess> ChildProcess::start(const std::string& program,
                                         const std::vector<std::string>& arguments, Errors errors) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    return Error{ErrorCode::SimulationFailed, std::strerror(errno), program, "close some programs"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  if (errors == Errors::Nowhere)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> words = {const_cast<char*>(program.c_str())};
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ChildProcess child;
  const int failure =
      posix_spawn(&child.process_, program.c_str(), &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  child.socket_ = ends[0];
  if (failure == 0) return child;
  child.process_ = -1;
  return Error{ErrorCode::FileUnreadable, std::string("cannot be started: ") + std::strerror(failure),
               program, "name a program, as in ./old/slipstick"};
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : process_(std::exchange(other.process_, -1)), socket_(std::exchange(other.socket_, -1)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  std::swap(process_, other.process_);
  std::swap(socket_, other.socket_);
  return *this;
}

ChildProcess::~ChildProcess() {
  if (socket_ >= 0) close(socket_);
  wait();
}

bool ChildProcess::send(const void* data, std::size_t size) const {
  return sendAll(socket_, data, size);
}

void ChildProcess::kill() const {
  if (process_ > 0) ::kill(process_, SIGKILL);
}

int ChildProcess::wait() {
  int status = 0;
  if (process_ > 0)
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
  process_ = -1;
  return status;
}

}  // namespace slipstick::app
