#include "engine/foundation/path_key.h"

namespace slipstick {

std::string pathKey(std::string_view key) {
  if (!key.empty() && key.find_first_of(". \t\"\\=") == std::string_view::npos) return std::string(key);
  std::string quoted = "\"";
  for (const char c : key) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

std::optional<std::vector<std::string>> keysOfPath(std::string_view path) {
  std::vector<std::string> keys(1);
  bool quoted = false, closed = false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    if (quoted && c == '\\' && i + 1 < path.size()) {
      keys.back() += path[++i];
    } else if (c == '"') {
      if (!quoted && (closed || !keys.back().empty())) return std::nullopt;
      closed = quoted;
      quoted = !quoted;
    } else if (c == '.' && !quoted) {
      keys.emplace_back();
      closed = false;
    } else if (closed) {
      return std::nullopt;
    } else {
      keys.back() += c;
    }
  }
  return quoted ? std::nullopt : std::optional(std::move(keys));
}

}  // namespace slipstick
