#include "app/devices/network_address.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

namespace slipstick::app {
namespace {

constexpr std::string_view kTcp = "tcp://", kIpc = "ipc://";
constexpr std::size_t kLongestPath = sizeof(sockaddr_un::sun_path) - 1;

bool isPort(std::string_view text) {
  int port = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, port);
  return text == "*" || (read.ec == std::errc() && read.ptr == end && port >= 1 && port <= 65535);
}

Error invalid(const std::string& what, const std::string& address) {
  return {ErrorCode::InvalidValue, what, address,
          "write tcp://127.0.0.1:5570 or ipc:///tmp/arm, for example"};
}

/// Whether a program answers at a path.
bool isAnswered(const std::string& path) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  path.copy(at.sun_path, kLongestPath);
  const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (probe < 0) return false;
  // Told to come again later, there is somebody, too.
  const bool answers =
      ::connect(probe, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0 || errno == EAGAIN;
  ::close(probe);
  return answers;
}

}  // namespace

Result<void> checkNetworkAddress(const std::string& address) {
  const std::string_view text = address;
  if (text.starts_with(kTcp)) {
    const std::string_view place = text.substr(kTcp.size());
    const std::size_t colon = place.rfind(':');
    if (colon == std::string_view::npos || colon == 0)
      return invalid("tcp:// needs a host and a port", address);
    if (!isPort(place.substr(colon + 1)))
      return invalid("a port is a whole number from 1 to 65535, or * for any that is free", address);
    return {};
  }
  if (text.starts_with(kIpc)) {
    const std::string_view path = text.substr(kIpc.size());
    if (path.empty() || path == "*") return invalid("ipc:// needs the path of a file", address);
    if (path.size() > kLongestPath)
      return invalid("the path is longer than " + std::to_string(kLongestPath) + " bytes", address);
    return {};
  }
  return invalid("this is no address that starts with tcp:// or ipc://", address);
}

std::optional<std::string> whyPathIsTaken(const std::string& address) {
  if (!address.starts_with(kIpc)) return std::nullopt;
  const std::string path = address.substr(kIpc.size());
  if (path.starts_with('@')) return std::nullopt;  // no file: the system itself tells who has it
  std::error_code unknown;
  const auto kind = std::filesystem::symlink_status(path, unknown).type();
  if (kind == std::filesystem::file_type::not_found) return std::nullopt;
  if (kind != std::filesystem::file_type::socket) return "there is a file that is no socket";
  if (isAnswered(path)) return "Address already in use";
  return std::nullopt;
}

}  // namespace slipstick::app
