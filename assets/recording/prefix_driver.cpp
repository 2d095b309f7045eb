#include "assets/recording/prefix_driver.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <new>

namespace slipstick::assets::hdf5 {
namespace {

/// The file as HDF5 knows it: its part has to be the first.
struct PrefixFile {
  H5FD_t common{};
  int descriptor = -1;
  haddr_t end = 0;      ///< of what HDF5 has given out
  haddr_t size = 0;     ///< of the file
  bool isFull = false;  ///< a write has failed
};

PrefixFile* of(H5FD_t* file) {
  return reinterpret_cast<PrefixFile*>(file);
}
const PrefixFile* of(const H5FD_t* file) {
  return reinterpret_cast<const PrefixFile*>(file);
}

/// In HDF5's words, which hdf5::lastError() reads.
herr_t failed(const char* what) {
  H5Epush2(H5E_DEFAULT, __FILE__, "prefix_driver", __LINE__, H5E_ERR_CLS, H5E_IO, H5E_WRITEERROR,
           "%s: error message = '%s'", what, std::strerror(errno));
  return -1;
}

H5FD_t* open(const char* name, unsigned flags, hid_t, haddr_t) {
  int how = (flags & H5F_ACC_RDWR) != 0 ? O_RDWR : O_RDONLY;
  if ((flags & H5F_ACC_TRUNC) != 0) how |= O_TRUNC;
  if ((flags & H5F_ACC_CREAT) != 0) how |= O_CREAT;
  constexpr mode_t kAsUmaskHasIt = 0666;
  const int descriptor = ::open(name, how | O_CLOEXEC, kAsUmaskHasIt);
  struct stat status {};
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    (void)failed("unable to open file");
    if (descriptor >= 0) ::close(descriptor);
    return nullptr;
  }
  // An exception would leave HDF5 locked for good.
  std::unique_ptr<PrefixFile> file(new (std::nothrow) PrefixFile);
  if (!file) {
    errno = ENOMEM;
    (void)failed("unable to open file");
    ::close(descriptor);
    return nullptr;
  }
  file->descriptor = descriptor;
  file->size = static_cast<haddr_t>(status.st_size);
  return &file.release()->common;
}

herr_t close(H5FD_t* file) {
  const std::unique_ptr<PrefixFile> mine(of(file));
  return ::close(mine->descriptor) == 0 ? 0 : failed("unable to close file");
}

int compare(const H5FD_t* a, const H5FD_t* b) {
  struct stat left {
  }, right{};
  if (fstat(of(a)->descriptor, &left) != 0 || fstat(of(b)->descriptor, &right) != 0) return a < b ? -1 : 1;
  if (left.st_dev != right.st_dev) return left.st_dev < right.st_dev ? -1 : 1;
  return left.st_ino < right.st_ino ? -1 : left.st_ino > right.st_ino ? 1 : 0;
}

/// The same that HDF5's own driver of POSIX files says of itself.
herr_t query(const H5FD_t*, unsigned long* flags) {
  if (flags)
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_POSIX_COMPAT_HANDLE | H5FD_FEAT_SUPPORTS_SWMR_IO |
             H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

haddr_t end(const H5FD_t* file, H5FD_mem_t) {
  return of(file)->end;
}
herr_t setEnd(H5FD_t* file, H5FD_mem_t, haddr_t end) {
  of(file)->end = end;
  return 0;
}
haddr_t size(const H5FD_t* file, H5FD_mem_t) {
  return of(file)->size;
}
herr_t handle(H5FD_t* file, hid_t, void** descriptor) {
  *descriptor = &of(file)->descriptor;
  return 0;
}

/// Behind the end of the file are zeros.
herr_t read(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t count, void* buffer) {
  auto* bytes = static_cast<char*>(buffer);
  while (count > 0) {
    const ssize_t done = pread(of(file)->descriptor, bytes, count, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return failed("file read failed");
    if (done == 0) break;
    bytes += done, at += static_cast<haddr_t>(done), count -= static_cast<std::size_t>(done);
  }
  std::memset(bytes, 0, count);
  return 0;
}

herr_t write(H5FD_t* file, H5FD_mem_t, hid_t, haddr_t at, std::size_t count, const void* buffer) {
  PrefixFile& mine = *of(file);
  const auto* bytes = static_cast<const char*>(buffer);
  if (mine.isFull) errno = ENOSPC;
  while (count > 0) {
    const ssize_t done = mine.isFull ? -1 : pwrite(mine.descriptor, bytes, count, static_cast<off_t>(at));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) {
      mine.isFull = true;
      return failed("file write failed");
    }
    bytes += done, at += static_cast<haddr_t>(done), count -= static_cast<std::size_t>(done);
  }
  mine.size = mine.size < at ? at : mine.size;
  return 0;
}

herr_t truncate(H5FD_t* file, hid_t, hbool_t) {
  PrefixFile& mine = *of(file);
  if (mine.isFull) errno = ENOSPC;
  if (mine.isFull ||
      (mine.end != mine.size && ftruncate(mine.descriptor, static_cast<off_t>(mine.end)) != 0)) {
    mine.isFull = true;
    return failed("unable to extend file properly");
  }
  mine.size = mine.end;
  return 0;
}

/// Only a file that can be locked is marked as one that is being written. Some file systems cannot.
herr_t lock(H5FD_t* file, hbool_t isExclusive) {
  const int how = (isExclusive != 0 ? LOCK_EX : LOCK_SH) | LOCK_NB;
  return flock(of(file)->descriptor, how) == 0 || errno == ENOSYS ? 0 : failed("unable to lock file");
}
herr_t unlock(H5FD_t* file) {
  return flock(of(file)->descriptor, LOCK_UN) == 0 || errno == ENOSYS ? 0 : failed("unable to unlock file");
}

const H5FD_class_t kClass = [] {
  H5FD_class_t made{};
  made.name = "slipstick_prefix";
  made.maxaddr = (haddr_t{1} << 62) - 1;
  made.fc_degree = H5F_CLOSE_WEAK;
  made.open = open, made.close = close, made.cmp = compare, made.query = query;
  made.get_eoa = end, made.set_eoa = setEnd, made.get_eof = size, made.get_handle = handle;
  made.read = read, made.write = write, made.truncate = truncate;
  made.lock = lock, made.unlock = unlock;
  constexpr H5FD_mem_t kMap[] = H5FD_FLMAP_DICHOTOMY;
  std::memcpy(made.fl_map, kMap, sizeof kMap);
  return made;
}();

}  // namespace

bool writeInOrderOrNotAtAll(hid_t access) {
  static const hid_t driver = H5FDregister(&kClass);
  return driver >= 0 && H5Pset_driver(access, driver, nullptr) >= 0;
}

}  // namespace slipstick::assets::hdf5
