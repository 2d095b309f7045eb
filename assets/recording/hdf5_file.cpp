#include "assets/recording/hdf5_file.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <mutex>
#include <numeric>
#include <string_view>

#include "assets/limits.h"
#include "engine/foundation/require.h"

namespace slipstick::assets::hdf5 {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{16} << 10;
constexpr std::size_t kMaxChunkRows = 1024;
constexpr unsigned kCompression = 1;  // what higher levels win costs several times their time

Error error(const std::string& what, const std::string& name) {
  return {ErrorCode::FileUnwritable, what + ": " + lastError(), name,
          "free some space on the disk, or record elsewhere"};
}

Error unreadable(const std::string& name) {
  return {ErrorCode::SyntaxError, "the recording has no readable '" + name + "'", name,
          "record again; this file is damaged or of another program"};
}

/// An exception that leaves a function called by HDF5 leaves it locked for good: what is kept needs no memory.
using Words = std::array<char, 512>;

herr_t keepDeepest(unsigned, const H5E_error2_t* entry, void* words) {
  Words& to = *static_cast<Words*>(words);
  to[std::string_view(entry->desc ? entry->desc : "").copy(to.data(), to.size() - 1)] = 0;
  return 0;
}

/// HDF5 would write its view of a failure to stderr; that is a setting of each thread.
void beQuiet() {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Handle scalarSpace() {
  return {H5Screate(H5S_SCALAR), H5Sclose};
}

Handle textType() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), H5T_VARIABLE);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

template <class Writer>
Result<void> writeAttribute(hid_t where, const std::string& name, hid_t type, const Writer& write) {
  const Handle space = scalarSpace();
  const Handle attribute(H5Acreate2(where, name.c_str(), type, space.id(), H5P_DEFAULT, H5P_DEFAULT),
                         H5Aclose);
  if (!attribute.ok() || write(attribute.id()) < 0) return error("cannot write the attribute", name);
  return {};
}

std::vector<hsize_t> dimensionsOf(const Field& field, std::uint64_t rows) {
  std::vector<hsize_t> dimensions = {rows};
  dimensions.insert(dimensions.end(), field.shape.begin(), field.shape.end());
  return dimensions;
}

/// A row of columns touches a chunk of each: all of them stay in memory until they are full.
Handle accessOf(const Field& field) {
  Handle access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  if (field.chunkColumns > 0) {
    constexpr std::size_t kSlotsPerChunk = 20;
    constexpr double kDropFullFirst = 1;
    H5Pset_chunk_cache(access.id(), kSlotsPerChunk * field.count() + 1,
                       2 * field.chunkRows * field.rowBytes() + 1, kDropFullFirst);
  }
  return access;
}

