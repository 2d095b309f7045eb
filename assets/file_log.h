// Which files a load has read: what a recording needs to be opened where they are not.
#pragma once

#include <filesystem>
#include <vector>

namespace slipstick::assets {

/// Lists what its thread reads as long as it exists. Logs may nest; an outer one lists what inner ones do.
class FileLog {
 public:
  FileLog();
  ~FileLog();
  FileLog(const FileLog&) = delete;
  FileLog& operator=(const FileLog&) = delete;

  /// Absolute, each once, in the order in which they were first read.
  const std::vector<std::filesystem::path>& files() const { return files_; }
  /// Who reads a file that a scene stands on says so, also where it has it in memory already.
  static void note(const std::filesystem::path& file);

 private:
  FileLog* outer_;
  std::vector<std::filesystem::path> files_;
};

}  // namespace slipstick::assets
