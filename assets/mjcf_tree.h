// <worldbody> of an MJCF file as links and joints, with what else hangs on bodies: sites, cameras, masks of contact.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "assets/mjcf_assets.h"
#include "assets/mjcf_document.h"
#include "assets/mjcf_inertia.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

/// What <flag> switches off.
struct MjcfFlags {
  bool gravity = true, contact = true, limits = true, springs = true, dampers = true, dryFriction = true;
  bool equalities = true, actuators = true;
};
MjcfFlags flagsOf(const MjcfDocument& document);

/// Bodies of the file, parents first; 0 is the world.
struct MjcfBody {
  std::string name;  ///< of its link
  int parent = 0;
  Pose X_WB;         ///< where the file puts it; joints are at their references there
  int weldRoot = 0;  ///< the body that it moves with: itself if it has a joint
  std::size_t link = 0;
  int joints = 0;
};

struct MjcfJoint {
  std::string name;
  multibody::JointType type = multibody::JointType::Revolute;
  int body = 0;
  double reference = 0;  ///< MuJoCo's coordinate where ours is zero [rad] or [m]
  std::size_t spec = 0;  ///< into RobotDescription::joints
  Pose X_WJ;             ///< where the file puts it
  /// Asked for in place of stiffness and damping: time constant [s] and damping ratio; both positive, or not asked for.
  double timeConstant = 0, dampingRatio = 0;
};

/// A place on a body: site or camera.
struct MjcfPlace {
  std::string name;
  int body = 0;
  Pose X_BP;
  const tinyxml2::XMLElement* element = nullptr;
  std::string childClass;
};

struct MjcfGeom {
  std::string name;
  int body = 0;
  std::uint32_t contype = 1, conaffinity = 1;
  bool collides = false;
};

/// Names of replicated things go under the name that the file writes, too.
using MjcfReplicas = std::map<std::string, std::vector<std::string>>;

class MjcfTree {
 public:
  MjcfTree(MjcfDocument& document, MjcfAssets& assets) : document_(document), assets_(assets) {}

  /// Fills all below. Errors carry the place in the file.
  Result<void> read();

  RobotDescription robot;
  std::vector<MjcfBody> bodies;
  std::vector<MjcfJoint> joints;  ///< in the order of MuJoCo's coordinates
  std::map<std::string, MjcfPlace> sites;
  std::vector<MjcfPlace> cameras;
  std::vector<MjcfGeom> geoms;
  MjcfFlags flags;

  /// "file:line, body 'name'" of a link.
  std::string whereLink(const std::string& link) const;
  int findBody(const std::string& name) const;  ///< −1: none
  int findJoint(const std::string& name) const;
  std::vector<std::string> bodyNames() const;
  std::vector<std::string> jointNames() const;
  std::vector<std::string> siteNames() const;
  /// The names that one in the file stands for: itself, or those of its replicas.
  std::vector<std::string> namesOf(const std::string& name) const;
  JointSpec& specOf(const MjcfJoint& joint) { return robot.joints[joint.spec]; }

 private:
  using Element = MjcfDocument::Element;
  /// Where the children of an element are put.
  struct Place {
    int body = 0;
    Pose X_BF;
    std::string childClass;
    std::string suffix;  ///< of names, in replicas
  };
  struct Found {
    const Element* element;
    Place place;
  };
  /// What must be known of a body before its other contents.
  struct Parts {
    std::vector<Found> joints, inertials;
  };

  // mjcf_tree.cpp
  Result<void> readContents(const Element& parent, const Place& place);
  Result<void> readChild(const Element& child, const Place& place);
  Result<void> readBody(const Element& element, const Place& outer);
  Result<void> readReplicas(const Element& element, const Place& place);
  Result<Place> inside(const Element& frame, const Place& place) const;
  Result<void> findParts(const Element& parent, const Place& place, Parts& parts) const;
  Result<void> checkJoints(const Element& body, const std::vector<Found>& found) const;
  /// The end of a body's joints so far.
  struct Chain {
    std::string parent;  ///< the link that it has reached
    Pose X;              ///< of the body's frame in that link, were it not for further joints
  };
  Result<void> addJoints(int index, const Pose& X_PB, const std::vector<Found>& found);
  Result<void> addJoint(const Found& found, const std::string& name, int index, Chain& chain);
  Result<void> readJoint(const Found& found, MjcfJoint& joint, JointSpec& spec, Vec3& anchor);
  void readJointNumbers(const MjcfItem& item, MjcfJoint& joint, JointSpec& spec);
  Result<void> readJointLimits(const MjcfItem& item, const MjcfJoint& joint, JointSpec& spec);
  void addFixed(int body, const Pose& X_PB);
  Result<std::string> nameFor(const Element& element, const Place& place, const std::string& fallback,
                              std::set<std::string>& taken);
  Result<void> readPlace(const Element& element, const Place& place);
  void findGivenNames(const Element& parent);
  // mjcf_geoms.cpp
  Result<void> readGeom(const Element& element, const Place& place);
  Result<Shape> shapeOf(const MjcfItem& item, const std::string& type, double halfLength, Pose& X_BG);
  Result<Shape> fittedShape(const MjcfItem& item, const std::string& type, Pose& X_BG);
  Result<void> weighGeom(const MjcfItem& item, const Shape& shape, const std::string& mesh, const Pose& X_BG,
                         int body);
  Result<void> drawGeom(const MjcfItem& item, const LinkGeometry& geometry, const std::string& mesh,
                        int body);
  Result<void> collideGeom(const MjcfItem& item, LinkGeometry geometry, const std::string& mesh,
                           MjcfGeom& geom);
  Result<void> readInertial(const Element& element, const Place& place);
  void findPairedGeoms();
  Result<void> settleMasses();
  static void boundMass(LinkSpec& link, const MjcfCompiler& compiler);

  MjcfDocument& document_;
  MjcfAssets& assets_;
  std::vector<const Element*> elements_;  ///< per body
  std::vector<MassSum> masses_;           ///< per body, of its geoms
  std::vector<std::optional<LinkSpec>> inertials_;
  std::set<std::string> bodyNames_, jointNames_, geomNames_;
  std::map<std::string, int> bodyIndex_, jointIndex_;
  std::set<std::string> pairedGeoms_;  ///< that <pair> names: they meet whatever their masks say
  std::map<std::string, std::set<std::string>> given_;  ///< names that the file gives, by tag
  MjcfReplicas replicas_;
  int replicasMade_ = 0;
  std::size_t partsMade_ = 0;  ///< elements in bodies, each as often as it is replicated
};

}  // namespace slipstick::assets