Result<Handle> createDataset(hid_t group, const Field& field) {
  const std::vector<hsize_t> none = dimensionsOf(field, 0);
  std::vector<hsize_t> most = none;
  most[0] = H5S_UNLIMITED;
  const Handle space(H5Screate_simple(static_cast<int>(none.size()), none.data(), most.data()), H5Sclose);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const std::size_t rows =
      field.chunkRows > 0 ? field.chunkRows
                          : std::clamp<std::size_t>(kChunkBytes / std::max<std::size_t>(field.rowBytes(), 1),
                                                    1, kMaxChunkRows);
  std::vector<hsize_t> chunk = dimensionsOf(field, rows);
  if (field.chunkColumns > 0) chunk[1] = std::min(field.chunkColumns, field.shape[0]);
  H5Pset_chunk(properties.id(), static_cast<int>(chunk.size()), chunk.data());
  H5Pset_shuffle(properties.id());
  H5Pset_deflate(properties.id(), kCompression);
  const Handle access = accessOf(field), link(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(link.id(), 1);
  Handle dataset(H5Dcreate2(group, field.name.c_str(), typeOf(field.number), space.id(), link.id(),
                            properties.id(), access.id()),
                 H5Dclose);
  if (!dataset.ok()) return error("cannot begin the dataset", field.name);
  if (Result<void> ok = writeText(dataset.id(), "unit", field.unit); !ok) return ok.error();
  if (Result<void> ok = writeText(dataset.id(), "meaning", field.meaning); !ok) return ok.error();
  return dataset;
}

/// Appends rows to a dataset that has some.
bool append(hid_t dataset, const Field& field, std::uint64_t before, std::uint64_t rows, const void* data) {
  const std::vector<hsize_t> size = dimensionsOf(field, before + rows), block = dimensionsOf(field, rows);
  std::vector<hsize_t> start(size.size(), 0);
  start[0] = before;
  if (H5Dset_extent(dataset, size.data()) < 0) return false;
  const Handle file(H5Dget_space(dataset), H5Sclose);
  const Handle memory(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose);
  return H5Sselect_hyperslab(file.id(), H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr) >= 0 &&
         H5Dwrite(dataset, typeOf(field.number), memory.id(), file.id(), H5P_DEFAULT, data) >= 0;
}

std::vector<hsize_t> extentOf(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  std::vector<hsize_t> extent(static_cast<std::size_t>(std::max(H5Sget_simple_extent_ndims(space.id()), 0)));
  if (!extent.empty()) H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr);
  return extent;
}

/// Whether a dataset lies in its own file, packed as recordings are, in pieces that have room in memory.
bool isOrdinary(hid_t dataset, std::size_t bytesPerNumber) {
  const Handle properties(H5Dget_create_plist(dataset), H5Pclose);
  if (!properties.ok() || H5Pget_external_count(properties.id()) != 0) return false;
  const H5D_layout_t layout = H5Pget_layout(properties.id());
  if (layout == H5D_VIRTUAL) return false;
  for (int i = 0; i < H5Pget_nfilters(properties.id()); ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter = H5Pget_filter2(properties.id(), static_cast<unsigned>(i), &flags, &values,
                                               nullptr, 0, nullptr, nullptr);
    if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE) return false;
  }
  if (layout != H5D_CHUNKED) return true;
  std::array<hsize_t, H5S_MAX_RANK> chunk{};
  const int rank = H5Pget_chunk(properties.id(), static_cast<int>(chunk.size()), chunk.data());
  double bytes = static_cast<double>(bytesPerNumber);
  for (int i = 0; i < rank; ++i) bytes *= static_cast<double>(chunk[static_cast<std::size_t>(i)]);
  return rank > 0 && bytes <= static_cast<double>(limits::kRecordedChunk);
}

/// Of what is stored, whatever it is read as.
std::size_t storedSize(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose);
  return type.ok() ? H5Tget_size(type.id()) : 0;
}

/// A dataset to be read; not ok() where it is missing or none of ours.
Handle openDataset(hid_t where, const std::string& name, hid_t access = H5P_DEFAULT) {
  Handle dataset(H5Dopen2(where, name.c_str(), access), H5Dclose);
  if (dataset.ok() && !isOrdinary(dataset.id(), storedSize(dataset.id()))) return {};
  return dataset;
}

/// Reads a dataset of texts or an attribute that is one.
template <class Read>
std::vector<std::string> textsFrom(hid_t space, std::size_t count, const Read& read) {
  std::vector<char*> texts(count, nullptr);
  const Handle type = textType();
  if (read(type.id(), static_cast<void*>(texts.data())) < 0) return {};
  std::vector<std::string> out;
  bool isTooLong = false;
  for (const char* text : texts) {
    const std::size_t length = text ? strnlen(text, limits::kRecordedText + 1) : 0;
    isTooLong |= length > limits::kRecordedText;
    out.emplace_back(text ? text : "", isTooLong ? 0 : length);
  }
  H5Dvlen_reclaim(type.id(), space, H5P_DEFAULT, static_cast<void*>(texts.data()));
  return isTooLong ? std::vector<std::string>() : out;
}

}  // namespace

