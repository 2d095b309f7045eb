#include "assets/xml_text.h"

#include <algorithm>
#include <sstream>

#include "assets/limits.h"
#include "assets/one_line.h"
#include "engine/foundation/lower_case.h"
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

/// Elements and attributes, and some more: counted in the text, before there is memory for each.
std::size_t partsIn(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return c == '<' || c == '='; }));
}

/// The first element that stands deeper than allowed, or null. Own bookkeeping: the depth is what is in doubt.
const tinyxml2::XMLElement* tooDeep(const tinyxml2::XMLElement* root) {
  int depth = 1;
  for (const tinyxml2::XMLElement* at = root; at;) {
    if (depth > limits::kXmlDepth) return at;
    if (const auto* child = at->FirstChildElement()) {
      at = child;
      ++depth;
      continue;
    }
    while (at != root && !at->NextSiblingElement()) {
      at = at->Parent()->ToElement();
      --depth;
    }
    at = at == root ? nullptr : at->NextSiblingElement();
  }
  return nullptr;
}

Error deeperThanAllowed(const std::filesystem::path& file, int line) {
  return {ErrorCode::Unsupported,
          "elements stand more than " + std::to_string(limits::kXmlDepth) + " deep in each other",
          placeInFile(file, line), "flatten the file"};
}

/// Where a "<!…" ends, or something begins in it: quotes may hold any characters.
std::size_t endOfDeclaration(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    at = text.find_first_of("\"'<[>", at);
    if (at == std::string_view::npos || (text[at] != '"' && text[at] != '\'')) return at;
    const std::size_t close = text.find(text[at], at + 1);
    if (close == std::string_view::npos) return close;
    at = close + 1;
  }
  return std::string_view::npos;
}

/// Empty where it has not ended, or is none.
std::string_view nameAtBegin(std::string_view text) {
  const std::size_t end = text.find_first_of(" \t\r\n/><");
  return end == std::string_view::npos || text[end] == '<' ? std::string_view() : text.substr(0, end);
}

}  // namespace

std::string placeInFile(const std::filesystem::path& file, int line, const std::string& element) {
  std::string text = file.string();
  if (line > 0) text += ":" + std::to_string(line);
  if (!element.empty()) text += ", " + element;
  return text;
}

Result<void> parseWellFormed(const std::filesystem::path& file, const std::string& text,
                             tinyxml2::XMLDocument& xml) {
  const tinyxml2::XMLError parsed = xml.Parse(text.c_str(), text.size());
  if (parsed == tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED) return deeperThanAllowed(file, xml.ErrorLineNum());
  if (parsed == tinyxml2::XML_SUCCESS) return {};
  // "Error=XML_ERROR_MISMATCHED_ELEMENT ErrorID=14 (0xe) Line number=3: …": the name says it best.
  std::string reason = xml.ErrorName();
  if (reason.starts_with("XML_ERROR_")) reason = reason.substr(10);
  std::transform(reason.begin(), reason.end(), reason.begin(),
                 [](char c) { return c == '_' ? ' ' : lowerCase(c); });
  const bool isAttribute = parsed == tinyxml2::XML_ERROR_PARSING_ATTRIBUTE;
  return Error{ErrorCode::SyntaxError, oneLine("this is not well-formed XML (" + reason + ")"),
               placeInFile(file, xml.ErrorLineNum()),
               isAttribute ? "write each attribute there once, with its value in quotes"
                           : "close or correct the tag there"};
}

Result<void> parseXml(const std::filesystem::path& file, const std::string& text,
                      tinyxml2::XMLDocument& xml) {
  if (text.size() > limits::kXmlBytes || partsIn(text) > limits::kXmlParts)
    return Error{ErrorCode::Unsupported,
                 "the text has more than " + std::to_string(limits::kXmlBytes / limits::kMiB) + " MiB or " +
                     std::to_string(limits::kXmlParts) + " elements and attributes",
                 file.string(), "check that it is the right file"};
  if (text.find("<!ENTITY") != std::string::npos)
    return Error{ErrorCode::Unsupported, "the file defines XML entities, which robot files do not need",
                 file.string(), "remove the <!ENTITY …> lines"};
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return Error{ErrorCode::SyntaxError, "the file is empty", file.string(),
                 "name a file with a robot in it"};
  if (Result<void> ok = parseWellFormed(file, text, xml); !ok) return ok;
  const tinyxml2::XMLElement* root = xml.RootElement();
  if (const tinyxml2::XMLElement* deep = tooDeep(root)) return deeperThanAllowed(file, deep->GetLineNum());
  const tinyxml2::XMLElement* macro = root ? firstMacro(*root, 3) : nullptr;
  if (macro) return xacroRefused(file, macro->GetLineNum());
  return {};
}

Error xacroRefused(const std::filesystem::path& file, int line) {
  return {ErrorCode::Unsupported, "this is a xacro file: its macros are code, which is run only when you ask",
          placeInFile(file, line),
          "open it with --xacro if you trust its author, or run 'xacro " + file.filename().string() +
              " > robot.urdf' first and open the result"};
}

bool isXacro(const std::filesystem::path& file, const std::string& text) {
  if (file.extension() == ".xacro") return true;
  if (text.find("<xacro:") == std::string::npos && text.find("xmlns:xacro") == std::string::npos)
    return false;
  tinyxml2::XMLDocument xml;
  if (xml.Parse(text.c_str(), text.size()) != tinyxml2::XML_SUCCESS || !xml.RootElement()) return false;
  return firstMacro(*xml.RootElement(), 3) != nullptr;
}

std::optional<Error> faultOfName(std::string_view name) {
  if (name.size() > limits::kNameBytes)
    return Error{ErrorCode::InvalidValue, "a name may not be longer than 200 bytes", "", "shorten it"};
  if (std::any_of(name.begin(), name.end(), isControl))
    return Error{ErrorCode::InvalidValue, "a name may not contain line breaks", "",
                 "write the name on one line"};
  return std::nullopt;
}

const char* attributeOr(const tinyxml2::XMLElement& element, const char* name, const char* fallback) {
  const char* value = element.Attribute(name);
  return value ? value : fallback;
}

std::string_view firstElementIn(std::string_view text) {
  constexpr auto kNone = std::string_view::npos;
  for (std::size_t at = text.find('<'); at != kNone; at = text.find('<', at)) {
    const std::string_view rest = text.substr(at + 1);
    if (rest.starts_with("!--"))
      at = text.find("-->", at + 4);
    else if (rest.starts_with("?"))
      at = text.find("?>", at + 2);
    else if (rest.starts_with("!"))
      at = endOfDeclaration(text, at + 1);
    else
      return nameAtBegin(rest);
    if (at == kNone) break;
  }
  return {};
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

std::optional<int> versionIn(const std::string& text) {
  const std::size_t dot = text.find('.');
  const bool plain = text.find_first_not_of("0123456789.") == std::string::npos && text.size() < 8;
  if (!plain || dot == std::string::npos || dot == 0 || dot + 1 == text.size() || text.rfind('.') != dot)
    return std::nullopt;
  const int minor = std::stoi(text.substr(dot + 1));
  if (minor > 99) return std::nullopt;  // it would be one of the next whole number
  return 100 * std::stoi(text.substr(0, dot)) + minor;
}

double numberOr(const tinyxml2::XMLElement& element, const char* attribute, double fallback) {
  const char* text = element.Attribute(attribute);
  const auto numbers = text ? numbersIn(text) : std::nullopt;
  return numbers && numbers->size() == 1 ? numbers->front() : fallback;
}

}  // namespace slipstick::assets
