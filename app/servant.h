// Another program that this one talks to line by line.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/foundation/result.h"

namespace slipstick::app {

/// A child process with its standard input and output in our hands; its errors go where ours go.
class Servant {
 public:
  /// @param arguments  without the program's name
  static Result<Servant> start(const std::string& program, const std::vector<std::string>& arguments);
  Servant(Servant&& other) noexcept;
  Servant& operator=(Servant&&) = delete;
  ~Servant();  ///< closes its input and waits for its end

  /// Sends a line. @return the next line of its output; nothing if it has ended
  std::optional<std::string> ask(const std::string& line);
  /// The next line of its output, as it comes.
  std::optional<std::string> listen();

 private:
  Servant() = default;
  pid_t process_ = -1;
  std::FILE* input_ = nullptr;   ///< what we write and it reads
  std::FILE* output_ = nullptr;  ///< what it writes and we read
};

}  // namespace slipstick::app