bool Handle::close() {
  if (id_ < 0) return true;
  beQuiet();
  return close_(std::exchange(id_, H5I_INVALID_HID)) >= 0;
}

std::string lastError() {
  Words words{};
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, &keepDeepest, &words);
  std::string text = words.data();
  // Of what the system says, addresses and sizes are for nobody.
  constexpr std::string_view kMessage = "error message = '";
  if (const std::size_t at = text.find(kMessage); at != std::string::npos) {
    const std::size_t begin = at + kMessage.size();
    text = text.substr(begin, text.find('\'', begin) - begin);
  }
  return text.empty() ? "HDF5 gives no reason" : text;
}

void begin() {
  static std::once_flag once;
  std::call_once(once, [] {
    H5dont_atexit();
    H5open();
    H5PLset_loading_state(0);  // a file must not choose code that unpacks it
    // HDF5 would keep up to 20 MiB of blocks that it has freed for itself, all over the heap, where no other can use them.
    // Of its small objects it may keep 1 MiB: 1.10 remembers for good how texts are converted for each file, by the
    // file's address, which is the same again where that comes from its list.
    constexpr int kObjects = 1 << 20, kObjectsOfAKind = 1 << 16;
    H5set_free_list_limits(kObjects, kObjectsOfAKind, 0, 0, 0, 0);
    hbool_t isThreadsafe = 0;
    H5is_library_threadsafe(&isThreadsafe);
    SIM_REQUIRE(isThreadsafe);
  });
  beQuiet();
}

namespace {

/// What stands at the head of a file (HDF5 file format specification, "superblock").
struct Superblock {
  bool isBeingWritten = false;
  /// It has a block of information for a driver, as files in several parts do: HDF5 reads as much of one as that says, GiBs
  /// of a file of 31 bytes.
  bool asksForADriver = false;
  std::uint64_t bytes = 0;  ///< of the whole file when it was closed; 0 where that is not read
};

/// May lie behind what another program needs, at 512 bytes, 1024 and so on.
Superblock superblockOf(const std::filesystem::path& file) {
  constexpr std::string_view kSignature = "\x89HDF\r\n\x1a\n";
  constexpr std::size_t kMaxOffset = 255;
  constexpr unsigned kLastWithDriver = 1, kFirstWithFlags = 3, kOpenToWrite = 1;
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(file, error);
  if (error) return {};
  std::ifstream stream(file, std::ios::binary);
  for (std::uintmax_t at = 0; at < size; at = at == 0 ? 512 : 2 * at) {
    std::array<char, 28 + 4 * kMaxOffset> head{};  // zeros behind its end, as HDF5 takes it
    stream.clear();
    stream.seekg(static_cast<std::streamoff>(at));
    stream.read(head.data(), head.size());
    if (!std::string_view(head.data(), head.size()).starts_with(kSignature)) continue;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(head[i]); };
    const unsigned version = byte(8);
    Superblock block;
    block.isBeingWritten = version >= kFirstWithFlags && (byte(11) & kOpenToWrite) != 0;
    if (version > kLastWithDriver) {
      constexpr std::size_t kEnd = 12 + 2 * sizeof block.bytes;  // behind the base and the extension
      if (byte(9) == sizeof block.bytes) std::memcpy(&block.bytes, head.data() + kEnd, sizeof block.bytes);
      return block;
    }
    // Base, free space, end and driver, each an offset of as many bytes as byte 13 says; undefined ones are all ones.
    const std::size_t offset = byte(13), driver = (version == 0 ? 24u : 28u) + 3 * offset;
    for (std::size_t i = 0; i < offset; ++i) block.asksForADriver |= byte(driver + i) != 0xff;
    return block;
  }
  return {};
}

}  // namespace

