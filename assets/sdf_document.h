// SDF files checked element by element before libsdformat reads them: it reports no lines, accepts numbers
// that are none and drops in silence what it does not know.
#pragma once

#include <tinyxml2.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/foundation/result.h"
#include "engine/model/model.h"

namespace slipstick::assets {

/// From this version on, frames are named as they are here: attribute relative_to, expressed_in.
inline constexpr int kFramesVersion = 107;

class SdfDocument {
 public:
  /// Parses and checks a file and the files that it includes. Errors carry "file:line, element".
  Result<void> read(const std::filesystem::path& file, const std::string& text,
                    const std::vector<std::filesystem::path>& packagePaths);

  /// All of it in one text for libsdformat: without what is not used, with included models in their places.
  std::string rewritten() const;

  /// "file:line, kind 'name'" of a link, joint, frame or model; "file" alone if there is none. Scopes
  /// ("inner::") are ignored.
  std::string where(const std::string& kind, const std::string& name) const;
  /// The place of something that a message of libsdformat names in brackets.
  std::string whereMentioned(const std::string& message) const;

  std::vector<Notice> notices;
  bool isWorld = false;  ///< the file has several models, side by side: what no joint holds is free

 private:
  using Element = tinyxml2::XMLElement;
  Result<void> readFile(tinyxml2::XMLDocument& xml, const std::string& text);
  Result<void> checkRoot(Element& root);
  Result<void> checkElement(Element& element);
  Result<void> checkNumbers(Element& element);
  Result<void> checkName(const Element& element);
  Result<void> checkJoint(const Element& joint) const;
  void settleLimits(Element& limit);
  std::vector<std::pair<std::string, std::string>> noLimitsFor(const Element& limit) const;
  static bool hasNoExtent(const Element& shape);
  bool dropIfNoExtent(Element& parent, Element& child);
  void noteRepeated(Element& element, const std::set<std::string>* used);
  // sdf_include.cpp
  void gatherWorld(Element& root);
  void renameClashes(Element& scope, const std::set<std::string>& tags);
  void renameWorldLink(Element& model);
  Result<void> include(Element& include);
  Result<void> goOnWithout(Element& include, const Error& missing);
  Result<void> inlineModel(Element& include, const Element& included);
  void bringAlong(Element& element) const;
  void upgrade(Element& element) const;
  // sdf_document.cpp
  Result<void> checkChildren(Element& element);
  Result<void> checkUsedChildren(Element& element, const std::set<std::string>* used);
  void countUnused(const Element& element);
  void countUnknownAttributes(const Element& element);
  void countUnused(const Element& element, Notice::Level level, const std::string& what);
  void noteUnused();
  void warn(const Element& element, const std::string& what);
  Error error(ErrorCode code, const Element& element, const std::string& what,
              const std::string& remedy) const;
  std::string ownerOf(const Element& element) const;

  bool hasWorld_ = false;                  ///< the main file has a <world>
  std::filesystem::path mainFile_, file_;  ///< the file that is being read
  std::vector<std::filesystem::path> packagePaths_;
  tinyxml2::XMLDocument xml_;
  std::map<std::string, std::string> places_;  ///< "kind name" → where
  struct Unused {
    Notice::Level level = Notice::Level::Info;
    std::string where;  ///< the first place
    int count = 0;
  };
  std::map<std::string, Unused> unused_;               ///< by what it is: "<plugin>", "'size' of <mesh>"
  std::vector<std::map<std::string, int>> scopes_{1};  ///< lines of the names taken in each element above
  std::size_t links_ = 0, joints_ = 0, includes_ = 0, memory_ = 0;
  std::vector<std::filesystem::path> including_;  ///< files that are being read, the main one first
  int version_ = 0, newestVersion_ = 0;           ///< of the file that is being read, of all: versionIn()
};

}  // namespace slipstick::assets
