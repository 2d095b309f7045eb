#include "assets/file_log.h"

#include <algorithm>

namespace slipstick::assets {
namespace {

thread_local FileLog* innermost = nullptr;

}  // namespace

FileLog::FileLog() : outer_(innermost) {
  innermost = this;
}

FileLog::~FileLog() {
  innermost = outer_;
}

void FileLog::note(const std::filesystem::path& file) {
  if (!innermost) return;
  const std::filesystem::path path = std::filesystem::absolute(file).lexically_normal();
  for (FileLog* log = innermost; log; log = log->outer_)
    if (std::find(log->files_.begin(), log->files_.end(), path) == log->files_.end())
      log->files_.push_back(path);
}

}  // namespace slipstick::assets
