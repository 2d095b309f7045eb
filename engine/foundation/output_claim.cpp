#include "engine/foundation/output_claim.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <system_error>
#include <utility>

#include "engine/foundation/guarded.h"

namespace slipstick {

namespace fs = std::filesystem;

namespace {

enum class Lock { Held, Busy };

/// A file system that cannot lock leaves everybody alone.
Lock lock(int descriptor) {
  struct statfs system {};
  if (fstatfs(descriptor, &system) == 0 && system.f_type == NFS_SUPER_MAGIC) return Lock::Held;
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  const bool isBusy = fcntl(descriptor, F_OFD_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES);
  return isBusy ? Lock::Busy : Lock::Held;
}

bool isStill(int descriptor, const fs::path& path) {
  struct stat open {
  }, named{};
  return fstat(descriptor, &open) == 0 && stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev &&
         open.st_ino == named.st_ino;
}

Error busy(const fs::path& file) {
  return {ErrorCode::FileUnwritable, "another run is writing this file", file.string(),
          "wait until that has ended, or choose another name"};
}

Error cannotWrite(const fs::path& file) {
  return {ErrorCode::FileUnwritable, std::string("cannot be written: ") + std::strerror(errno), file.string(),
          "choose a folder that you may write to, with enough space left"};
}

/// What a name leads to, so that all ways to a file are one.
fs::path targetOf(const fs::path& file) {
  std::error_code failed;
  const fs::path target = fs::canonical(file, failed);
  if (!failed) return target;
  const fs::path folder = fs::canonical(file.has_parent_path() ? file.parent_path() : fs::path("."), failed);
  return failed ? file : folder / file.filename();
}

struct Reserved {
  std::mutex mutex;
  std::map<fs::path, OutputClaim> claims;
};

Reserved& reserved() {
  static Reserved all;
  return all;
}

}  // namespace

OutputClaim::OutputClaim(OutputClaim&& other) noexcept
    : path_(std::move(other.path_)),
      part_(std::move(other.part_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      isNamed_(other.isNamed_),
      isOrdinary_(other.isOrdinary_) {}

OutputClaim::~OutputClaim() {
  if (descriptor_ < 0) return;
  std::error_code ignored;
  if (!isNamed_) fs::remove(part_, ignored);
  close(descriptor_);
}

/// @return whether the file that was locked is the one that has the name: another run may have given it another one
Result<bool> OutputClaim::lockPart() {
  constexpr mode_t kAsUmaskHasIt = 0666;
  descriptor_ = open(part_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kAsUmaskHasIt);
  if (descriptor_ < 0) return cannotWrite(path_);
  const Lock part = lock(descriptor_);
  if (part == Lock::Held && isStill(descriptor_, part_)) return true;
  close(std::exchange(descriptor_, -1));  // not ours to remove
  if (part == Lock::Busy) return busy(path_);
  return false;
}

/// What grows under its own name is locked under it.
Result<void> OutputClaim::checkTarget() const {
  const int target = open(path_.c_str(), O_RDWR | O_CLOEXEC);
  if (target < 0) return {};
  const Lock held = lock(target);
  close(target);
  if (held == Lock::Busy) return busy(path_);
  return {};
}

Result<OutputClaim> OutputClaim::take(const fs::path& file) {
  OutputClaim claim;
  claim.path_ = targetOf(file);
  {
    const std::lock_guard lock(reserved().mutex);
    if (auto kept = reserved().claims.extract(claim.path_)) return std::move(kept.mapped());
  }
  std::error_code none;
  const fs::file_status status = fs::status(claim.path_, none);
  claim.isOrdinary_ = !fs::exists(status) || fs::is_regular_file(status);
  if (fs::is_directory(status))
    return Error{ErrorCode::FileUnwritable, "it is a folder", file.string(), "name a file"};
  claim.isNamed_ = !claim.isOrdinary_;
  if (!claim.isOrdinary_) return claim;
  claim.part_ = claim.path_;
  claim.part_ += ".part";
  for (;;) {
    const Result<bool> locked = claim.lockPart();
    if (!locked) return locked.error();
    if (*locked) break;
  }
  if (const Result<void> free = claim.checkTarget(); !free) return free.error();
  if (ftruncate(claim.descriptor_, 0) != 0) return cannotWrite(claim.path_);
  return claim;
}

Result<void> OutputClaim::reserve(const fs::path& file) {
  Result<OutputClaim> claim = take(file);
  if (!claim) return claim.error();
  const std::lock_guard lock(reserved().mutex);
  const fs::path path = claim->path();
  reserved().claims.emplace(path, std::move(*claim));
  return {};
}

void OutputClaim::release(const fs::path& file) noexcept {
  attempt([&] {
    const fs::path target = targetOf(file);
    const std::lock_guard lock(reserved().mutex);
    reserved().claims.erase(target);
  });
}

void OutputClaim::releaseAll() {
  const std::lock_guard lock(reserved().mutex);
  reserved().claims.clear();
}

Result<void> OutputClaim::commit() {
  if (isNamed_) return {};
  if (std::rename(part_.c_str(), path_.c_str()) != 0) return cannotWrite(path_);
  isNamed_ = true;
  return {};
}

}  // namespace slipstick
