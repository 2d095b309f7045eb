#include "assets/mjcf_scene.h"

#include <algorithm>
#include <cmath>

#include "assets/drake_tags.h"
#include "assets/mjcf_sensors.h"
#include "assets/robot_checks.h"
#include "assets/xml_text.h"
#include "engine/foundation/number_text.h"

namespace slipstick::assets {
namespace {

using Element = MjcfDocument::Element;
using multibody::JointType;

constexpr double kTimeStep = 0.002;  // [s], of files that say nothing
constexpr double kFieldOfView = 45;  // [deg], likewise
constexpr double kViewDistance = 1;  // [m], at least, from a camera to what it looks at

class SceneReader {
 public:
  SceneReader(MjcfDocument& document, const MjcfTree& tree, const std::vector<MjcfActuator>& actuators,
              Scene& scene, std::vector<Notice>& notices)
      : document_(document), tree_(tree), actuators_(actuators), scene_(scene), notices_(notices) {}

  Result<void> read() {
    if (Result<void> ok = readOptions(); !ok) return ok;
    for (const MjcfPlace& camera : tree_.cameras)
      if (Result<void> ok = readCamera(camera); !ok) return ok;
    std::vector<double> controls;
    if (const Element* key = startKey())
      if (Result<void> ok = readKey(*key, controls); !ok) return ok;
    startAsWritten(tree_.robot, robot());
    if (tree_.flags.actuators)
      scene_.controllers = mjcfControllers(tree_, actuators_, controls, robot().name);
    Result<std::vector<SensorSpec>> sensors = mjcfSensors(document_, tree_, robot().name, notices_);
    if (!sensors) return sensors.error();
    scene_.sensors = std::move(*sensors);
    return {};
  }

 private:
  RobotSpec& robot() { return scene_.robots.front(); }

  void note(const Element& element, const std::string& what) {
    noteOnce(notices_, {Notice::Level::Info, document_.where(element), what});
  }

  Result<void> readOptions() {
    scene_.time.dt = kTimeStep;
    scene_.rigidSolver.frictionRule = FrictionRule::Maximum;  // as MuJoCo joins the friction of two geoms
    const std::vector<const Element*> options = document_.sections("option");
    if (!options.empty()) {
      const MjcfItem item(options);
      scene_.gravity = item.vec3("gravity", scene_.gravity);
      scene_.time.dt = item.number("timestep", kTimeStep);
      if (!(scene_.time.dt > 0))
        return document_.invalid(*options.back(), "the time step is not positive", "write seconds above 0");
    }
    if (!tree_.flags.gravity) scene_.gravity.setZero();
    return {};
  }

  /// A camera looks along −z of its frame, y is up in its picture.
  Result<void> readCamera(const MjcfPlace& place) {
    const MjcfItem item = document_.item(*place.element, place.childClass);
    CameraSpec camera;
    camera.name = place.name.empty() ? "camera" + std::to_string(scene_.cameras.size()) : place.name;
    camera.fieldOfView = item.number("fovy", kFieldOfView);
    if (!(camera.fieldOfView > 0 && camera.fieldOfView < 180))
      return document_.invalid(*place.element, "the field of view is not between 0° and 180°",
                               "correct fovy");
    for (const CameraSpec& other : scene_.cameras)
      if (other.name == camera.name)
        return document_.invalid(*place.element, "there is a camera '" + camera.name + "' already",
                                 "rename one of them");
    const std::string mode = item.text("mode", "fixed");
    const MjcfBody& body = tree_.bodies[static_cast<std::size_t>(place.body)];
    const bool rides = mode == "fixed" && body.weldRoot != 0;
    const Pose X = rides ? place.X_BP : body.X_WB * place.X_BP;
    if (rides) camera.body = robot().name + "." + body.name;
    const double distance = std::max(kViewDistance, rides ? 0.0 : X.p.dot(X.R.col(2)));
    camera.position = X.p;
    camera.target = X.p - distance * X.R.col(2);
    camera.up = X.R.col(1);
    if (mode != "fixed")
      note(*place.element, "a camera of the mode '" + mode + "' stands still where it starts");
    const int target = tree_.findBody(item.text("target"));
    if (mode.starts_with("target") && target >= 0) {
      const Vec3 p = tree_.bodies[static_cast<std::size_t>(target)].X_WB.p;
      if ((p - camera.position).cross(Vec3::UnitZ()).norm() > 1e-6) {
        camera.target = p;
        camera.up = Vec3::UnitZ();
      }
    }
    scene_.cameras.push_back(std::move(camera));
    return {};
  }

