// The published tasks as numbers: the same for any number of threads on every instruction set, wherever the
// scene stands, and without a malloc per step.
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>
#include <string>

#include "assets/scene_io.h"
#include "engine/compile/compile.h"
#include "engine/mpm/backend.h"
#include "tests/support/allocation_count.h"
#include "tests/support/initial_state.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

constexpr const char* kTasks[] = {"dough_rolling", "box_bagging", "laundry", "tshirt_folding", "shake"};

class Tasks : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    Result<assets::LoadedScene> loaded = assets::loadScene(GetParam());
    ASSERT_TRUE(loaded) << loaded.error().message();
    scene_ = loaded->scene;
  }

  static std::shared_ptr<const Model> modelOf(const Scene& scene) {
    Result<CompiledScene> compiled = compile(scene);
    EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().message());
    return compiled ? compiled->model : nullptr;
  }

  Scene scene_;
};

/// Another choice of instruction set, as long as it lives.
class InstructionSet {
 public:
  explicit InstructionSet(const char* name) {
    if (const char* before = std::getenv(kVariable)) before_ = before;
    setenv(kVariable, name, 1);
  }
  ~InstructionSet() { before_ ? setenv(kVariable, before_->c_str(), 1) : unsetenv(kVariable); }
  InstructionSet(const InstructionSet&) = delete;
  InstructionSet& operator=(const InstructionSet&) = delete;

 private:
  static constexpr const char* kVariable = "SLIPSTICK_ISA";
  std::optional<std::string> before_;
};

TEST_P(Tasks, GiveTheSameBitsForOneAndTwoThreadsOnEveryInstructionSet) {
  constexpr int kSteps = 6;
  const auto model = modelOf(scene_);
  int tried = 0;
  for (const char* name : {"base", "avx2", "avx512"}) {
    const InstructionSet chosen(name);
    if (mpm::cpuInstructionSet() != name) continue;  // not on this machine
    const auto one = testing::stepperOf(model, {.backend = "cpu", .threads = 1});
    const auto two = testing::stepperOf(model, {.backend = "cpu", .threads = 2});
    Snapshot first, second;
    for (int step = 1; step <= kSteps; ++step) {
      one->step({}, first, Detail::Facts);
      two->step({}, second, Detail::Facts);
      ASSERT_EQ(first.stateHash, second.stateHash) << name << ", step " << step;
    }
    ++tried;
  }
  EXPECT_GE(tried, 1);
}

/// The laundry as published: under strong, mechanisms that touch particles take memory in every substep.
TEST_P(Tasks, StepWithoutAllocatingWhenNobodyLooks) {
  const auto model = modelOf(scene_);
  const std::string method = GetParam() == std::string("laundry") ? "async" : "";
  const auto stepper = testing::stepperOf(model, {.method = method, .backend = "cpu", .threads = 1});
  Snapshot snapshot;
  State before;
  for (int i = 0; i < 10; ++i) stepper->step({}, snapshot, Detail::Facts);
  stepper->save(before);
  stepper->step({}, snapshot, Detail::Facts);
  const std::uint64_t hash = snapshot.stateHash;
  // The very same step once more needs no more memory than the first time.
  stepper->restore(before);
  const std::size_t count = testing::allocationCount();
  stepper->step({}, snapshot, Detail::Facts);
  EXPECT_EQ(testing::allocationCount() - count, 0u);
  EXPECT_EQ(snapshot.stateHash, hash);
}

/// The scene at another place in the world.
Scene moved(Scene scene, const Vec3& by) {
  for (DeformableSpec& d : scene.deformables) d.X_WD.p += by;
  for (RobotSpec& r : scene.robots)
    if (r.attachTo == "world" || r.freeBase) r.X_PB.p += by;
  for (BoundarySpec& b : scene.boundaries)
    if (b.path.empty()) b.X_WS.p += by;
  for (LoopSpec& l : scene.loops) {
    if (l.linkA == "world") l.X_LaA.p += by;
    if (l.linkB == "world") l.X_LbB.p += by;
  }
  for (PathSpec& path : scene.paths)
    for (PathSpec::Key& key : path.keys) key.p += by;
  return scene;
}

/// Everything that a plot may show but the totals about W's origin, seen from `origin`.
struct Facts {
  std::vector<std::string> names;
  std::vector<double> values;

