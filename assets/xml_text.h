// What the readers of XML robot files share: well-formedness, numbers in text, places in messages.
#pragma once

#include <tinyxml2.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/foundation/result.h"

namespace slipstick::assets {

/// "file:line, element"; without the parts that are not known (line 0, empty element).
std::string placeInFile(const std::filesystem::path& file, int line, const std::string& element = {});

/// Parses. Broken XML, and elements that stand deeper in each other than TinyXML2 allows, are errors with their line.
Result<void> parseWellFormed(const std::filesystem::path& file, const std::string& text,
                             tinyxml2::XMLDocument& xml);

/// Parses a robot file. Broken XML, more of it than limits.h allows, entities and xacro macros are errors with their line
/// and what to do.
Result<void> parseXml(const std::filesystem::path& file, const std::string& text, tinyxml2::XMLDocument& xml);

/// That a program of macros is not run. @param line  of its first macro, or 0
Error xacroRefused(const std::filesystem::path& file, int line);

/// Whether a text is a program of macros: by its file's suffix, or by what it calls.
bool isXacro(const std::filesystem::path& file, const std::string& text);

const char* attributeOr(const tinyxml2::XMLElement& element, const char* name, const char* fallback);

/// What is wrong with a name that somebody gives, without its place: longer than limits.h allows, or not on one line.
std::optional<Error> faultOfName(std::string_view name);

/// The name of the first element of a text, past declarations, comments and processing instructions of any length; empty
/// where none has begun, or its name has not ended.
std::string_view firstElementIn(std::string_view text);

/// The text inside an element without surrounding spaces; empty if there is none.
std::string textOf(const tinyxml2::XMLElement& element);

/// Whitespace-separated numbers; nothing if any part is not a number.
std::optional<std::vector<double>> numbersIn(const std::string& text);

/// "1.7" as 107, "1.11" as 111; none where it is not two whole numbers.
std::optional<int> versionIn(const std::string& text);

/// The one number in an attribute; the fallback where there is none.
double numberOr(const tinyxml2::XMLElement& element, const char* attribute, double fallback);

}  // namespace slipstick::assets
