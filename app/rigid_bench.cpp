#include "app/rigid_bench.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "app/progress.h"
#include "assets/scene_io.h"
#include "assets/shipped.h"
#include "engine/compile/compile.h"
#include "engine/compile/shape_mass.h"
#include "engine/foundation/number_text.h"
#include "engine/multibody/kinematics.h"
#include "engine/rigid/rigid_solver.h"

namespace slipstick::app {

namespace {

struct RigidScene {
  std::string_view name;
  int boxes;         ///< 0: the arm
  double mujoco_us;  ///< measured once on a machine of this kind, one thread, on other scenes of that size
  double drake_us;
};

constexpr std::array kScenes = {
    RigidScene{"rigid_arm7", 0, 3.5, 28},
    RigidScene{"rigid_pile_30", 30, 201, 4250},
    RigidScene{"rigid_pile_100", 100, 924, 23800},
    RigidScene{"rigid_pile_400", 400, 8187, 189500},
};

constexpr int kSettlingSteps = 1000;  // of a pile, before it is timed
constexpr int kWarmUpSteps = 100;
constexpr double kSettlingStep = 4e-3, kTimedStep = 1e-3;  // [s]

const RigidScene* find(const std::string& name) {
  const auto found = std::find_if(kScenes.begin(), kScenes.end(),
                                  [&](const RigidScene& scene) { return scene.name == name; });
  return found == kScenes.end() ? nullptr : &*found;
}

/// Fractional parts of multiples of irrational numbers: spread evenly, the same everywhere.
double spread(int index, double irrational) {
  return std::fmod((index + 0.5) * irrational, 1.0);
}

RobotSpec boxBody(int index, int perLayer) {
  constexpr std::array kSizes = {0.1, 0.12, 0.08};
  const double size = kSizes[static_cast<std::size_t>(index) % 3];
  LinkSpec link;
  LinkGeometry geometry;
  geometry.shape = shape::Box{0.5 * size * Vec3(1, 0.9, 0.8)};
  const MassProperties mass = *massProperties(geometry.shape);
  constexpr double kDensity = 500;
  link.mass = kDensity * mass.volume;
  link.inertia = kDensity * mass.inertiaPerDensity;
  link.collisions.push_back(geometry);
  RobotSpec body;
  body.name = "box_" + std::to_string(index);
  body.description.name = body.name;
  body.description.links.push_back(link);
  body.freeBase = true;
  const int layer = index / perLayer, place = index % perLayer;
  const int side = static_cast<int>(std::ceil(std::sqrt(perLayer)));
  const Vec3 jitter(spread(index, 0.6180339887), spread(index, 0.7548776662), spread(index, 0.5698402910));
  const Vec3 p = 0.16 * Vec3(place % side - 0.5 * side, place / side - 0.5 * side, layer) + 0.04 * jitter;
  const Vec3 rpy =
      6.28 * Vec3(spread(index, 0.8191725134), spread(index, 0.6710436067), spread(index, 0.5497004779));
  body.X_PB = Pose::fromRpy(rpy, p + Vec3(0, 0, 0.15));
  return body;
}

Result<Scene> sceneOf(const RigidScene& bench) {
  if (bench.boxes > 0) return pileScene(bench.boxes);
  Result<assets::LoadedScene> arm = assets::parseScene("robots: {arm: {urdf: arm7.urdf}}\n",
                                                       assets::assetsFolder() / "robots", "rigid_arm7");
  if (!arm) return arm.error();
  return arm->scene;
}

struct Sums {
  RigidTimes times;
  double total = 0, pairs = 0, points = 0, iterations = 0;
  std::vector<double> steps;