Handle openToRead(const std::filesystem::path& file) {
  beQuiet();
  const Superblock block = superblockOf(file);
  if (block.asksForADriver) return {};
  Handle handle(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (handle.ok() || !block.isBeingWritten) return handle;
  // What does not agree with its sum may be half written: it is read again, each time after twice as many nanoseconds. By
  // default 100 times, which of a damaged file is for ever; these are 0.1 s in all.
  constexpr unsigned kAttempts = 27;
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  if (!access.ok() || H5Pset_metadata_read_attempts(access.id(), kAttempts) < 0) return handle;
  return {H5Fopen(file.c_str(), H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, access.id()), H5Fclose};
}

std::optional<std::string> howCutOff(const std::filesystem::path& file) {
  std::error_code failed;
  const std::uintmax_t size = std::filesystem::file_size(file, failed);
  const Superblock block = superblockOf(file);
  if (failed || block.isBeingWritten || block.bytes <= size) return std::nullopt;
  return "it is cut off: " + std::to_string(size) + " of " + std::to_string(block.bytes) + " bytes are there";
}

hid_t typeOf(Number number) {
  const std::array types = {H5T_NATIVE_DOUBLE, H5T_NATIVE_FLOAT,  H5T_NATIVE_INT32, H5T_NATIVE_UINT64,
                            H5T_NATIVE_UINT32, H5T_NATIVE_UINT16, H5T_NATIVE_UINT8};
  return types[static_cast<std::size_t>(number)];
}

std::size_t sizeOf(Number number) {
  constexpr std::array<std::size_t, 7> kSizes = {8, 4, 4, 8, 4, 2, 1};
  return kSizes[static_cast<std::size_t>(number)];
}

std::size_t Field::count() const {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

// --------------------------------------------------------------------------------- attributes and whole datasets

Result<void> writeText(hid_t where, const std::string& name, const std::string& text) {
  const Handle type = textType();
  const char* value = text.c_str();
  return writeAttribute(where, name, type.id(),
                        [&](hid_t attribute) { return H5Awrite(attribute, type.id(), &value); });
}

Result<void> writeNumber(hid_t where, const std::string& name, double value) {
  return writeAttribute(where, name, H5T_NATIVE_DOUBLE,
                        [&](hid_t attribute) { return H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value); });
}

Result<void> writeInteger(hid_t where, const std::string& name, std::int64_t value) {
  return writeAttribute(where, name, H5T_STD_I64LE,
                        [&](hid_t attribute) { return H5Awrite(attribute, H5T_NATIVE_INT64, &value); });
}

Result<void> writeHash(hid_t where, const std::string& name, std::uint64_t value) {
  return writeAttribute(where, name, H5T_STD_U64LE,
                        [&](hid_t attribute) { return H5Awrite(attribute, H5T_NATIVE_UINT64, &value); });
}

Result<std::uint64_t> readHash(hid_t where, const std::string& name) {
  const Handle attribute(H5Aopen(where, name.c_str(), H5P_DEFAULT), H5Aclose);
  std::uint64_t value = 0;
  if (!attribute.ok() || H5Aread(attribute.id(), H5T_NATIVE_UINT64, &value) < 0) return unreadable(name);
  return value;
}

Result<std::string> readText(hid_t where, const std::string& name) {
  const Handle attribute(H5Aopen(where, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.ok()) return unreadable(name);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose);
  std::vector<std::string> texts =
      textsFrom(space.id(), 1, [&](hid_t type, void* to) { return H5Aread(attribute.id(), type, to); });
  if (texts.empty()) return unreadable(name);
  return std::move(texts.front());
}

Result<double> readNumber(hid_t where, const std::string& name) {
  const Handle attribute(H5Aopen(where, name.c_str(), H5P_DEFAULT), H5Aclose);
  double value = 0;
  if (!attribute.ok() || H5Aread(attribute.id(), H5T_NATIVE_DOUBLE, &value) < 0) return unreadable(name);
  return value;
}

Result<void> writeTexts(hid_t where, const std::string& name, const std::vector<std::string>& texts) {
  const hsize_t count = texts.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose), type = textType();
  const Handle dataset(
      H5Dcreate2(where, name.c_str(), type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
      H5Dclose);
  std::vector<const char*> values;
  for (const std::string& text : texts) values.push_back(text.c_str());
  if (!dataset.ok() ||
      (count > 0 && H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0))
    return error("cannot write the dataset", name);
  return {};
}

Result<std::vector<std::string>> readTexts(hid_t where, const std::string& name) {
  const Handle dataset = openDataset(where, name);
  const std::vector<hsize_t> extent = dataset.ok() ? extentOf(dataset.id()) : std::vector<hsize_t>();
  if (extent.size() != 1 || extent[0] > limits::kRecordedTexts) return unreadable(name);
  if (extent[0] == 0) return std::vector<std::string>();
  const Handle space(H5Dget_space(dataset.id()), H5Sclose);
  std::vector<std::string> texts = textsFrom(space.id(), extent[0], [&](hid_t type, void* to) {
    return H5Dread(dataset.id(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to);
  });
  if (texts.empty()) return unreadable(name);
  return texts;
}

Result<void> writeBytes(hid_t where, const std::string& name, const std::string& bytes) {
  const hsize_t count = bytes.size();
  const Handle space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  if (count > 0) {
    const hsize_t chunk = std::min<hsize_t>(count, std::size_t{1} << 20);
    H5Pset_chunk(properties.id(), 1, &chunk);
    H5Pset_deflate(properties.id(), kCompression);
  }
  const Handle dataset(H5Dcreate2(where, name.c_str(), H5T_NATIVE_UINT8, space.id(), H5P_DEFAULT,
                                  properties.id(), H5P_DEFAULT),
                       H5Dclose);
  if (!dataset.ok() || (count > 0 && H5Dwrite(dataset.id(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                              bytes.data()) < 0))
    return error("cannot write the dataset", name);
  return {};
}

Result<std::string> readBytes(hid_t where, const std::string& name) {
  const Handle dataset = openDataset(where, name);
  const std::vector<hsize_t> extent = dataset.ok() ? extentOf(dataset.id()) : std::vector<hsize_t>();
  if (extent.size() != 1 || extent[0] > limits::kRecordedFile) return unreadable(name);
  std::string bytes(extent[0], '\0');
  if (!bytes.empty() &&
      H5Dread(dataset.id(), H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) < 0)
    return unreadable(name);
  return bytes;
}

Result<std::size_t> columnsOf(hid_t where, const std::string& name) {
  const Handle dataset(H5Dopen2(where, name.c_str(), H5P_DEFAULT), H5Dclose);
  const std::vector<hsize_t> extent = dataset.ok() ? extentOf(dataset.id()) : std::vector<hsize_t>();
  if (extent.size() != 2) return unreadable(name);
  return static_cast<std::size_t>(extent[1]);
}

// ----------------------------------------------------------------------------------------------- tables

Result<void> Table::create(hid_t file, const std::string& group, const std::string& meaning,
                           std::vector<Field> fields) {
  const Handle made(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!made.ok()) return error("cannot begin the group", group);
  if (Result<void> ok = writeText(made.id(), "meaning", meaning); !ok) return ok;
  for (const Field& field : fields) {
    columns_.emplace_back();
    if (field.count() == 0) continue;  // HDF5 has no chunks of nothing
    Result<Handle> dataset = createDataset(made.id(), field);
    if (!dataset) return dataset.error();
    columns_.back().dataset = std::move(*dataset);
  }
  fields_ = std::move(fields);
  return {};
}

std::uint64_t Table::rows() const {
  return columns_[0].written + columns_[0].waiting.size() / fields_[0].rowBytes();
}

std::size_t Table::waitingBytes() const {
  std::size_t bytes = 0;
  for (const Column& column : columns_) bytes += column.waiting.size();
  return bytes;
}

Result<void> Table::flush(std::uint64_t multiple) {
  const std::uint64_t all = this->rows(), written = columns_[0].written;
  if (all / multiple * multiple <= written) return {};
  const std::uint64_t rows = all / multiple * multiple - written;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    Column& column = columns_[i];
    if (!column.dataset.ok()) continue;
    const std::size_t bytes = rows * fields_[i].rowBytes();
    SIM_REQUIRE(column.waiting.size() == (all - written) * fields_[i].rowBytes(), fields_[i].name, rows);
    if (!append(column.dataset.id(), fields_[i], column.written, rows, column.waiting.data()))
      return error("cannot write", fields_[i].name);
    column.written += rows;
    column.waiting.erase(column.waiting.begin(), column.waiting.begin() + static_cast<std::ptrdiff_t>(bytes));
  }
  return {};
}

void Table::abandon() noexcept {
  for (Column& column : columns_) column.dataset.abandon();
}

Result<void> TableReader::open(hid_t file, const std::string& group, std::vector<Field> fields) {
  bool first = true;
  for (const Field& field : fields) {
    const std::string name = group + "/" + field.name;
    if (field.count() == 0) {
      datasets_.emplace_back();
      continue;
    }
    const Handle access = accessOf(field);
    Handle dataset = openDataset(file, name, access.id());
    if (!dataset.ok()) return unreadable(name);
    const std::vector<hsize_t> extent = extentOf(dataset.id());
    if (extent.empty() || extent != dimensionsOf(field, extent[0]) || extent[0] > limits::kRecordedRows)
      return unreadable(name);
    rows_ = first ? extent[0] : std::min<std::uint64_t>(rows_, extent[0]);
    first = false;
    datasets_.push_back(std::move(dataset));
  }
  fields_ = std::move(fields);
  return {};
}

/// From the end on: all but the last few are in order, and there may be millions.
Result<std::uint64_t> TableReader::rowsUpTo(std::size_t field, std::uint64_t end) const {
  constexpr std::uint64_t kRowsAtOnce = 1024;
  for (std::uint64_t rows = rows_; rows > 0;) {
    const std::uint64_t begin = rows > kRowsAtOnce ? rows - kRowsAtOnce : 0;
    const std::uint64_t before = begin > 0 ? begin - 1 : 0;
    const Result<std::vector<std::uint64_t>> ends = read<std::uint64_t>(field, before, rows);
    if (!ends) return ends.error();
    const auto isInOrder = [&](std::size_t i) {
      return (*ends)[i] <= end && (i == 0 || (*ends)[i] >= (*ends)[i - 1]);
    };
    while (rows > begin && !isInOrder(rows - 1 - before)) --rows;
    if (rows > begin) return rows;
  }
  return std::uint64_t{0};
}

Result<void> TableReader::checkSize(std::size_t field, std::uint64_t numbers) const {
  if (numbers <= limits::kRecordedRead / sizeOf(fields_[field].number)) return {};
  return unreadable(fields_[field].name);
}

Result<void> TableReader::readInto(std::size_t field, std::uint64_t from, std::uint64_t to,
                                   std::optional<std::size_t> column, void* numbers) const {
  SIM_REQUIRE(from <= to && to <= rows_, from, to, rows_);
  if (from == to || fields_[field].count() == 0) return {};
  beQuiet();
  std::vector<hsize_t> block = dimensionsOf(fields_[field], to - from);
  std::vector<hsize_t> start(block.size(), 0);
  start[0] = from;
  if (column) start[1] = *column, block[1] = 1;
  const Handle space(H5Dget_space(datasets_[field].id()), H5Sclose);
  const Handle memory(H5Screate_simple(static_cast<int>(block.size()), block.data(), nullptr), H5Sclose);
  if (H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr) < 0 ||
      H5Dread(datasets_[field].id(), typeOf(fields_[field].number), memory.id(), space.id(), H5P_DEFAULT,
              numbers) < 0)
    return unreadable(fields_[field].name);
  return {};
}

}  // namespace slipstick::assets::hdf5
