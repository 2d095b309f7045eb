#include "assets/xml_text.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "assets/one_line.h"
#include "engine/foundation/number_text.h"

namespace slipstick::assets {
namespace {

/// The first element of the xacro language, or null. Only the upper levels are searched: macros are called
/// there.
const tinyxml2::XMLElement* firstMacro(const tinyxml2::XMLElement& parent, int levels) {
  for (const auto* child = parent.FirstChildElement(); child; child = child->NextSiblingElement()) {
    if (std::string_view(child->Name()).starts_with("xacro:")) return child;
    if (const auto* below = levels > 0 ? firstMacro(*child, levels - 1) : nullptr) return below;
  }
  return nullptr;
}

}  // namespace

std::string placeInFile(const std::filesystem::path& file, int line, const std::string& element) {
  std::string text = file.string();
  if (line > 0) text += ":" + std::to_string(line);
  if (!element.empty()) text += ", " + element;
  return text;
}

Result<void> parseXml(const std::filesystem::path& file, const std::string& text,
                      tinyxml2::XMLDocument& xml) {
  if (text.find("<!ENTITY") != std::string::npos)
    return Error{ErrorCode::Unsupported, "the file defines XML entities, which robot files do not need",
                 file.string(), "remove the <!ENTITY …> lines"};
  if (xml.Parse(text.c_str(), text.size()) != tinyxml2::XML_SUCCESS) {
    // "Error=XML_ERROR_MISMATCHED_ELEMENT ErrorID=14 (0xe) Line number=3: …": the name says it best.
    std::string reason = xml.ErrorName();
    if (reason.starts_with("XML_ERROR_")) reason = reason.substr(10);
    std::transform(reason.begin(), reason.end(), reason.begin(),
                   [](char c) { return c == '_' ? ' ' : static_cast<char>(std::tolower(c)); });
    return Error{ErrorCode::SyntaxError, oneLine("this is not well-formed XML (" + reason + ")"),
                 placeInFile(file, xml.ErrorLineNum()), "close or correct the tag there"};
  }
  const tinyxml2::XMLElement* root = xml.RootElement();
  const tinyxml2::XMLElement* macro = root ? firstMacro(*root, 3) : nullptr;
  if (macro || file.extension() == ".xacro")
    return Error{ErrorCode::Unsupported, "this is a xacro file: its macros are not expanded",
                 placeInFile(file, macro ? macro->GetLineNum() : 0),
                 "run 'xacro " + file.filename().string() + " > robot.urdf' first and open the result"};
  return {};
}

const char* attributeOr(const tinyxml2::XMLElement& element, const char* name, const char* fallback) {
  const char* value = element.Attribute(name);
  return value ? value : fallback;
}

std::string textOf(const tinyxml2::XMLElement& element) {
  const std::string text = element.GetText() ? element.GetText() : "";
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t\r\n") + 1 - begin);
}

std::optional<std::vector<double>> numbersIn(const std::string& text) {
  std::vector<double> values;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) {
    const std::optional<double> value = parseNumber(word);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  return values;
}

double numberOr(const tinyxml2::XMLElement& element, const char* attribute, double fallback) {
  const char* text = element.Attribute(attribute);
  const auto numbers = text ? numbersIn(text) : std::nullopt;
  return numbers && numbers->size() == 1 ? numbers->front() : fallback;
}

}  // namespace slipstick::assets
