// HDF5's C interface as this project uses it: handles that close themselves, errors as values, and tables that grow.
#pragma once

#include <hdf5.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/foundation/result.h"

namespace slipstick::assets::hdf5 {

class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close how) : id_(id), close_(how) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, H5I_INVALID_HID)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }

  bool ok() const { return id_ >= 0; }
  hid_t id() const { return id_; }
  /// What closing says: for a file, whether all of it is on the disk.
  bool close();
  /// Leaves it open for good: what has no room on the disk cannot be closed either, and must not try to.
  void abandon() noexcept { id_ = H5I_INVALID_HID; }

 private:
  hid_t id_ = H5I_INVALID_HID;
  Close close_ = nullptr;
};

/// Of the calling thread's latest failure, in HDF5's words: "unable to open file: No space left on device".
std::string lastError();
/// No messages on stderr (functions below see to that themselves), nothing closed at exit that could hang on a full disk. By every thread, before anything else.
/// Requires a library that threads may share: Debian's and Ubuntu's are.
void begin();

/// A file that its writer has closed, or as it is read while it is written; not ok() where it is neither, or in several parts.
Handle openToRead(const std::filesystem::path& file);
/// "it is cut off: 12 of 34 bytes are there", of a file that was closed once and that openToRead() cannot open.
std::optional<std::string> howCutOff(const std::filesystem::path& file);

enum class Number { F64, F32, I32, U64, U32, U16, U8 };
hid_t typeOf(Number number);
std::size_t sizeOf(Number number);

/// A dataset of which every row is such an array of numbers.
struct Field {
  std::string name;  ///< with slashes: in groups below the table's
  Number number = Number::F64;
  std::vector<std::size_t> shape = {};  ///< of one row; empty: one number
  std::string unit = {};                ///< "N"; empty: pure numbers
  std::string meaning = {};             ///< for who reads the file without its page
  /// Rows that are compressed together; 0: as many as make a chunk of some size.
  std::size_t chunkRows = 0;
  /// Numbers of a row that are compressed together; 0: all. Few where one of them is read over many rows.
  std::size_t chunkColumns = 0;

  std::size_t count() const;  ///< numbers in a row
  std::size_t rowBytes() const { return count() * sizeOf(number); }
};

Result<void> writeText(hid_t where, const std::string& name, const std::string& text);  ///< an attribute
Result<void> writeNumber(hid_t where, const std::string& name, double value);           ///< an attribute
Result<void> writeInteger(hid_t where, const std::string& name, std::int64_t value);    ///< an attribute
Result<void> writeHash(hid_t where, const std::string& name, std::uint64_t value);      ///< an attribute
Result<std::uint64_t> readHash(hid_t where, const std::string& name);                   ///< an attribute
Result<std::string> readText(hid_t where, const std::string& name);                     ///< an attribute
Result<double> readNumber(hid_t where, const std::string& name);                        ///< an attribute
Result<void> writeTexts(hid_t where, const std::string& name,
                        const std::vector<std::string>& texts);                    ///< a dataset
Result<std::vector<std::string>> readTexts(hid_t where, const std::string& name);  ///< a dataset
Result<void> writeBytes(hid_t where, const std::string& name,
                        const std::string& bytes);                    ///< a dataset, compressed
Result<std::string> readBytes(hid_t where, const std::string& name);  ///< a dataset

/// Numbers in a row of a dataset with two axes.
Result<std::size_t> columnsOf(hid_t where, const std::string& name);

/// A group whose datasets grow together by rows, compressed in chunks. Rows are gathered in memory until flush().
class Table {
 public:
  /// Of one that is none yet.
  Result<void> create(hid_t file, const std::string& group, const std::string& meaning,
                      std::vector<Field> fields);

  /// The next numbers of a field: those of one row or of several. T is the field's own type.
  template <class T>
  void put(std::size_t field, const T* numbers, std::size_t count) {
    Column& column = columns_[field];
    SIM_REQUIRE(sizeof(T) == sizeOf(fields_[field].number), fields_[field].name);
    const auto* bytes = reinterpret_cast<const std::byte*>(numbers);
    column.waiting.insert(column.waiting.end(), bytes, bytes + count * sizeof(T));
  }
  template <class T>
  void put(std::size_t field, T number) {
    put(field, &number, 1);
  }
  /// Rows that were put, those waiting included.
  std::uint64_t rows() const;
  std::uint64_t writtenRows() const { return columns_[0].written; }
  std::size_t waitingBytes() const;
  /// Appends what waits to the datasets; requires that all fields have the same number of rows.
  /// @param multiple  only so many rows that the table has a multiple of this: a chunk that is not full is written anew
  /// each time it grows
  Result<void> flush(std::uint64_t multiple = 1);
  /// Writes nothing any more, not even when it is closed.
  void abandon() noexcept;

 private:
  struct Column {
    Handle dataset;
    std::uint64_t written = 0;  ///< rows
    std::vector<std::byte> waiting;
  };
  std::vector<Field> fields_;
  std::vector<Column> columns_;
};

/// The same to read; rows are those that all fields have.
class TableReader {
 public:
  /// Of one that is none yet.
  Result<void> open(hid_t file, const std::string& group, std::vector<Field> fields);
  std::uint64_t rows() const { return rows_; }
  /// Says that it has no more rows than these. How a recording ends that was not closed.
  void keep(std::uint64_t rows) { rows_ = std::min(rows_, rows); }
  /// How many of its first rows end, in a field of theirs, at a number up to `end` and not before the row before them.
  Result<std::uint64_t> rowsUpTo(std::size_t field, std::uint64_t end) const;
  /// Rows [from, to) of a field. T is the field's own type. Errors also for more than limits.h has read at a time.
  template <class T>
  Result<std::vector<T>> read(std::size_t field, std::uint64_t from, std::uint64_t to) const {
    if (Result<void> ok = checkSize(field, (to - from) * fields_[field].count()); !ok) return ok.error();
    std::vector<T> numbers((to - from) * fields_[field].count());
    SIM_REQUIRE(sizeof(T) == sizeOf(fields_[field].number), fields_[field].name);
    if (Result<void> read = readInto(field, from, to, std::nullopt, numbers.data()); !read)
      return read.error();
    return numbers;
  }
  /// One number of each of the rows [from, to), of a field with one axis.
  template <class T>
  Result<std::vector<T>> readColumn(std::size_t field, std::size_t column, std::uint64_t from,
                                    std::uint64_t to) const {
    if (Result<void> ok = checkSize(field, to - from); !ok) return ok.error();
    std::vector<T> numbers(to - from);
    SIM_REQUIRE(sizeof(T) == sizeOf(fields_[field].number) && fields_[field].shape.size() == 1,
                fields_[field].name);
    if (Result<void> read = readInto(field, from, to, column, numbers.data()); !read) return read.error();
    return numbers;
  }

 private:
  Result<void> checkSize(std::size_t field, std::uint64_t numbers) const;
  Result<void> readInto(std::size_t field, std::uint64_t from, std::uint64_t to,
                        std::optional<std::size_t> column, void* numbers) const;

  std::vector<Field> fields_;
  std::vector<Handle> datasets_;
  std::uint64_t rows_ = 0;
};

}  // namespace slipstick::assets::hdf5
