// SDF files checked element by element before libsdformat reads them: it reports no lines, accepts numbers
// that are none and drops in silence what it does not know.
#pragma once

#include <tinyxml2.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/model.h"

namespace slipstick::assets {

class SdfDocument {
 public:
  /// Parses and checks a file and the files that it includes. Errors carry "file:line, element".
  Result<void> read(const std::filesystem::path& file, const std::string& text,
                    const std::vector<std::filesystem::path>& packagePaths);

  /// The main file for libsdformat: without what is not used, with the places of included files resolved.
  std::string rewritten() const;

  /// "file:line, kind 'name'" of a link, joint, frame or model; "file" alone if there is none. Scopes
  /// ("inner::") are ignored.
  std::string where(const std::string& kind, const std::string& name) const;
  /// The place of something that a message of libsdformat names in brackets.
  std::string whereMentioned(const std::string& message) const;

  std::vector<Notice> notices;

 private:
  using Element = tinyxml2::XMLElement;
  Result<void> readFile(tinyxml2::XMLDocument& xml, const std::string& text);
  Result<void> checkRoot(const Element& root);
  Result<void> checkElement(Element& element);
  Result<void> checkNumbers(Element& element);
  Result<void> checkName(const Element& element);
  Result<void> checkJoint(const Element& joint) const;
  Result<void> checkLimits(const Element& limit) const;
  Result<void> include(Element& include);
  Result<void> checkChildren(Element& element);
  void noteUnused(const Element& element);
  Error error(ErrorCode code, const Element& element, const std::string& what,
              const std::string& remedy) const;
  std::string ownerOf(const Element& element) const;

  std::filesystem::path mainFile_, file_;  ///< the file that is being read
  std::vector<std::filesystem::path> packagePaths_;
  tinyxml2::XMLDocument xml_;
  std::map<std::string, std::string> places_;  ///< "kind name" → where
  std::map<std::string, int> unused_;          ///< tag → index of its notice
  std::size_t links_ = 0, joints_ = 0, includes_ = 0;
};

}  // namespace slipstick::assets
