// Lines of CSV files (RFC 4180), with numbers that no locale changes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace slipstick {

/// One line: cells with commas between them.
class CsvRow {
 public:
  CsvRow& add(std::string_view text);  ///< quoted where RFC 4180 asks for it
  CsvRow& add(double number);          ///< the shortest that reads back as the same; NaN: an empty cell
  CsvRow& addWhole(std::int64_t number);
  CsvRow& addIndex(std::int64_t index);  ///< empty where it is negative: there is none
  CsvRow& addNothing();                  ///< an empty cell
  std::string line() const { return text_ + '\n'; }

 private:
  void separate();
  std::string text_;
  bool isEmpty_ = true;
};

}  // namespace slipstick
