#include "assets/export/zip_writer.h"

#include <zlib.h>

#include <utility>

namespace slipstick::assets {

namespace {

constexpr std::uint64_t kNoRoom = 0xFFFFFFFF;  // stands where a number is too large for 32 bits
constexpr std::uint16_t kPlainVersion = 20, kZip64Version = 45, kUtf8Names = 1 << 11, kZip64Field = 1;
constexpr std::uint16_t kJanuaryFirst1980 = 1 << 5 | 1;

/// Numbers one after the other, the lowest byte first.
class Bytes {
 public:
  template <class T>
  Bytes& add(T number) {
    for (std::size_t i = 0; i < sizeof number; ++i)
      text_ += static_cast<char>(static_cast<std::uint64_t>(number) >> (8 * i) & 0xFF);
    return *this;
  }
  Bytes& addShort(std::uint64_t number) { return add(static_cast<std::uint16_t>(number)); }
  /// As far as it goes.
  Bytes& addWord(std::uint64_t number) {
    return add(static_cast<std::uint32_t>(number < kNoRoom ? number : kNoRoom));
  }
  Bytes& addText(std::string_view text) {
    text_ += text;
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// What has no room in 32 bits, as an extra field.
std::string zip64Field(const std::vector<std::uint64_t>& numbers) {
  if (numbers.empty()) return {};
  Bytes field;
  field.addShort(kZip64Field).addShort(8 * numbers.size());
  for (const std::uint64_t number : numbers) field.add(number);
  return field.text();
}

}  // namespace

Result<void> ZipWriter::add(const std::string& name, std::string_view head, SpoolFile& body) {
  Entry entry{name, 0, head.size() + body.size(), file_.size()};
  const uLong ofHead = crc32_z(0, reinterpret_cast<const Bytef*>(head.data()), head.size());
  entry.crc =
      static_cast<std::uint32_t>(crc32_combine(ofHead, body.crc(), static_cast<z_off_t>(body.size())));
  const bool isLarge = entry.size >= kNoRoom;
  const std::string extra =
      isLarge ? zip64Field({entry.size, entry.size}) : std::string();  // unpacked and packed
  Bytes local;
  local.add(std::uint32_t{0x04034b50}).addShort(isLarge ? kZip64Version : kPlainVersion).addShort(kUtf8Names);
  local.addShort(0).addShort(0).addShort(kJanuaryFirst1980).add(entry.crc);
  local.addWord(isLarge ? kNoRoom : entry.size).addWord(isLarge ? kNoRoom : entry.size);
  local.addShort(name.size()).addShort(extra.size()).addText(name).addText(extra);
  if (const Result<void> written = file_.write(local.text()); !written) return written;
  if (const Result<void> written = file_.write(head); !written) return written;
  if (const Result<void> copied = body.copyTo(file_); !copied) return copied;
  entries_.push_back(std::move(entry));
  return {};
}

Result<void> ZipWriter::finish() {
  const std::uint64_t start = file_.size();
  Bytes directory;
  for (const Entry& entry : entries_) {
    std::vector<std::uint64_t> large;
    if (entry.size >= kNoRoom) large = {entry.size, entry.size};
    if (entry.offset >= kNoRoom) large.push_back(entry.offset);
    const std::string extra = zip64Field(large);
    const std::uint16_t version = large.empty() ? kPlainVersion : kZip64Version;
    directory.add(std::uint32_t{0x02014b50}).addShort(version).addShort(version).addShort(kUtf8Names);
    directory.addShort(0).addShort(0).addShort(kJanuaryFirst1980).add(entry.crc);
    directory.addWord(entry.size).addWord(entry.size).addShort(entry.name.size()).addShort(extra.size());
    directory.addShort(0).addShort(0).addShort(0).add(std::uint32_t{0}).addWord(entry.offset);
    directory.addText(entry.name).addText(extra);
  }
  const std::uint64_t size = directory.text().size(), end = start + size, count = entries_.size();
  if (end >= kNoRoom) {
    directory.add(std::uint32_t{0x06064b50}).add(std::uint64_t{44}).addShort(kZip64Version);
    directory.addShort(kZip64Version).add(std::uint32_t{0}).add(std::uint32_t{0});
    directory.add(count).add(count).add(size).add(start);
    directory.add(std::uint32_t{0x07064b50}).add(std::uint32_t{0}).add(end).add(std::uint32_t{1});
  }
  directory.add(std::uint32_t{0x06054b50}).addShort(0).addShort(0).addShort(count).addShort(count);
  directory.addWord(size).addWord(start).addShort(0);
  return file_.write(directory.text());
}

}  // namespace slipstick::assets
