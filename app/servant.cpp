#include "app/servant.h"

#include <fcntl.h>
#include <utility>

namespace slipstick::app {

Result<Servant> Servant::start(const std::string& program, const std::vector<std::string>& arguments) {
  Result<ChildProcess> process = ChildProcess::start(program, arguments, ChildProcess::Errors::Ours);
  if (!process) return process.error();
  return Servant(*std::move(process));
}

Servant::Servant(ChildProcess process)
    : process_(std::move(process)), output_(fdopen(fcntl(process_.socket(), F_DUPFD_CLOEXEC, 0), "r")) {}

std::optional<std::string> Servant::ask(const std::string& line) {
  const std::string sent = line + "\n";
  if (!process_.send(sent.data(), sent.size())) return std::nullopt;
  return listen();
}

std::optional<std::string> Servant::listen() {
  std::string line;
  for (int c = std::fgetc(output_.get()); c != EOF; c = std::fgetc(output_.get())) {
    if (c == '\n') return line;
    line += static_cast<char>(c);
  }
  return std::nullopt;
}

}  // namespace slipstick::app
