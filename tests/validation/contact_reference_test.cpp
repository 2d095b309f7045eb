// Rigid contact at rest, in slip, rolling and in impact against formulas, beside Drake's results
// (tests/data/rigid/contact). The lagged friction law at 1 ms; tolerances of the tables.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <initializer_list>

#include "tests/support/test_paths.h"
#include "tests/validation/reference_scene.h"
#include "tests/validation/scene_run.h"

namespace slipstick {
namespace {

using nlohmann::json;

const std::string kFolder = "rigid/contact/";  // of tests/data
constexpr double kDt = 1e-3;                   // [s]
constexpr double kGravity = 9.81;              // [m/s²]
constexpr double kStictionSpeed = 1e-4;        // v_s [m/s], the default
const char* const kDrake = "drake_lagged_dt_0.001";

/// Rigid half-space z ≤ 0, as the reference's ground.
RobotSpec ground(double mu) {
  LinkGeometry plane;
  plane.shape = shape::Plane{};
  plane.contact.friction = mu;
  plane.contact.rigid.representation = ContactRepresentation::Rigid;
  plane.contact.rigid.stiffness = 1e6;
  plane.contact.rigid.dissipation = 20;
  RobotSpec spec;
  spec.name = "ground";
  spec.description.links.push_back({.name = "", .visuals = {}, .collisions = {plane}});
  return spec;
}

void addEffort(Scene& scene, const std::string& robot, const std::string& joint, double effort) {
  scene.controllers.push_back(JointEffortSpec{robot, joint, effort, 0});
}

/// One variant of a case: its scene runs, what it measures is judged against the formulas, and one line says
/// how it went.
class Variant {
 public:
  Variant(const std::string& name, const json& data, std::initializer_list<const char*> named)
      : data_(data), label_(name) {
    for (const char* key : named) {
      char text[64];
      std::snprintf(text, sizeof text, " %s %g", key, parameter(key));
      label_ += text;
    }
  }
  ~Variant() { std::printf("  %s:%s\n", label_.c_str(), line_.c_str()); }
  Variant(const Variant&) = delete;
  Variant& operator=(const Variant&) = delete;

  double parameter(const char* key) const { return data_["parameters"][key]; }
  double formula(const std::string& key) const { return data_["analytic"][key]; }
  bool outcomeIs(const char* outcome) const { return data_["analytic"]["outcome"] == outcome; }
  const json& data() const { return data_; }

  /// The variant's robots, on the ground where it has a friction for it.
  Scene scene(bool onGround = true) const {
    Scene scene = testing::referenceScene(kFolder, data_, kDt);
    if (onGround) scene.robots.push_back(ground(parameter("mu")));
    return scene;
  }

  /// |measured − formula| ≤ relative |formula| + absolute.
  void judge(const std::string& key, double measured, double relative, double absolute = 0) {
    const double expected = formula(key), allowed = relative * std::abs(expected) + absolute;
    EXPECT_LE(std::abs(measured - expected), allowed)
        << label_ << ": " << key << " " << measured << ", formula " << expected;
    note(key, measured - expected, allowed, drake(key) - expected, "off by");
  }

  /// |measured| < limit.
  void judgeBelow(const std::string& key, double measured, double limit) {
    EXPECT_LT(std::abs(measured), limit) << label_ << ": " << key;
    note(key, measured, limit, drake(key), "is");
  }

 private:
  /// What Drake's lagged law measured; NaN where it is not stored.
  double drake(const std::string& key) const {
    const json& engine = data_["engines"][kDrake];
    return engine.contains(key) ? engine[key].get<double>() : std::nan("");
  }

  void note(const std::string& key, double value, double allowed, double drake, const char* verb) {
    char text[160];
    std::snprintf(text, sizeof text, " %s %s %.2g (allowed %.2g, Drake %.2g);", key.c_str(), verb, value,
                  allowed, drake);
    line_ += text;
  }

