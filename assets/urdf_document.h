// A URDF file checked element by element and made palatable for urdfdom, which reports no lines, accepts some
// faults in silence and knows no capsules, ellipsoids and drake: tags.
#pragma once

#include <tinyxml2.h>

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "assets/drake_tags.h"
#include "assets/robot_checks.h"
#include "engine/foundation/result.h"
#include "engine/model/model.h"

namespace slipstick::assets {

/// What stands for "no limit" in the rewritten text, because URDF requires a number.
inline constexpr double kNoLimit = 1e300;

/// How a shape that urdfdom does not know was written for it.
enum class RewrittenShape {
  No,
  CapsuleAsCylinder,
  EllipsoidAsBox,  ///< the size is the three half axes
};

class UrdfDocument {
 public:
  /// Parses and checks. Errors carry "file:line, link 'name'".
  Result<void> read(const std::filesystem::path& file, const std::string& text);

  /// The same robot, as text that urdfdom reads without loss.
  std::string rewritten() const;

  struct Place {
    std::string name;
    int line = 0;
  };
  std::vector<Place> links, joints;        ///< in the file's order
  std::map<std::string, double> armature;  ///< by joint: rotor inertia · gear ratio² [kg m²]
  std::set<std::string> ballJoints;        ///< joints of type "ball", which urdfdom does not know
  /// Per link, for each visual (collision) in order.
  std::map<std::string, std::vector<RewrittenShape>> rewrittenVisuals, rewrittenCollisions;
  std::map<std::string, std::vector<ContactSpec>> contacts;  ///< per link and collision
  std::map<std::string, std::vector<char>>
      coloredVisuals;  ///< per link and visual: the file gives it a colour
  std::map<std::string, std::vector<std::string>> visualImages;  ///< per link and visual: a file, or ""
  std::vector<FilterGroup> filterGroups;
  std::vector<Notice> notices;

  std::string where(int line, const std::string& element = {}) const;
  int lineOf(const std::vector<Place>& places, const std::string& name) const;

 private:
  using Element = tinyxml2::XMLElement;
  Result<void> checkNumbers(Element& element, const std::string& owner);
  Result<void> checkNumber(Element& element, const char* attribute, int count, const std::string& owner);
  void readVersion(Element& robot);
  Result<void> settleOrientation(Element& origin, const std::string& owner);
  Result<void> readMaterials(Element& robot);
  /// Adds the element's name to those of its kind, "link" or "joint", if it may have it.
  Result<void> takeName(const Element& element, const std::string& kind, std::vector<Place>& taken) const;
  Result<void> readLink(Element& link);
  Result<void> readShapes(Element& link, const std::string& name, const char* tag);
  static bool hasNoExtent(const Element& kind);
  Result<void> checkSizes(const Element& kind, const std::string& owner) const;
  Result<void> readProximity(Element& collision, const std::string& name);
  void readFilterGroups(Element& robot);
  struct GivenMaterial {
    bool colored = false;
    std::string image;  ///< a file, or ""
  };
  Result<void> settleMaterial(Element& visual, const std::string& owner, GivenMaterial& given);
  Result<void> readJoint(Element& joint);
  Result<void> adoptDrakeJoints(Element& robot);
  void settlePlanarDamping(Element& joint, const std::string& owner);
  Result<void> checkDynamics(const Element& joint, const std::string& owner, const std::string& type);
  Result<void> checkLimits(Element& joint, const std::string& name, const std::string& type);
  Result<void> readTransmission(Element& transmission);
  Result<void> checkTree(Element& robot);
  void joinTrees(Element& robot, const std::vector<TreeJoint>& joints) const;
  void settleMimics(Element& robot);
  void settleColor(Element& color, const std::string& owner);
  Result<void> readInertial(Element& link, const std::string& owner);
  void addLimits(Element& joint, const std::string& owner, const std::string& why);
  void noteRepeated(Element& element, const std::string& owner);
  void noteUnknownAttributes(const Element& element);
  void dropUnknown(Element& parent, const std::set<std::string>& known);
  void noteDropped();
  Error error(ErrorCode code, int line, const std::string& element, const std::string& what,
              const std::string& remedy) const;

  std::filesystem::path file_;
  tinyxml2::XMLDocument xml_;
  int version_ = 100;                          ///< versionIn()
  std::map<std::string, std::string> colors_;  ///< material name → "r g b a"
  std::map<std::string, std::string> images_;  ///< material name → file
  struct Dropped {
    int count = 0, firstLine = 0;
  };
  std::map<std::string, Dropped> dropped_, droppedAttributes_;  ///< tag, words of an attribute → how often
};

}  // namespace slipstick::assets
