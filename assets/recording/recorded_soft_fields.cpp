#include "assets/recording/recorded_soft_fields.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace slipstick::assets::recording {

namespace {

constexpr std::size_t kMaxFields = 64, kMaxName = 64;
constexpr int kMaxExtent = 64;

bool isName(const std::string& text) {
  const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
  return !text.empty() && text.size() <= kMaxName && std::all_of(text.begin(), text.end(), fits);
}

std::optional<FieldSpec> softFieldOf(const std::string& text) {
  std::istringstream words(text);
  FieldSpec field;
  std::string rest;
  if (!(words >> field.name >> field.rows >> field.columns) || words >> rest) return std::nullopt;
  const auto fits = [](int extent) { return extent >= 1 && extent <= kMaxExtent; };
  if (!isName(field.name) || !fits(field.rows) || !fits(field.columns)) return std::nullopt;
  return field;
}

}  // namespace

std::string textOf(const std::vector<FieldSpec>& fields) {
  std::string text;
  for (const FieldSpec& field : fields)
    text += (text.empty() ? "" : ", ") + field.name + " " + std::to_string(field.rows) + " " +
            std::to_string(field.columns);
  return text;
}

std::optional<std::vector<FieldSpec>> softFieldsOf(const std::string& text) {
  std::vector<FieldSpec> fields;
  std::istringstream list(text);
  for (std::string entry; std::getline(list, entry, ',');) {
    const std::optional<FieldSpec> field = softFieldOf(entry);
    const auto isSame = [&](const FieldSpec& other) { return other.name == field->name; };
    if (!field || std::any_of(fields.begin(), fields.end(), isSame) || fields.size() == kMaxFields)
      return std::nullopt;
    fields.push_back(*field);
  }
  return fields;
}

}  // namespace slipstick::assets::recording
