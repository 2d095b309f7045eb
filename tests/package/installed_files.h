// The prefix that the program was installed into and then moved to.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace slipstick::testing {

inline std::filesystem::path prefix() {
  return SLIPSTICK_PREFIX;
}

inline std::string contentOf(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// An empty folder, gone with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "slipstick_package_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  /// What a command of the shell says there, and whether it ended well.
  std::pair<std::string, bool> said(const std::string& command) const {
    const std::string line = "cd '" + path_.string() + "' && unset SLIPSTICK_ASSETS; { " + command +
                             "; } > said.txt 2>&1 < /dev/null";
    const int status = std::system(line.c_str());
    return {contentOf(path_ / "said.txt"), WIFEXITED(status) && WEXITSTATUS(status) == 0};
  }

 private:
  std::filesystem::path path_;
};

}  // namespace slipstick::testing
