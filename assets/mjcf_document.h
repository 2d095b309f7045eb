// An MJCF file with all that it includes, checked element by element against the table of mjcf_schema.h: after that,
// reading an attribute cannot fail. Facts of the format: MuJoCo's XML reference, version 4.0.
#pragma once

#include <tinyxml2.h>

#include <filesystem>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "assets/mjcf_schema.h"
#include "engine/foundation/math.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"

namespace slipstick::assets {

/// What <compiler> says for the whole model, wherever it stands.
struct MjcfCompiler {
  bool degrees = true;                ///< unit of angles
  std::string eulerSequence = "xyz";  ///< lower case: axes that turn along
  bool autoLimits = true;
  std::string inertiaFromGeom = "auto";
  int firstInertiaGroup = 0, lastInertiaGroup = 5;
  double leastMass = 0, leastInertia = 0;  ///< of each body [kg], [kg m²]
  double totalMass = -1;                   ///< positive: all masses are scaled to it [kg]
  bool balancesInertia = false;
  bool exactMeshInertia =
      false;               ///< of files before MuJoCo 3.3: how meshes weigh that say nothing themselves
  bool fitsBoxes = false;  ///< shapes are fitted to a mesh's bounding box, not to its inertia
  bool stripsPaths = false;
  std::string meshFolder, textureFolder;

  /// Of an angle as the file writes it [rad].
  double radians(double angle) const;
};

/// An element with the defaults of its class. What stands nearer to the element goes over the rest; of a list only as
/// many numbers as are written.
class MjcfItem {
 public:
  /// @param chain  not empty; from the outermost class on, the element itself is the last
  explicit MjcfItem(std::vector<const tinyxml2::XMLElement*> chain) : chain_(std::move(chain)) {}

  const tinyxml2::XMLElement& element() const { return *chain_.back(); }
  /// From the element itself outwards, as far as its outermost class.
  std::vector<const tinyxml2::XMLElement*> nearestFirst() const { return {chain_.rbegin(), chain_.rend()}; }
  bool has(const char* attribute) const;
  std::string text(const char* attribute, const std::string& fallback = {}) const;
  bool flag(const char* attribute, bool fallback) const;
  double number(const char* attribute, double fallback) const;
  /// @param fallback  what stands where nothing is written
  std::vector<double> numbers(const char* attribute, std::vector<double> fallback = {}) const;
  Vec3 vec3(const char* attribute, const Vec3& fallback) const;

 private:
  std::vector<const tinyxml2::XMLElement*> chain_;
};

class MjcfDocument {
 public:
  using Element = tinyxml2::XMLElement;

  /// Parses, with what the file includes, and checks. Errors carry "file:line, geom 'name'".
  Result<void> read(const std::filesystem::path& file, const std::string& text);

  const std::filesystem::path& file() const { return file_; }
  const MjcfCompiler& compiler() const { return compiler_; }
  std::string modelName() const;
  /// Children in the order of the document, with those of included files in the place of <include>.
  std::vector<const Element*> children(const Element& parent) const;
  /// All children of the sections of a name: "asset", "equality", …
  std::vector<const Element*> inSections(const char* section) const;
  /// The sections themselves.
  std::vector<const Element*> sections(const char* section) const;
  /// @param childClass  that counts where the element names no class; empty: the outermost
  MjcfItem item(const Element& element, const std::string& childClass = {}) const;
  /// How many meshes there are to read, as text that says it: see RobotMeshes.
  const std::string& meshMarks() const { return meshMarks_; }

  /// "file:line, geom 'name'"; of elements without a name the body around them.
  std::string where(const Element& element) const;
  Error error(ErrorCode code, const Element& element, const std::string& what,
              const std::string& remedy) const;
  Error invalid(const Element& element, const std::string& what, const std::string& remedy) const {
    return error(ErrorCode::InvalidValue, element, what, remedy);
  }
  /// An error of somebody who knows no place, with that of an element.
  Error placed(Error error, const Element& element) const;
  /// Of a name that an attribute gives and that nothing has.
  Error unknown(const Element& element, const std::string& kind, const std::string& name,
                const std::vector<std::string>& known) const;

  std::vector<Notice> notices;
  void note(Notice::Level level, const Element& element, const std::string& what);

 private:
  struct Class {
    std::string parent;                                           ///< empty: it is the outermost
    std::map<std::string, std::vector<const Element*>> defaults;  ///< by tag; those of actuators are one kind
  };
  struct Unused {
    MjcfUse use = MjcfUse::Named;
    const Element* first = nullptr;
    int count = 0;
    std::vector<std::string> attributes;  ///< empty: the element itself is not used
  };

  Result<const Element*> parse(const std::filesystem::path& file, const std::string& text);
  Result<void> loadIncludes(const Element& element, int depth);
  Result<void> include(const Element& include, int depth);
  void readCompiler();
  void readFolders(const MjcfItem& item);
  Result<void> readClasses(const Element& block, const std::string& parent);
  Result<void> checkChildren(const Element& parent, const std::string& context);
  Result<void> checkElement(const Element& element, const std::string& context, const MjcfRules& rules);
  Result<void> checkAttributes(const Element& element, const MjcfRules& rules);
  Result<void> checkNumbers(const Element& element, const MjcfAttribute& rule, const std::string& text) const;
  Result<void> checkOrientation(const Element& element) const;
  Result<void> checkClass(const Element& element) const;
  void countUnused(const Element& element, MjcfUse use, const std::string& attribute);
  void noteUnused();

  std::filesystem::path file_;
  std::vector<std::unique_ptr<tinyxml2::XMLDocument>> documents_;
  std::map<const tinyxml2::XMLDocument*, std::filesystem::path> files_;
  std::map<const Element*, const Element*> included_;  ///< root of what each <include> names
  std::set<std::filesystem::path> seen_;
  std::size_t bytes_ = 0;
  const Element* root_ = nullptr;
  MjcfCompiler compiler_;
  std::map<std::string, Class> classes_;
  std::map<std::string, Unused> unused_;  ///< by tag and use
  std::string meshMarks_;
};

}  // namespace slipstick::assets
