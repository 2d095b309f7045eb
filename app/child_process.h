// Another program that runs for this one.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

#include "engine/foundation/result.h"

namespace slipstick::app {

/// A child process whose standard input and output are the other end of a socket. Ctrl+C in the terminal does not reach it.
class ChildProcess {
 public:
  enum class Errors { Ours, Nowhere };  ///< where its standard error goes

  /// @param arguments  without the program's name
  static Result<ChildProcess> start(const std::string& program, const std::vector<std::string>& arguments,
                                    Errors errors);
  ChildProcess(ChildProcess&& other) noexcept;
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  ~ChildProcess();  ///< says that nothing more comes, and waits for its end

  int socket() const { return socket_; }
  /// All of it, however long that takes. @return false: it has ended
  bool send(const void* data, std::size_t size) const;
  /// At once, whatever it does.
  void kill() const;
  /// Waits for its end. @return as waitpid() has it; once
  int wait();

 private:
  ChildProcess() = default;
  pid_t process_ = -1;
  int socket_ = -1;
};

/// All of it into a socket, without a signal where nobody reads. @return false: nobody does
bool sendAll(int socket, const void* data, std::size_t size);

}  // namespace slipstick::app
