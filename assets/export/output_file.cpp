#include "assets/export/output_file.h"

#include <stdlib.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

namespace slipstick::assets {

namespace fs = std::filesystem;

namespace {

Error cannotWrite(const fs::path& file, int why) {
  return {ErrorCode::FileUnwritable, std::string("cannot be written: ") + std::strerror(why), file.string(),
          "choose a folder that you may write to, with enough space left"};
}

}  // namespace

Result<OutputFile> OutputFile::create(const fs::path& file, Named named) {
  Result<OutputClaim> claim = OutputClaim::take(file);
  if (!claim) return claim.error();
  OutputFile made(std::move(*claim));
  made.file_.reset(std::fopen(made.claim_.written().c_str(), "wb"));
  if (!made.file_) return made.unwritable();
  if (named == Named::AtOnce)
    if (const Result<void> given = made.claim_.commit(); !given) return given.error();
  return made;
}

Error OutputFile::unwritable() {
  if (failure_ == 0) failure_ = errno;
  return cannotWrite(path(), failure_);
}

Result<void> OutputFile::write(const void* bytes, std::size_t count) {
  if (std::fwrite(bytes, 1, count, file_.get()) != count) return unwritable();
  size_ += count;
  return {};
}

Result<void> OutputFile::flush() {
  if (std::fflush(file_.get()) != 0 || failure_ != 0) return unwritable();
  return {};
}

Result<void> OutputFile::commit() {
  if (const Result<void> flushed = flush(); !flushed) return flushed;
  // Some file systems say only when it is closed that there was no room.
  if (std::fclose(file_.release()) != 0) return unwritable();
  return claim_.commit();
}

Result<void> writeWhole(const fs::path& file, std::string_view text) {
  Result<OutputFile> out = OutputFile::create(file);
  if (!out) return out.error();
  if (const Result<void> written = out->write(text); !written) return written;
  return out->commit();
}

// ---- what waits

Result<SpoolFile> SpoolFile::create(const fs::path& beside) {
  SpoolFile made;
  made.beside_ = beside;
  std::string name = beside.string() + ".XXXXXX";
  const int descriptor = mkstemp(name.data());
  if (descriptor < 0) return made.unwritable();
  unlink(name.c_str());  // it lives on while it is open
  made.file_.reset(fdopen(descriptor, "w+b"));
  if (made.file_) return made;
  close(descriptor);
  return made.unwritable();
}

Error SpoolFile::unwritable() const {
  return cannotWrite(beside_, errno);
}

Result<void> SpoolFile::write(const void* bytes, std::size_t count) {
  if (std::fwrite(bytes, 1, count, file_.get()) != count) return unwritable();
  crc_ = static_cast<std::uint32_t>(crc32_z(crc_, static_cast<const Bytef*>(bytes), count));
  size_ += count;
  return {};
}

Result<void> SpoolFile::copyTo(OutputFile& file) {
  if (std::fflush(file_.get()) != 0) return unwritable();
  std::rewind(file_.get());
  std::vector<char> chunk(std::size_t{1} << 20);
  for (std::uint64_t left = size_; left > 0;) {
    const std::size_t count = left < chunk.size() ? static_cast<std::size_t>(left) : chunk.size();
    if (std::fread(chunk.data(), 1, count, file_.get()) != count) return unwritable();
    if (const Result<void> written = file.write(chunk.data(), count); !written) return written;
    left -= count;
  }
  return {};
}

}  // namespace slipstick::assets
