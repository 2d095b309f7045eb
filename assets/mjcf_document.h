// An MJCF file with all that it includes and attaches, checked element by element against the table of mjcf_schema.h: after
// that, reading an attribute cannot fail. Facts of the format: MuJoCo's XML reference, version 4.0.
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

/// What <compiler> says for all of a file and what it includes, wherever it stands.
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

  /// Parses, with what the file includes and attaches, and checks. Errors carry "file:line, geom 'name'".
  Result<void> read(const std::filesystem::path& file, const std::string& text);

  const std::filesystem::path& file() const { return file_; }
  /// Of the whole model.
  const MjcfCompiler& compiler() const { return parts_.front()->compiler; }
  /// Of an element: an attached model keeps its own units and folders.
  const MjcfCompiler& compiler(const Element& element) const { return partOf(element).compiler; }
  /// Where files that an element names are: the folder of its model's own file.
  std::filesystem::path folderOf(const Element& element) const { return partOf(element).file.parent_path(); }
  std::string modelName() const;
  /// Children in the order of the document, with those of included files in the place of <include>; of an <attach> what it
  /// brings.
  std::vector<const Element*> children(const Element& parent) const;
  /// The class that counts in what an <attach> brings: that of where it comes from, not of where it goes.
  const std::string& childClassOf(const Element& attach) const { return attached_.at(&attach).childClass; }
  /// All children of the sections of a name: "asset", "equality", …
  std::vector<const Element*> inSections(const char* section) const;
  /// The sections themselves: the model's own, then those that come along with what it attaches.
  std::vector<const Element*> sections(const char* section) const;
  /// @param childClass  that counts where the element names no class; empty: the outermost of its model
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
  /// Errors: it is longer than names may be, or not on one line.
  Result<void> checkName(const Element& element, const std::string& name) const;
  /// Of a joint or an <inertial> that stands in no body.
  Error inWorld(const Element& element) const {
    return invalid(element, "the world itself has a joint or an <inertial>", "put it into a <body>");
  }
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

  /// A file with all that it includes: the model itself, or one that an <attach> brings. A file is read anew for each, as
  /// its names differ.
  struct Part {
    std::filesystem::path file;
    const Part* parent = nullptr;  ///< that attaches it; null: it is the model itself
    const Element* root = nullptr;
    MjcfCompiler compiler;
    std::map<std::string, Class> classes;
    std::set<std::filesystem::path> seen;          ///< what it includes, and itself
    std::map<std::string, const Element*> models;  ///< that it lists, by name; empty until it attaches one
  };
  struct Source {
    std::filesystem::path file;
    Part* part = nullptr;
  };
  struct Attached {
    std::vector<const Element*> elements;
    std::string childClass;
  };

  Result<const Element*> parse(const std::filesystem::path& file, const std::string& text, Part& part);
  /// @param level  how deep in bodies and frames it is attached
  Result<Part*> readPart(const std::filesystem::path& file, const std::string& text, const Part* parent,
                         int level);
  Result<void> checkPart(Part& part);
  Result<void> checkWorld(const Element& parent) const;
  Result<void> loadIncludes(const Element& element, int depth);
  Result<void> include(const Element& include, int depth);
  Result<std::filesystem::path> fileOf(const Element& element, const std::string& name) const;
  Result<std::string> readFile(const std::filesystem::path& file);
  const Part& partOf(const Element& element) const { return *sources_.at(element.GetDocument()).part; }
  std::vector<const Element*> sectionsOf(const Part& part, const char* section) const;
  void readCompiler(Part& part);
  void readFolders(const MjcfItem& item, MjcfCompiler& compiler) const;
  Result<void> readClasses(Part& part, const Element& block, const std::string& parent);
  // mjcf_attach.cpp
  Result<void> loadAttached(const Element& parent, Part& part, int level);
  Result<void> checkAttach(const Element& attach, const Part& part) const;
  Result<void> checkCircle(const Element& attach, const std::filesystem::path& file, const Part& part) const;
  Result<void> checkModel(const Element& model) const;
  std::string nameOfModel(const Element& model);
  Result<void> listModels(Part& part);
  Result<std::filesystem::path> modelFile(const Element& attach, Part& part);
  Result<void> attach(const Element& attach, Part& part, int level);
  Result<void> place(const Element& attach, const Part& model);
  Result<Attached> choose(const Element& attach, const Part& model) const;
  void noteWhatStaysBehind(const Part& model);
  static bool isWithin(const Part& part, const Part& model);
  void dropUnresolved(const Part& model, const Attached& attached);
  Result<void> prefixNames(const Part& model, const std::string& prefix);
  Result<void> checkChildren(const Element& parent, const std::string& context);
  Result<void> checkElement(const Element& element, const std::string& context, const MjcfRules& rules);
  Result<void> checkAttributes(const Element& element, const MjcfRules& rules);
  Result<void> checkLengths(const Element& element) const;
  Result<void> checkNumbers(const Element& element, const MjcfAttribute& rule, const std::string& text);
  Result<void> checkOrientation(const Element& element) const;
  Result<void> checkClass(const Element& element) const;
  void countUnused(const Element& element, MjcfUse use, const std::string& attribute);
  void noteUnused();

  std::filesystem::path file_;
  std::vector<std::unique_ptr<tinyxml2::XMLDocument>> documents_;
  std::map<const tinyxml2::XMLDocument*, Source> sources_;
  std::vector<std::unique_ptr<Part>> parts_;           ///< the model itself is the first
  std::map<const Element*, const Element*> included_;  ///< root of what each <include> names
  std::map<const Element*, Attached> attached_;        ///< by <attach>
  std::set<const Element*> dropped_;  ///< of attached models: what names things that stay behind
  std::map<std::filesystem::path, std::string> modelNames_;  ///< of models that are listed without one
  std::size_t bytes_ = 0;
  std::map<std::string, Unused> unused_;  ///< by tag and use
  std::string meshMarks_;
};

}  // namespace slipstick::assets
