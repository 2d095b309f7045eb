#include "tests/fuzz/scratch_file.h"

#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace slipstick::fuzz {
namespace fs = std::filesystem;
namespace {

/// Removed when the program ends.
class Folder {
 public:
  Folder() {
    std::error_code ignored;
    const fs::path shared = "/dev/shm";
    const fs::path parent = fs::is_directory(shared, ignored) ? shared : fs::temp_directory_path();
    path_ = parent / ("slipstick-fuzz-" + std::to_string(getpid()));
    fs::create_directories(path_);
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

fs::path scratchFile(const std::string& name, std::string_view bytes) {
  static const Folder folder;
  const fs::path file = folder.path() / name;
  std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return file;
}

}  // namespace slipstick::fuzz
