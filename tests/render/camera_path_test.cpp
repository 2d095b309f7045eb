// Where a camera is between its keys.
#include "render/jobs/camera_path.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::render {
namespace {

CameraKey keyAt(double time, const Vec3& eye, const Vec3& target = Vec3::Zero(), double fieldOfView = 40,
                const Vec3& up = Vec3::UnitZ()) {
  CameraKey key;
  key.time = time;
  key.camera.position = eye;
  key.camera.target = target;
  key.camera.fieldOfView = fieldOfView;
  key.camera.up = up;
  return key;
}

Camera cameraAt(const CameraPath& path, double time) {
  Snapshot snapshot;
  snapshot.time = time;
  return path.at(Model(), snapshot);
}
Camera cameraAt(const std::vector<CameraKey>& keys, double time) {
  return cameraAt(CameraPath(keys), time);
}

void expectNear(const Vec3& a, const Vec3& b, double tolerance, const std::string& where) {
  EXPECT_LT((a - b).norm(), tolerance) << where << ": " << a.transpose() << ", not " << b.transpose();
}

/// Keys at uneven times, far enough from each other and from what they look at.
std::vector<CameraKey> someKeys(std::mt19937& random, std::size_t count) {
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<CameraKey> keys;
  double time = uniform(random);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 eye(4 + uniform(random), 3 * uniform(random), 2 + uniform(random));
    const Vec3 target(uniform(random), uniform(random), uniform(random));
    keys.push_back(keyAt(time, eye, target, 40 + 15 * uniform(random)));
    time += 0.6 + 0.5 * uniform(random);
  }
  return keys;
}

TEST(CameraPath, StaysWhereItIsWithoutKeys) {
  Camera camera;
  camera.target = {1, 2, 3};
  camera.parallel = true;
  for (const double time : {-1.0, 0.0, 100.0}) {
    const Camera at = cameraAt(CameraPath(camera), time);
    EXPECT_EQ(at.target, camera.target);
    EXPECT_TRUE(at.parallel);
  }
}

TEST(CameraPath, GoesThroughEveryKeyExactlyAndStaysBeforeAndAfter) {
  std::mt19937 random(1);
  for (const std::size_t count : {1, 2, 3, 8}) {
    const std::vector<CameraKey> keys = someKeys(random, count);
    const auto expectAt = [&](double time, const CameraSpec& spec) {
      const Camera camera = cameraAt(keys, time);
      expectNear(camera.eye(), spec.position, 1e-9, "eye");
      expectNear(camera.target, spec.target, 1e-9, "target");
      EXPECT_NEAR(camera.fieldOfView, spec.fieldOfView, 1e-9);
    };
    for (const CameraKey& key : keys) expectAt(key.time, key.camera);
    expectAt(keys.front().time - 100, keys.front().camera);
    expectAt(keys.back().time + 100, keys.back().camera);
  }
}

/// Between two keys it starts and ends at rest: by s² (3 − 2 s).
TEST(CameraPath, BetweenTwoKeysEasesInAndOut) {
  const std::vector<CameraKey> keys = {keyAt(1, {4, 0, 1}, {0, 0, 0}, 30),
                                       keyAt(3, {4, 2, 1}, {0, 1, 0}, 50)};
  for (const double s : {0.1, 0.25, 0.5, 0.9}) {
    const double part = s * s * (3 - 2 * s);
    const Camera camera = cameraAt(keys, 1 + 2 * s);
    expectNear(camera.eye(), {4, 2 * part, 1}, 1e-9, "eye");
    expectNear(camera.target, {0, part, 0}, 1e-9, "target");
    EXPECT_NEAR(camera.fieldOfView, 30 + 20 * part, 1e-9);
  }
}

/// Its slope at a key is that between the neighbours, whatever their times: what moves evenly does so between inner keys.
TEST(CameraPath, MovesEvenlyBetweenInnerKeysThatDo) {
  std::vector<CameraKey> keys;
  const auto eyeAt = [](double time) { return Vec3(4, time, 1 + 0.5 * time); };
  for (const double time : {0.0, 1.0, 1.5, 3.0, 3.2, 5.0}) keys.push_back(keyAt(time, eyeAt(time)));
  for (double time = 1; time <= 3.2; time += 0.05)
    expectNear(cameraAt(keys, time).eye(), eyeAt(time), 1e-9, std::to_string(time));
}

