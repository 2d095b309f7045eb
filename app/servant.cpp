#include "app/servant.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <utility>

extern char** environ;

namespace slipstick::app {

Result<Servant> Servant::start(const std::string& program, const std::vector<std::string>& arguments) {
  // A servant that has ended must show as a missing answer, not end us.
  std::signal(SIGPIPE, SIG_IGN);
  std::array<int, 2> toServant{}, fromServant{};
  if (pipe2(toServant.data(), O_CLOEXEC) != 0 || pipe2(fromServant.data(), O_CLOEXEC) != 0)
    return Error{ErrorCode::SimulationFailed, std::strerror(errno), program, "close some programs"};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, toServant[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fromServant[1], STDOUT_FILENO);
  std::vector<char*> words = {const_cast<char*>(program.c_str())};
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  Servant servant;
  const int failure =
      posix_spawn(&servant.process_, program.c_str(), &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(toServant[0]), close(fromServant[1]);
  if (failure != 0) {
    servant.process_ = -1;
    close(toServant[1]), close(fromServant[0]);
    return Error{ErrorCode::FileUnreadable, std::string("cannot be started: ") + std::strerror(failure),
                 program, "name a program, as in ./old/slipstick"};
  }
  servant.input_ = fdopen(toServant[1], "w");
  servant.output_ = fdopen(fromServant[0], "r");
  return servant;
}

Servant::Servant(Servant&& other) noexcept
    : process_(std::exchange(other.process_, -1)),
      input_(std::exchange(other.input_, nullptr)),
      output_(std::exchange(other.output_, nullptr)) {}

Servant::~Servant() {
  if (input_ != nullptr) std::fclose(input_);
  if (output_ != nullptr) std::fclose(output_);
  if (process_ > 0) waitpid(process_, nullptr, 0);
}

std::optional<std::string> Servant::ask(const std::string& line) {
  if (std::fprintf(input_, "%s\n", line.c_str()) < 0 || std::fflush(input_) != 0) return std::nullopt;
  return listen();
}

std::optional<std::string> Servant::listen() {
  std::string line;
  for (int c = std::fgetc(output_); c != EOF; c = std::fgetc(output_)) {
    if (c == '\n') return line;
    line += static_cast<char>(c);
  }
  return std::nullopt;
}

}  // namespace slipstick::app
