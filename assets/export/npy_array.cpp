#include "assets/export/npy_array.h"

#include <algorithm>
#include <utility>

#include "assets/utf8.h"
#include "engine/foundation/require.h"

namespace slipstick::assets {

Result<NpyArray> NpyArray::create(const std::filesystem::path& beside, std::string name, std::string type,
                                  std::size_t size, std::vector<std::size_t> row) {
  Result<SpoolFile> numbers = SpoolFile::create(beside);
  if (!numbers) return numbers.error();
  NpyArray array(std::move(*numbers), std::move(name), std::move(type));
  array.rowBytes_ = size;
  for (const std::size_t extent : row) array.rowBytes_ *= extent;
  array.row_ = std::move(row);
  return array;
}

Result<NpyArray> NpyArray::of(const std::filesystem::path& beside, std::string name,
                              const std::vector<std::string>& texts) {
  std::vector<std::u32string> all;
  std::size_t width = 1;  // NumPy has no texts of width 0
  for (const std::string& text : texts) {
    all.push_back(codePoints(text));
    width = std::max(width, all.back().size());
  }
  const std::string type = "<U" + std::to_string(width);
  Result<NpyArray> array = create(beside, std::move(name), type, 4 * width, {});
  if (!array) return array;
  for (std::u32string& text : all) {
    text.resize(width, 0);
    if (const Result<void> added = array->add(text.data(), 4 * width, type); !added) return added.error();
  }
  return array;
}

Result<void> NpyArray::add(const void* numbers, std::size_t bytes, const std::string& type) {
  SIM_REQUIRE(type == type_, name_, type, type_);
  if (bytes == 0) {
    rows_ += rowBytes_ == 0;  // a row of nothing
    return {};
  }
  SIM_REQUIRE(rowBytes_ > 0 && bytes % rowBytes_ == 0, name_, bytes, rowBytes_);
  rows_ += bytes / rowBytes_;
  return numbers_.write(numbers, bytes);
}

std::string NpyArray::header() const {
  constexpr std::size_t kBefore = 10, kAlignment = 64;
  std::string shape = std::to_string(rows_) + ",";
  for (const std::size_t extent : row_) shape += " " + std::to_string(extent) + ",";
  if (!row_.empty()) shape.pop_back();
  std::string text = "{'descr': '" + type_ + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  while ((kBefore + text.size() + 1) % kAlignment != 0) text += ' ';
  text += '\n';
  std::string header = std::string("\x93NUMPY\x01", 7) + '\0';
  header += static_cast<char>(text.size() & 0xFF);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

}  // namespace slipstick::assets