/// Values and first derivatives meet at keys, the derivatives being those of Catmull–Rom; at both ends they are zero.
TEST(CameraPath, HasNoCornersAndRestsAtItsEnds) {
  std::mt19937 random(2);
  const std::vector<CameraKey> keys = someKeys(random, 6);
  const double h = 1e-5;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    const double time = keys[i].time;
    const Vec3 before = (cameraAt(keys, time).eye() - cameraAt(keys, time - h).eye()) / h;
    const Vec3 after = (cameraAt(keys, time + h).eye() - cameraAt(keys, time).eye()) / h;
    Vec3 slope = Vec3::Zero();
    if (i > 0 && i + 1 < keys.size())
      slope =
          (keys[i + 1].camera.position - keys[i - 1].camera.position) / (keys[i + 1].time - keys[i - 1].time);
    expectNear(before, slope, 2e-3, "before key " + std::to_string(i));
    expectNear(after, slope, 2e-3, "after key " + std::to_string(i));
  }
}

TEST(CameraPath, IsTheSameWayBackwards) {
  std::mt19937 random(3);
  const std::vector<CameraKey> keys = someKeys(random, 5);
  std::vector<CameraKey> back = keys;
  std::reverse(back.begin(), back.end());
  for (CameraKey& key : back) key.time = -key.time;
  for (double time = keys.front().time; time < keys.back().time; time += 0.07)
    expectNear(cameraAt(back, -time).eye(), cameraAt(keys, time).eye(), 1e-9, std::to_string(time));
}

TEST(CameraPath, RollsByTurningWhatIsUp) {
  const Vec3 eye(4, 0, 0), middle = Vec3(0, 1, 1).normalized();
  const std::vector<CameraKey> keys = {keyAt(0, eye), keyAt(1, eye, Vec3::Zero(), 40, {0, 7, 0})};
  const auto upAt = [&](double time) -> Vec3 {
    return cameraAt(keys, time).view().row(1).head<3>().transpose().cast<double>();
  };
  expectNear(upAt(0), Vec3::UnitZ(), 1e-6, "at first");
  expectNear(upAt(0.5), middle, 1e-6, "half way, however long an 'up' is");
  expectNear(upAt(1), Vec3::UnitY(), 1e-6, "at last");
}

/// Up to its opposite there is a moment without any: the picture is level then, and everything is a number.
TEST(CameraPath, OfOppositeUpsIsThereAllTheWay) {
  const std::vector<CameraKey> keys = {keyAt(0, {4, 0, 1}),
                                       keyAt(1, {4, 0, 1}, Vec3::Zero(), 40, -Vec3::UnitZ())};
  for (double time = 0; time <= 1; time += 0.125) {
    const Camera camera = cameraAt(keys, time);
    EXPECT_TRUE(camera.view().allFinite()) << time;
    expectNear(camera.eye(), {4, 0, 1}, 1e-9, std::to_string(time));
  }
}

TEST(CameraPath, RidesOnTheBodyThatCarriesIt) {
  Model model;
  model.tree.add({.name = "hand"}, {});
  Snapshot snapshot;
  snapshot.X_WB = {Pose{}, Pose{}};
  snapshot.X_WB[1].p = {10, 0, 0};
  CameraSpec spec;
  spec.body = "hand";
  spec.position = {1, 0, 0};
  const Camera camera = CameraPath(spec).at(model, snapshot);
  expectNear(camera.eye(), {11, 0, 0}, 1e-9, "eye");
  expectNear(camera.target, {10, 0, 0}, 1e-9, "target");
}

TEST(CameraPathDeathTest, NeedsKeysInTheOrderOfTimeThatStandInTheWorld) {
  const CameraKey key = keyAt(0, {1, 1, 1});
  EXPECT_DEATH(CameraPath(std::vector<CameraKey>{}), "required");
  EXPECT_DEATH(CameraPath({key, key}), "required");
  EXPECT_DEATH(CameraPath({keyAt(1, {1, 1, 1}), key}), "required");
  CameraKey carried = key;
  carried.camera.body = "hand";
  EXPECT_DEATH(CameraPath({carried}), "required");
}

}  // namespace
}  // namespace slipstick::render
