// A Python program that runs beside a test.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

extern char** environ;

namespace slipstick::testing {

class Python {
 public:
  Python(const std::filesystem::path& script, const std::vector<std::string>& arguments) {
    std::array<int, 2> pipe{};
    EXPECT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
    std::vector<std::string> words = {"/usr/bin/python3", script.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
    EXPECT_EQ(posix_spawn(&process_, argv[0], &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(pipe[1]);
    output_ = fdopen(pipe[0], "r");
  }
  ~Python() {
    kill();
    std::fclose(output_);
  }
  Python(const Python&) = delete;
  Python& operator=(const Python&) = delete;

  /// The next line of its output, empty at its end.
  std::string line() {
    std::string line;
    for (int c = std::fgetc(output_); c != EOF && c != '\n'; c = std::fgetc(output_))
      line += static_cast<char>(c);
    return line;
  }
  void kill() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    wait();
  }
  /// @return its exit status
  int wait() {
    int status = 0;
    waitpid(process_, &status, 0);
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t process_ = -1;
  std::FILE* output_ = nullptr;
};

}  // namespace slipstick::testing
