#include "engine/foundation/csv_text.h"

#include <cmath>

#include "engine/foundation/number_text.h"

namespace slipstick {

void CsvRow::separate() {
  if (!isEmpty_) text_ += ',';
  isEmpty_ = false;
}

CsvRow& CsvRow::add(std::string_view text) {
  separate();
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    text_ += text;
    return *this;
  }
  text_ += '"';
  for (const char c : text) {
    if (c == '"') text_ += '"';
    text_ += c;
  }
  text_ += '"';
  return *this;
}

CsvRow& CsvRow::add(double number) {
  separate();
  if (!std::isnan(number)) text_ += shortest(number);
  return *this;
}

CsvRow& CsvRow::addWhole(std::int64_t number) {
  separate();
  text_ += std::to_string(number);
  return *this;
}

CsvRow& CsvRow::addIndex(std::int64_t index) {
  return index < 0 ? addNothing() : addWhole(index);
}

CsvRow& CsvRow::addNothing() {
  separate();
  return *this;
}

}  // namespace slipstick