  const json& data_;
  std::string label_, line_;
};

/// A scene in motion, from the variant's start.
class ContactRun : public testing::SceneRun {
 public:
  ContactRun(const Variant& variant, const Scene& scene) : SceneRun(scene) {
    if (!ok()) return;
    VecX q, v;
    testing::referenceState(model(), variant.data(), q, v);
    restart(q, v);
  }

  int body(const std::string& link) const { return testing::bodyOfLink(model(), link); }
  const Pose& pose(const std::string& link) const {
    return snapshot().X_WB[static_cast<std::size_t>(body(link))];
  }
  const Velocity& velocity(const std::string& link) const {
    return snapshot().V_WB[static_cast<std::size_t>(body(link))];
  }
  double tilt(const std::string& link) const { return Eigen::AngleAxisd(pose(link).R).angle(); }

  /// Runs to `end` and averages f over the later half of the samples.
  Vec3 mean(double end, double interval, const std::function<Vec3(const Snapshot&)>& f) {
    Vec3 sum = Vec3::Zero();
    int samples = 0;
    const auto every = static_cast<std::uint64_t>(std::lround(interval / model().time.dt));
    runTo(end, [&](const Snapshot& s) {
      if (s.step % every != 0 || s.time < 0.5 * end - 0.5 * model().time.dt) return;
      sum += f(s);
      ++samples;
    });
    return sum / samples;
  }
};

/// Sum of the forces on a body, from one other body or (−1) from all [N].
Vec3 forceOn(const Snapshot& s, int body, int from = -1) {
  Vec3 force = Vec3::Zero();
  for (const Contact& c : s.contacts) {
    if (c.a.body == body && (from < 0 || c.b.body == from)) force += c.f_Bc_W;
    if (c.b.body == body && (from < 0 || c.a.body == from)) force -= c.f_Bc_W;
  }
  return force;
}

class ContactReference : public ::testing::Test {
 protected:
  /// Calls `test` for each variant of a case.
  static void forEach(const std::string& name, std::initializer_list<const char*> named,
                      const std::function<void(Variant&)>& test) {
    const json data = testing::readData(kFolder + name + ".json");
    ASSERT_FALSE(data["variants"].empty());
    for (const json& entry : data["variants"]) {
      Variant variant(name, entry, named);
      test(variant);
    }
  }
};

TEST_F(ContactReference, SlidingBoxStopsWhereItsEnergyIsSpent) {
  forEach("slide_stop", {"mu", "v0"}, [](Variant& variant) {
    ContactRun run(variant, variant.scene());
    ASSERT_TRUE(run.ok());
    run.runTo(variant.parameter("duration"));
    variant.judge("stopping_distance", run.pose("box").p.x(), 0.02, variant.parameter("v0") * kDt);
    variant.judgeBelow("final_speed", run.velocity("box").v.norm(), 1e-3);
  });
}

TEST_F(ContactReference, BoxOnASlopeSticksBelowTheFrictionAngleAndSlidesAbove) {
  forEach("box_slope", {"mu", "angle_deg"}, [](Variant& variant) {
    ContactRun run(variant, variant.scene());
    ASSERT_TRUE(run.ok());
    const double mu = variant.parameter("mu"), angle = variant.parameter("angle_deg") * M_PI / 180;
    const double T = variant.parameter("duration"), push = kGravity * std::sin(angle),
                 grip = mu * kGravity * std::cos(angle);
    const Vec3 force = run.mean(T, 0.01, [&](const Snapshot& s) { return forceOn(s, run.body("box")); });
    const double moved = run.pose("box").p.x();
    if (variant.outcomeIs("slip")) {
      variant.judge("displacement", moved, 0.01, 2 * grip * kDt * T);
      return;
    }
    const double x = std::tan(angle) / mu, creep = kStictionSpeed * T * x / std::sqrt(1 - x * x);
    const double startUp = push * push * kDt * kDt / (2 * (grip - push));
    variant.judgeBelow("displacement", moved, 1.3 * (creep + startUp) + 1e-4);
    variant.judge("normal_force", force.z(), 2e-3);
    variant.judge("friction_force", -force.x(), 2e-3);
  });
}

TEST_F(ContactReference, BallOnASlopeRollsOrSlips) {
  forEach("sphere_slope", {"mu", "angle_deg"}, [](Variant& variant) {
    ContactRun run(variant, variant.scene());
    ASSERT_TRUE(run.ok());
    run.runTo(variant.parameter("duration"));
    variant.judge("displacement", run.pose("ball").p.x(), 0.01);
    variant.judge("speed", run.velocity("ball").v.x(), 0.005);
    variant.judge("angular_speed", run.velocity("ball").w.y(), 0.01, 1e-6);
  });
}

TEST_F(ContactReference, EachInterfaceOfAStackCarriesTheWeightAboveIt) {
  forEach("stack", {"mu"}, [](Variant& variant) {
    ContactRun run(variant, variant.scene());
    ASSERT_TRUE(run.ok());
    const int count = static_cast<int>(variant.data()["parameters"]["masses"].size());
    std::vector<double> sum(static_cast<std::size_t>(count));
    int samples = 0;
    run.runTo(variant.parameter("duration"), [&](const Snapshot& s) {
      if (s.time < 1) return;
      ++samples;
      int below = run.model().findBody("ground");
      for (int i = 0; i < count; ++i) {
        const int box = run.body("box" + std::to_string(i + 1));
        sum[static_cast<std::size_t>(i)] += forceOn(s, box, below).z();
        below = box;
      }
    });
    for (int i = 0; i < count; ++i)
      variant.judge("interface_force_" + std::to_string(i + 1), sum[static_cast<std::size_t>(i)] / samples,
                    1e-3);
    variant.judgeBelow("sideways_displacement_of_top",
                       run.pose("box" + std::to_string(count)).p.head<2>().norm(), 1e-3);
  });
}

TEST_F(ContactReference, PushedBoxSlipsAtTheFrictionLimit) {
  forEach("ramp_push", {"mu"}, [](Variant& variant) {
    const double rate = variant.parameter("rate"), d = 2e-3, slipTime = variant.formula("slip_force") / rate;
    const double end = variant.parameter("duration") + 1;
    Scene scene = variant.scene();
    scene.controllers.push_back(
        LinkForceSpec{"box.box", Vec3::Zero(), {{0, Vec3::Zero()}, {end, Vec3(rate * end, 0, 0)}}});
    ContactRun run(variant, scene);
    ASSERT_TRUE(run.ok());
    double timeMoved = 0, before = 0, atNinety = 0;
    while (run.state().time < variant.parameter("duration") - 0.5 * kDt) {
      const double t = run.state().time;
      run.step();
      const double x = run.pose("box").p.x();
      if (timeMoved == 0 && x > d) timeMoved = t + kDt * (d - before) / (x - before);
      if (t < 0.9 * slipTime) atNinety = x;
      before = x;
    }
    variant.judge("force_when_moved_0.002", rate * timeMoved, 0.015);
    variant.judge("displacement_at_end", before, 0.05);
    variant.judgeBelow("displacement_at_90_percent_of_slip_force", atNinety, 5e-4);
  });
}

TEST_F(ContactReference, BlockOnASlopeRestsSlidesOrTips) {
  forEach("tip_or_slide", {"mu", "angle_deg", "width", "height"}, [](Variant& variant) {
    ContactRun run(variant, variant.scene());
    ASSERT_TRUE(run.ok());
    run.runTo(variant.parameter("duration"));
    const double moved = run.pose("block").p.x(), tilt = run.tilt("block");
    if (variant.outcomeIs("rest")) {
      variant.judgeBelow("tilt", tilt, 0.02);
      variant.judgeBelow("displacement", moved, 3e-3);
    } else if (variant.outcomeIs("slide")) {
      variant.judgeBelow("tilt", tilt, 0.1);
      variant.judge("displacement", moved, 0.03);
    } else {
      variant.judge("tilt", tilt, 0.05);
      variant.judge("displacement", moved, 0.06);
    }
  });
}

/// What an impact must keep: momentum to rounding, and energy does not grow.
TEST_F(ContactReference, CollidingSpheresKeepMomentumAndAngularMomentum) {
  forEach("sphere_collision", {"mu"}, [](Variant& variant) {
    ContactRun run(variant, variant.scene(false));
    ASSERT_TRUE(run.ok());
    const Totals before = run.snapshot().totals;
    double scale = 0;
    for (const char* ball : {"a", "b"})
      scale += run.model().tree.bodies[static_cast<std::size_t>(run.body(ball))].mass *
               run.velocity(ball).v.norm();
    run.runTo(variant.parameter("T"));
    const Totals& after = run.snapshot().totals;
    const Vec3 apart = run.pose("b").p - run.pose("a").p;
    variant.judgeBelow("linear_momentum_change", (after.momentum - before.momentum).norm(), 1e-9 * scale);
    variant.judgeBelow("angular_momentum_change", (after.angularMomentum - before.angularMomentum).norm(),
                       1e-10);
    variant.judgeBelow("kinetic_energy_ratio", after.kineticEnergy / before.kineticEnergy, 1);
    const double separation = apart.normalized().dot(run.velocity("b").v - run.velocity("a").v);
    EXPECT_GE(separation, -1e-3);
    EXPECT_GT(apart.norm(), 0.18) << "they passed through each other";
  });
}

/// What leaves the row is a property of the contact law: only conserved quantities are asked.
TEST_F(ContactReference, CradleKeepsMomentumAndLosesEnergy) {
  forEach("newton_cradle", {"v0"}, [](Variant& variant) {
    ContactRun run(variant, variant.scene(false));
    ASSERT_TRUE(run.ok());
    const double energy = run.snapshot().totals.kineticEnergy;
    run.runTo(variant.parameter("T"));
    variant.judge("total_momentum", run.snapshot().totals.momentum.x(), 1e-9);
    variant.judgeBelow("kinetic_energy_ratio", run.snapshot().totals.kineticEnergy / energy, 1 + 1e-12);
    EXPECT_GT(run.velocity("s4").v.x(), run.velocity("s0").v.x()) << "the impact did not reach the last ball";
  });
}

TEST_F(ContactReference, BowlingBallEndsRollingAtFiveSevenths) {
  forEach("bowling", {"mu", "v0"}, [](Variant& variant) {
    ContactRun run(variant, variant.scene());
    ASSERT_TRUE(run.ok());
    run.runTo(variant.parameter("duration"));
    variant.judge("final_speed", run.velocity("ball").v.x(), 0.005);
    variant.judge("final_angular_speed", run.velocity("ball").w.y(), 0.005);
    variant.judge("displacement_at_end", run.pose("ball").p.x(), 0.01);
  });
}

/// A free body as a chain of single joints from the world: slides, then turns of which the first, about z,
/// can be driven: a pure torque from outside. Massless links between.
RobotSpec turnedFromOutside(const RobotSpec& body) {
  RobotSpec spec = body;
  spec.freeBase = false;
  spec.X_PB = {};
  const LinkSpec last = body.description.links.front();
  spec.description.links = {{.name = "base", .visuals = {}, .collisions = {}}};
  using multibody::JointType;
  const std::vector<std::tuple<std::string, JointType, Vec3>> joints = {
      {"x", JointType::Prismatic, Vec3::UnitX()},      {"y", JointType::Prismatic, Vec3::UnitY()},
      {"z", JointType::Prismatic, Vec3::UnitZ()},      {"spin", JointType::Continuous, Vec3::UnitZ()},
      {"pitch", JointType::Continuous, Vec3::UnitY()}, {"roll", JointType::Continuous, Vec3::UnitX()}};
  for (const auto& [name, type, axis] : joints) {
    JointSpec joint;
    joint.name = name;
    joint.type = type;
    joint.axis = axis;
    joint.parent = spec.description.links.back().name;
    joint.child = name == "roll" ? last.name : "after_" + name;
    spec.description.joints.push_back(joint);
    spec.description.links.push_back({.name = joint.child, .visuals = {}, .collisions = {}});
  }
  spec.description.joints.front().X_PJ = body.X_PB;
  spec.description.links.back() = last;
  return spec;
}

TEST_F(ContactReference, DiskOnThreeFeetHoldsItsTorqueAndTurnsAboveTheLimit) {
  forEach("pizza_saver", {"torque"}, [](Variant& variant) {
    Scene scene = variant.scene();
    scene.robots.front() = turnedFromOutside(scene.robots.front());
    const double torque = variant.parameter("torque"), T = variant.parameter("duration"),
                 R = variant.parameter("radius");
    addEffort(scene, scene.robots.front().name, "spin", torque);
    ContactRun run(variant, scene);
    ASSERT_TRUE(run.ok());
    double normal = 0, friction = 0;
    int samples = 0;
    run.runTo(T, [&](const Snapshot& s) {
      if (s.step % 10 != 0 || s.time < 0.5 * T - 0.5 * kDt) return;
      ++samples;
      for (const Contact& c : s.contacts) {
        normal += std::abs(c.f_Bc_W.z()) / 3;
        friction += c.f_Bc_W.head<2>().norm() / 3;
      }
    });
    const double limit = variant.formula("slide_torque"), inertia = variant.parameter("mass") * R * R / 2;
    const double angle = run.tilt("disk"), rate = run.velocity("disk").w.z();
    variant.judge("normal_force_per_foot", normal / samples, 1e-3);
    variant.judge("friction_per_foot", friction / samples, variant.outcomeIs("hold") ? 1e-3 : 1e-2);
    if (variant.outcomeIs("hold")) {
      const double x = torque / limit, creep = kStictionSpeed * T * x / std::sqrt(1 - x * x) / R;
      const double startUp = std::pow(torque * kDt / inertia, 2) / (2 * (limit - torque) / inertia);
      variant.judgeBelow("angle_at_end", angle, 1.3 * (creep + startUp) + 2e-4);
    } else {
      variant.judge("angular_speed_at_end", rate, 0.01, limit * kDt / inertia);
      variant.judge("angle_at_end", angle, 0.01, 1.5 * limit * kDt * T / inertia);
    }
  });
}

TEST_F(ContactReference, GripperHoldsAboveTheCriticalEffortAndDropsBelow) {
  forEach("gripper", {"effort_over_critical"}, [](Variant& variant) {
    Scene scene = variant.scene(false);
    for (const char* finger : {"left_finger", "right_finger"})
      addEffort(scene, "rig", finger, variant.parameter("effort"));
    ContactRun run(variant, scene);
    ASSERT_TRUE(run.ok());
    const int box = run.body("box"), left = run.body("left_pad"), right = run.body("right_pad");
    const Vec3 perFinger = run.mean(variant.parameter("duration"), 0.005, [&](const Snapshot& s) {
      const Vec3 l = forceOn(s, box, left), r = forceOn(s, box, right);
      return Vec3((l.x() - r.x()) / 2, 0, (l.z() + r.z()) / 2);
    });
    const bool hold = variant.outcomeIs("hold");
    variant.judge("normal_force_per_finger", perFinger.x(), 2e-3);
    variant.judge("friction_per_finger", perFinger.z(), hold ? 2e-3 : 1e-2);
    if (hold) {
      variant.judgeBelow("drop_at_end", -run.pose("box").p.z(), 1e-3);
    } else {
      variant.judge("drop_at_end", -run.pose("box").p.z(), 0.05);
    }
  });
}

/// The case's controller: constant torques, or torques beside PD (its damping is in the file).
void addPressing(const json& parameters, Scene& scene) {
  const bool isArm = parameters.contains("kp");
  const json& torques = parameters[isArm ? "feedforward_torques" : "joint_torques"];
  JointPathSpec pd;
  pd.robot = "rig";
  for (std::size_t i = 0; i < torques.size(); ++i) {
    pd.joints.push_back("joint" + std::to_string(i + 1));
    addEffort(scene, "rig", pd.joints.back(), torques[i]);
  }
  if (!isArm) return;
  pd.gains.kp = parameters["kp"].get<std::vector<double>>();
  pd.gains.kd = {0};
  pd.keys.push_back({0, parameters["q_desired"].get<std::vector<double>>()});
  scene.controllers.push_back(pd);
}

TEST_F(ContactReference, ArmPressesTheTableWithTheForceOfStatics) {
  forEach("press_table", {"mu"}, [](Variant& variant) {
    Scene scene = variant.scene();
    addPressing(variant.data()["parameters"], scene);
    ContactRun run(variant, scene);
    ASSERT_TRUE(run.ok());
    const bool isArm = variant.data()["parameters"].contains("kp");
    const int tip = run.body(isArm ? "link7" : "link2");
    const Vec3 force = run.mean(variant.parameter("duration"), isArm ? 0.05 : 0.1,
                                [&](const Snapshot& s) { return forceOn(s, tip); });
    double magnitude = std::hypot(variant.formula("contact_force_x"), variant.formula("contact_force_z"));
    if (isArm) magnitude = std::hypot(magnitude, variant.formula("contact_force_y"));
    variant.judge("contact_force_x", force.x(), 0, 0.01 * magnitude);
    variant.judge("contact_force_z", force.z(), 0, 0.01 * magnitude);
    if (isArm) variant.judge("contact_force_y", force.y(), 0, 0.01 * magnitude);
  });
}

TEST_F(ContactReference, DrivenWheelRollsOrSpins) {
  forEach("wheel", {"torque"}, [](Variant& variant) {
    Scene scene = variant.scene();
    addEffort(scene, "rig", "axle", variant.parameter("torque"));
    ContactRun run(variant, scene);
    ASSERT_TRUE(run.ok());
    const Vec3 force = run.mean(variant.parameter("duration"), 0.01,
                                [&](const Snapshot& s) { return forceOn(s, run.body("wheel")); });
    const VecX &q = run.state().q, &v = run.state().v;
    variant.judge("displacement", q[0], 0.01);
    variant.judge("speed", v[0], 0.005);
    variant.judge("wheel_speed", v[2], 0.005);
    variant.judge("friction", force.x(), 0.01);
  });
}

TEST_F(ContactReference, CubeDroppedOnACornerComesToLieFlat) {
  forEach("corner_drop", {"mu"}, [](Variant& variant) {
    ContactRun run(variant, variant.scene());
    ASSERT_TRUE(run.ok());
    const auto energy = [](const Snapshot& s) { return s.totals.kineticEnergy + s.totals.potentialEnergy; };
    const double start = energy(run.snapshot());
    double gain = 0;
    run.runTo(variant.parameter("duration"),
              [&](const Snapshot& s) { gain = std::max(gain, energy(s) - start); });
    const double upright = run.pose("cube").R.row(2).cwiseAbs().maxCoeff();
    EXPECT_NEAR(start, variant.formula("initial_energy"), 1e-6 * start);
    variant.judge("rest_height", run.pose("cube").p.z(), 0, 1e-3);
    variant.judgeBelow("flatness_angle", std::acos(std::min(1.0, upright)), 5e-3);
    variant.judgeBelow("max_energy_above_initial", gain, 1e-4 * start);
    variant.judgeBelow("speed_at_end", run.velocity("cube").v.norm(), 1e-2);
  });
}

}  // namespace
}  // namespace slipstick
