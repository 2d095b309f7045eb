#include "app/rigid_bench.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "assets/scene_io.h"
#include "assets/shipped.h"
#include "engine/foundation/number_text.h"
#include "engine/model/shape_mass.h"
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

/// A model in motion, with nothing but the rigid solver.
struct Motion {
  std::shared_ptr<const Model> model;
  RigidSolver solver;
  VecX q, v, warmStart;
  RigidStepInput input;
  RigidStepOutput output;

  explicit Motion(std::shared_ptr<const Model> m)
      : model(std::move(m)), solver(model), q(model->initialQ), v(model->initialV) {
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

struct Sums {
  RigidTimes times;
  double total = 0, pairs = 0, points = 0, iterations = 0, speed = 0;
  std::vector<double> steps;
};

Sums measure(Motion& motion, int steps) {
  using Clock = std::chrono::steady_clock;
  Sums sums;
  for (int i = 0; i < steps; ++i) {
    const Clock::time_point start = Clock::now();
    motion.step(1e-3);
    sums.steps.push_back(std::chrono::duration<double>(Clock::now() - start).count());
    const RigidTimes& t = motion.output.times;
    sums.times.dynamics += t.dynamics;
    sums.times.collision += t.collision;
    sums.times.assembly += t.assembly;
    sums.times.solve += t.solve;
    sums.total += sums.steps.back();
    sums.pairs += static_cast<double>(motion.output.contacts.pairs.size());
    sums.points += static_cast<double>(motion.output.contacts.points.size());
    sums.iterations += motion.output.iterations;
  }
  sums.speed = motion.v.size() > 0 ? motion.v.cwiseAbs().maxCoeff() : 0;
  return sums;
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

Result<nlohmann::ordered_json> benchRigid(const std::string& name, int steps) {
  const RigidScene& bench = *find(name);
  Result<Scene> scene = sceneOf(bench);
  if (!scene) return scene.error();
  Result<CompiledScene> compiled = compile(*scene);
  if (!compiled) return compiled.error();
  Motion motion(compiled->model);
  const int settling = bench.boxes > 0 ? 1000 : 0;  // 4 s
  for (int i = 0; i < settling; ++i) motion.step(4e-3);
  measure(motion, 100);
  Sums sums = measure(motion, steps);
  std::sort(sums.steps.begin(), sums.steps.end());
  const auto percentile = [&](double p) {
    return 1e6 * sums.steps[static_cast<std::size_t>(p * static_cast<double>(sums.steps.size() - 1))];
  };
  const auto mean = [&](double sum) { return sum / steps; };
  const auto us = [&](double sum) { return 1e6 * sum / steps; };
  std::printf("%-15s %7s %7s %6s %9s %9s %9s   %8s %9s %8s %7s   %s, %s us\n", name.c_str(),
              fixed(mean(sums.pairs), 0).c_str(), fixed(mean(sums.points), 0).c_str(),
              fixed(mean(sums.iterations), 2).c_str(), fixed(us(sums.total), 1).c_str(),
              fixed(percentile(0.5), 1).c_str(), fixed(percentile(0.99), 1).c_str(),
              fixed(us(sums.times.dynamics), 1).c_str(), fixed(us(sums.times.collision), 1).c_str(),
              fixed(us(sums.times.assembly), 1).c_str(), fixed(us(sums.times.solve), 1).c_str(),
              fixed(bench.mujoco_us, 0).c_str(), fixed(bench.drake_us, 0).c_str());
  std::fflush(stdout);
  return nlohmann::ordered_json{
      {"scene", name},
      {"bodies", motion.model->tree.bodies.size() - 1},
      {"velocities", motion.model->tree.nv},
      {"us_per_step", us(sums.total)},
      {"p50_us", percentile(0.5)},
      {"p99_us", percentile(0.99)},
      {"pairs", mean(sums.pairs)},
      {"points", mean(sums.points)},
      {"iterations", mean(sums.iterations)},
      {"largest_velocity", sums.speed},
      {"phases_us",
       {{"dynamics", us(sums.times.dynamics)},
        {"collision", us(sums.times.collision)},
        {"assembly", us(sums.times.assembly)},
        {"solve", us(sums.times.solve)}}},
      {"measured_once_us", {{"mujoco", bench.mujoco_us}, {"drake", bench.drake_us}}}};
}

}  // namespace slipstick::app
