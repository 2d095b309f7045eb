// Another program that this one talks to line by line.
#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/child_process.h"
#include "engine/foundation/result.h"

namespace slipstick::app {

/// A child process with its standard input and output in our hands; its errors go where ours go.
class Servant {
 public:
  /// @param arguments  without the program's name
  static Result<Servant> start(const std::string& program, const std::vector<std::string>& arguments);

  /// Sends a line. @return the next line of its output; nothing if it has ended
  std::optional<std::string> ask(const std::string& line);
  /// The next line of its output, as it comes.
  std::optional<std::string> listen();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  explicit Servant(ChildProcess process);

  ChildProcess process_;
  std::unique_ptr<std::FILE, Close> output_;  ///< what it writes and we read
};

}  // namespace slipstick::app