  Facts(const Model& model, const Snapshot& s, const Vec3& origin) {
    for (std::size_t b = 1; b < model.tree.bodies.size(); ++b) {
      const std::string& name = model.tree.bodies[b].name;
      add(name + ".p", s.X_WB[b].p - origin);
      add(name + ".v", s.V_WB[b].v);
      add(name + ".w", s.V_WB[b].w);
      add(name + ".contact.f", s.contactWrench[b].force);
      add(name + ".contact.m", s.contactWrench[b].torque);
    }
    for (std::size_t d = 0; d < model.deformables.size(); ++d) {
      const DeformableFacts& facts = s.deformables[d];
      const std::string& name = model.deformables[d].name;
      add(name + ".center", facts.center - origin);
      add(name + ".lower", facts.lower - origin);
      add(name + ".upper", facts.upper - origin);
      add(name + ".v", facts.velocity);
      add(name + ".volume", facts.volume);
      add(name + ".energy", facts.elasticEnergy);
    }
    for (const Vec3& force : s.boundaryForce) add("boundary", force);
    add("momentum", s.totals.momentum);
    add("kinetic", s.totals.kineticEnergy);
    add("contacts", static_cast<double>(s.contacts.size()));
  }

 private:
  void add(const std::string& name, double value) {
    names.push_back(name);
    values.push_back(value);
  }
  void add(const std::string& name, const Vec3& value) {
    for (int i = 0; i < 3; ++i) add(name + "." + "xyz"[i], value(i));
  }
};

constexpr int kMovedSteps = 50;

std::vector<Facts> history(const Model& model, Stepper& stepper, const Vec3& origin) {
  std::vector<Facts> facts;
  Snapshot snapshot;
  for (int i = 0; i < kMovedSteps; ++i) {
    stepper.step({}, snapshot, Detail::Facts);
    facts.emplace_back(model, snapshot, origin);
  }
  return facts;
}

/// Largest difference of each observable over all steps.
std::vector<double> differences(const std::vector<Facts>& a, const std::vector<Facts>& b) {
  std::vector<double> largest(a.front().values.size(), 0);
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < largest.size(); ++k)
      largest[k] = std::max(largest[k], std::abs(a[i].values[k] - b[i].values[k]));
  return largest;
}

/// Float noise of a scene: how far its observables are off when x and v of every particle start with a random
/// error of one rounding of float, 6e-8 of half a metre and of the velocity.
class Noise {
 public:
  Noise(const Model& model, Stepper& stepper, const std::vector<Facts>& exact)
      : largest_(exact.front().values.size(), 0) {
    const State start = testing::initialState(model);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> rounding(-6e-8, 6e-8);
    const auto error = [&] { return Vec3(rounding(random), rounding(random), rounding(random)); };
    for (int run = 0; run < 2; ++run) {
      State state = start;
      for (Vec3& x : state.soft.x) x += 0.5 * error();
      for (Vec3& v : state.soft.v) v += v.norm() * error();
      stepper.restore(state);
      const std::vector<double> off = differences(history(model, stepper, Vec3::Zero()), exact);
      for (std::size_t k = 0; k < off.size(); ++k) largest_[k] = std::max(largest_[k], off[k]);
    }
  }
  double of(std::size_t observable) const { return largest_[observable]; }

 private:
  std::vector<double> largest_;
};

TEST_P(Tasks, AreTheSameTenMetresAway) {
  const Vec3 by(10, -7, 3);
  const auto here = modelOf(scene_), there = modelOf(moved(scene_, by));
  const auto stepper = testing::stepperOf(here, {.backend = "cpu", .threads = 1});
  const std::vector<Facts> facts = history(*here, *stepper, Vec3::Zero());
  const auto elsewhere = testing::stepperOf(there, {.backend = "cpu", .threads = 1});
  const std::vector<double> off = differences(history(*there, *elsewhere, by), facts);
  const Noise noise(*here, *stepper, facts);
  // Ten times the noise, as for the reference data; and what double precision has at this distance.
  for (std::size_t k = 0; k < off.size(); ++k) {
    double size = 0;
    for (const Facts& f : facts) size = std::max(size, std::abs(f.values[k]));
    // Whether a particle that only just touches counts is noise, too.
    const double oneContact = facts.front().names[k] == "contacts" ? 1 : 0;
    EXPECT_LE(off[k], 10 * noise.of(k) + 1e-9 * size + 1e-12 + oneContact)
        << facts.front().names[k] << ", up to " << size;
  }
}

INSTANTIATE_TEST_SUITE_P(Published, Tasks, ::testing::ValuesIn(kTasks),
                         [](const auto& task) { return std::string(task.param); });

}  // namespace
}  // namespace slipstick