  /// @param wall  [s]
  void add(const RigidStepOutput& output, double wall) {
    steps.push_back(wall);
    total += wall;
    times.dynamics += output.times.dynamics;
    times.collision += output.times.collision;
    times.assembly += output.times.assembly;
    times.solve += output.times.solve;
    pairs += static_cast<double>(output.contacts.pairs.size());
    points += static_cast<double>(output.contacts.points.size());
    iterations += output.iterations;
  }
};

/// Off the balance of an upright arm, so that it swings freely.
void bend(VecX& q) {
  for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = i % 2 == 0 ? 0.02 : -0.02;
}

/// The pile for other programs: tests/benchmarks/mujoco builds the same one. Position and quaternion (w x y z)
/// of every box at its start and after settling.
nlohmann::ordered_json pileAsJson(const Scene& scene, const Model& model, const VecX& settledQ) {
  const multibody::Tree& tree = model.tree;
  nlohmann::ordered_json boxes = nlohmann::ordered_json::array();
  for (const multibody::Joint& joint : tree.joints) {
    if (joint.type != multibody::JointType::Floating) continue;
    const auto body = static_cast<std::size_t>(joint.child);
    const LinkSpec& link = scene.robots[boxes.size() + 1].description.links.front();  // after the ground
    const Vec3 half = std::get<shape::Box>(link.collisions.front().shape).halfExtents;
    const Vec3 inertia = tree.bodies[body].inertia.diagonal();
    const auto pose = [&](const VecX& q) {
      return std::vector<double>(q.data() + joint.qStart, q.data() + joint.qStart + 7);
    };
    boxes.push_back({{"half_extents", {half.x(), half.y(), half.z()}},
                     {"mass", tree.bodies[body].mass},
                     {"inertia", {inertia.x(), inertia.y(), inertia.z()}},
                     {"start", pose(model.initialQ)},
                     {"settled", pose(settledQ)}});
  }
  return {{"friction", model.rigidPairLaw(0, 1).friction},
          {"settling_steps", kSettlingSteps},
          {"settling_step_s", kSettlingStep},
          {"boxes", boxes}};
}

}  // namespace

std::vector<std::string> rigidBenchNames() {
  std::vector<std::string> names;
  for (const RigidScene& scene : kScenes) names.emplace_back(scene.name);
  return names;
}

bool isRigidBench(const std::string& name) {
  return find(name) != nullptr;
}

Scene pileScene(int boxes) {
  Scene scene;
  scene.name = "pile_" + std::to_string(boxes);
  RobotSpec ground;
  ground.name = "ground";
  ground.description.links.emplace_back();
  LinkGeometry plane;
  plane.shape = shape::Plane{};
  ground.description.links.front().collisions.push_back(plane);
  scene.robots.push_back(ground);
  const int perLayer = std::max(9, boxes / 8);
  for (int i = 0; i < boxes; ++i) scene.robots.push_back(boxBody(i, perLayer));
  return scene;
}

void printRigidBenchHeading() {
  std::printf("%-15s %7s %7s %6s %9s %9s %9s   %8s %9s %8s %7s   %s\n", "rigid, 1 ms", "pairs", "points",
              "iter", "us/step", "p50", "p99", "dynamics", "collision", "assembly", "solve",
              "MuJoCo, Drake (measured once, like scenes)");
}

/// A model in motion.
struct RigidWindow::Motion {
  const RigidScene& bench;
  Scene scene;
  std::shared_ptr<const Model> model;
  RigidSolver solver;
  VecX q, v, warmStart;
  VecX startQ;  ///< before the warm-up
  RigidStepInput input;
  RigidStepOutput output;

