#include "tests/support/full_disk.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <thread>

namespace slipstick::testing {
namespace {

std::string name;  ///< set before it is armed
std::atomic<bool> isArmed = false;
std::atomic<std::uint64_t> written = 0, most = 0;
std::chrono::milliseconds late{0};  ///< likewise
std::atomic<Refused> mode = Refused::EveryWrite;

bool isTheFile(int descriptor) {
  constexpr std::size_t kLongest = 4096;
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  char path[kLongest];
  const ssize_t length = readlink(link.c_str(), path, sizeof path - 1);
  if (length <= 0) return false;
  const std::string_view target(path, static_cast<std::size_t>(length));
  return target == name || target == name + ".part";
}

}  // namespace

/// How many of these bytes have room.
std::size_t roomFor(int descriptor, std::size_t count, std::uint64_t offset) {
  if (!isArmed || !isTheFile(descriptor)) return count;
  std::this_thread::sleep_for(late);
  const std::uint64_t from = mode == Refused::Growth ? offset : written.load();
  const std::uint64_t free = most > from ? most - from : 0;
  const bool fits = count <= free;
  const std::size_t taken = fits ? count : mode == Refused::Growth ? free : 0;
  written += taken;
  return taken;
}

void fillDisk(const std::filesystem::path& file, std::uint64_t bytes, Refused refused) {
  name = std::filesystem::weakly_canonical(file).string();
  most = bytes;
  mode = refused;
  isArmed = true;
}

void slowDisk(const std::filesystem::path& file, std::chrono::milliseconds each) {
  late = each;
  fillDisk(file, std::numeric_limits<std::uint64_t>::max(), Refused::EveryWrite);
}

}  // namespace slipstick::testing

extern "C" ssize_t pwrite(int descriptor, const void* bytes, std::size_t count, off_t offset) {
  const std::size_t room = slipstick::testing::roomFor(descriptor, count, static_cast<std::uint64_t>(offset));
  if (room > 0 || count == 0) return syscall(SYS_pwrite64, descriptor, bytes, room, offset);
  errno = ENOSPC;
  return -1;
}

extern "C" ssize_t write(int descriptor, const void* bytes, std::size_t count) {
  const off_t offset = lseek(descriptor, 0, SEEK_CUR);
  const std::size_t room =
      slipstick::testing::roomFor(descriptor, count, offset < 0 ? 0 : static_cast<std::uint64_t>(offset));
  if (room > 0 || count == 0) return syscall(SYS_write, descriptor, bytes, room);
  errno = ENOSPC;
  return -1;
}