  /// The keyframe that is called "home", or the first.
  const Element* startKey() const {
    const Element* first = nullptr;
    for (const Element* key : document_.inSections("keyframe")) {
      if (std::string_view(key->Name()) != "key") continue;
      if (std::string_view(attributeOr(*key, "name", "")) == "home") return key;
      if (!first) first = key;
    }
    return first;
  }

  Result<void> readKey(const Element& key, std::vector<double>& controls) {
    const MjcfItem item({&key});
    const std::vector<double> q = item.numbers("qpos"), v = item.numbers("qvel");
    controls = item.numbers("ctrl");
    std::size_t nq = 0, nv = 0;
    for (const MjcfJoint& joint : tree_.joints) {
      nq += static_cast<std::size_t>(multibody::positionCount(joint.type));
      nv += static_cast<std::size_t>(multibody::velocityCount(joint.type));
    }
    for (const auto& [name, count, most] :
         {std::tuple{"qpos", q.size(), nq}, std::tuple{"qvel", v.size(), nv}})
      if (count > most)
        return document_.invalid(key,
                                 std::string(name) + " has " + std::to_string(count) + " numbers for " +
                                     std::to_string(most) + " coordinates",
                                 "write one per coordinate, in the order of the joints");
    note(key, "the model starts in this keyframe");
    std::size_t iq = 0, iv = 0;
    for (const MjcfJoint& joint : tree_.joints) {
      startJoint(joint, q, iq, v, iv);
      iq += static_cast<std::size_t>(multibody::positionCount(joint.type));
      iv += static_cast<std::size_t>(multibody::velocityCount(joint.type));
    }
    return {};
  }

  void startJoint(const MjcfJoint& joint, const std::vector<double>& q, std::size_t iq,
                  const std::vector<double>& v, std::size_t iv) {
    const auto nq = static_cast<std::size_t>(multibody::positionCount(joint.type));
    const auto nv = static_cast<std::size_t>(multibody::velocityCount(joint.type));
    const bool places = iq + nq <= q.size(), moves = iv + nv <= v.size();
    if (nq == 1) {
      const JointSpec& spec = tree_.robot.joints[joint.spec];
      if (places && spec.mimic.empty())
        robot().jointPositions.emplace_back(joint.name, q[iq] - joint.reference);
      if (moves && v[iv] != 0) robot().jointVelocities.emplace_back(joint.name, v[iv]);
      return;
    }
    if (!places) return;
    JointPoseSpec start;
    start.joint = joint.name;
    const bool isFree = joint.type == JointType::Floating;
    const std::size_t turn = isFree ? iq + 3 : iq;
    const Quat rotation(q[turn], q[turn + 1], q[turn + 2], q[turn + 3]);
    const Mat3 R = rotation.norm() > 0 ? rotation.normalized().toRotationMatrix() : Mat3(Mat3::Identity());
    start.X_JC.R = R;
    if (isFree) start.X_JC = joint.X_WJ.inverse() * Pose{R, {q[iq], q[iq + 1], q[iq + 2]}};
    if (moves) {  // turning in the body's axes, moving in those of the world
      const std::size_t w = isFree ? iv + 3 : iv;
      start.angularVelocity = start.X_JC.R * Vec3(v[w], v[w + 1], v[w + 2]);
      if (isFree) start.velocity = joint.X_WJ.R.transpose() * Vec3(v[iv], v[iv + 1], v[iv + 2]);
    }
    robot().jointPoses.push_back(std::move(start));
  }

  MjcfDocument& document_;
  const MjcfTree& tree_;
  const std::vector<MjcfActuator>& actuators_;
  Scene& scene_;
  std::vector<Notice>& notices_;
};

}  // namespace

Result<void> readMjcfScene(MjcfDocument& document, const MjcfTree& tree,
                           const std::vector<MjcfActuator>& actuators, Scene& scene,
                           std::vector<Notice>& notices) {
  return SceneReader(document, tree, actuators, scene, notices).read();
}

}  // namespace slipstick::assets