  Motion(const RigidScene& b, Scene s, std::shared_ptr<const Model> m)
      : bench(b),
        scene(std::move(s)),
        model(std::move(m)),
        solver(model),
        q(model->initialQ),
        v(model->initialV) {
    input.gravity = model->gravity;
  }
  void step(double dt) {
    input.q = &q;
    input.v = &v;
    input.dt = dt;
    solver.step(input, warmStart, output);
    v = output.v;
    multibody::integrate(model->tree, v, dt, q);
  }
};

RigidWindow::RigidWindow(std::unique_ptr<Motion> motion) : motion_(std::move(motion)) {}
RigidWindow::RigidWindow(RigidWindow&&) noexcept = default;
RigidWindow::~RigidWindow() = default;

Result<RigidWindow> RigidWindow::open(const std::string& name) {
  const RigidScene& bench = *find(name);
  Result<Scene> scene = sceneOf(bench);
  if (!scene) return scene.error();
  Result<CompiledScene> compiled = compile(*scene);
  if (!compiled) return compiled.error();
  auto motion = std::make_unique<Motion>(bench, std::move(*scene), compiled->model);
  if (bench.boxes > 0) {
    for (int i = 0; i < kSettlingSteps; ++i) motion->step(kSettlingStep);
  } else {
    bend(motion->q);
  }
  motion->startQ = motion->q;
  for (int i = 0; i < kWarmUpSteps; ++i) motion->step(kTimedStep);
  return RigidWindow(std::move(motion));
}

double RigidWindow::step() {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  motion_->step(kTimedStep);
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::size_t RigidWindow::points() const {
  return motion_->output.contacts.points.size();
}

nlohmann::ordered_json RigidWindow::bench(int steps) {
  const Motion& motion = *motion_;
  Sums sums;
  for (int i = 0; i == 0 || (i < steps && !InterruptWatch::requested()); ++i) {
    const double wall = step();
    sums.add(motion.output, wall);
  }
  steps = static_cast<int>(sums.steps.size());
  std::sort(sums.steps.begin(), sums.steps.end());
  const auto percentile = [&](double p) {
    return 1e6 * sums.steps[static_cast<std::size_t>(p * static_cast<double>(sums.steps.size() - 1))];
  };
  const auto mean = [&](double sum) { return sum / steps; };
  const auto us = [&](double sum) { return 1e6 * sum / steps; };
  std::printf("%-15s %7s %7s %6s %9s %9s %9s   %8s %9s %8s %7s   %s, %s us\n",
              std::string(motion.bench.name).c_str(), fixed(mean(sums.pairs), 0).c_str(),
              fixed(mean(sums.points), 0).c_str(), fixed(mean(sums.iterations), 2).c_str(),
              fixed(us(sums.total), 1).c_str(), fixed(percentile(0.5), 1).c_str(),
              fixed(percentile(0.99), 1).c_str(), fixed(us(sums.times.dynamics), 1).c_str(),
              fixed(us(sums.times.collision), 1).c_str(), fixed(us(sums.times.assembly), 1).c_str(),
              fixed(us(sums.times.solve), 1).c_str(), fixed(motion.bench.mujoco_us, 0).c_str(),
              fixed(motion.bench.drake_us, 0).c_str());
  std::fflush(stdout);
  nlohmann::ordered_json row = {
      {"scene", motion.bench.name},
      {"bodies", motion.model->tree.bodies.size() - 1},
      {"velocities", motion.model->tree.nv},
      {"us_per_step", us(sums.total)},
      {"p50_us", percentile(0.5)},
      {"p99_us", percentile(0.99)},
      {"pairs", mean(sums.pairs)},
      {"points", mean(sums.points)},
      {"iterations", mean(sums.iterations)},
      {"largest_velocity", motion.v.cwiseAbs().maxCoeff()},
      {"phases_us",
       {{"dynamics", us(sums.times.dynamics)},
        {"collision", us(sums.times.collision)},
        {"assembly", us(sums.times.assembly)},
        {"solve", us(sums.times.solve)}}},
      {"step_s", kTimedStep},
      {"timed_steps", steps},
      {"start_q", std::vector<double>(motion.startQ.begin(), motion.startQ.end())},
      {"warm_up_steps", kWarmUpSteps},
      {"final_q", std::vector<double>(motion.q.begin(), motion.q.end())},
      {"measured_once_us", {{"mujoco", motion.bench.mujoco_us}, {"drake", motion.bench.drake_us}}}};
  if (motion.bench.boxes > 0) row["pile"] = pileAsJson(motion.scene, *motion.model, motion.startQ);
  return row;
}

}  // namespace slipstick::app
