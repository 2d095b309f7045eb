// The folder that the program runs in, as long as it lives: files are named without one there.
#pragma once

#include <filesystem>

namespace slipstick::testing {

class InsideFolder {
 public:
  explicit InsideFolder(const std::filesystem::path& folder) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  ~InsideFolder() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
  }
  InsideFolder(const InsideFolder&) = delete;
  InsideFolder& operator=(const InsideFolder&) = delete;

 private:
  std::filesystem::path before_;
};

}  // namespace slipstick::testing
