#include "tests/support/task_scripts.h"

#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "engine/foundation/require.h"

namespace slipstick::testing {
namespace {

constexpr double kAny = std::numeric_limits<double>::quiet_NaN();

KeyStroke lift(double z) {
  return moveTo([z](const Sight&) { return Vec3(kAny, kAny, z); });
}

/// One press on each half, and one on what they have pushed up between them.
KeyScript flattenDough() {
  std::vector<KeyStroke> strokes;
  for (const double side : {-0.07, 0.07, 0.0}) {
    strokes.push_back(moveTo([side](const Sight& see) {
      return Vec3(0.5 * (see["dough.min_x"] + see["dough.max_x"]) + side, see["dough.y"], 0.40);
    }));
    strokes.push_back(lift(0.238));
    strokes.push_back(rest(0.3));
    strokes.push_back(lift(0.40));
  }
  strokes.push_back(lift(0.5));
  return KeyScript(std::move(strokes));
}

/// How far the tool's x axis points below the horizon [rad].
double pitchOf(const Sight& see) {
  return std::asin(-see.tool().R(2, 0));
}

/// How far the tool is turned about the world's x axis from where its z axis is up [rad].
double rollOf(const Sight& see) {
  const Vec3 z = see.tool().R.col(2);
  return std::atan2(-z.y(), z.z());
}

KeyStroke pitchDownTo(double angle) {
  return holdUntil({"T"}, [angle](const Sight& see) { return pitchOf(see) > angle; });
}

KeyStroke pitchUpTo(double angle) {
  return holdUntil({"G"}, [angle](const Sight& see) { return pitchOf(see) < angle; });
}

KeyStroke moveToPlace(const Vec3& place) {
  return moveTo([place](const Sight&) { return place; });
}

/// Mouth down into the sand, level through it, mouth up out of it; poured out over the mouth.
KeyScript scoopSand() {
  std::vector<KeyStroke> strokes;
  strokes.push_back(moveToPlace(Vec3(0.70, 0, 0.38)));
  strokes.push_back(pitchDownTo(0.55));
  strokes.push_back(moveToPlace(Vec3(0.70, 0, 0.28)));
  strokes.push_back(moveToPlace(Vec3(0.78, 0, 0.25)));
  strokes.push_back(pitchUpTo(0));
  strokes.push_back(moveToPlace(Vec3(0.86, 0, 0.235)));
  strokes.push_back(pitchUpTo(-0.4));
  strokes.push_back(lift(0.42));
  strokes.push_back(
      moveTo([](const Sight& see) { return Vec3(see["plate.x"] - 0.09, see["plate.y"], 0.42); }));
  strokes.push_back(lift(0.34));
  strokes.push_back(pitchDownTo(0.8));
  strokes.push_back(rest(2));
  return KeyScript(std::move(strokes));
}

/// Up, over the bin, and round about the rim.
KeyScript pourWater() {
  std::vector<KeyStroke> strokes;
  strokes.push_back(lift(0.46));
  strokes.push_back(moveTo([](const Sight& see) { return Vec3(see["bin.x"], see["bin.y"] + 0.04, 0.46); }));
  strokes.push_back(holdUntil({"Z"}, [](const Sight& see) { return rollOf(see) > 1.1; }));
  strokes.push_back(rest(0.7));
  strokes.push_back(holdUntil({"Z"}, [](const Sight& see) { return rollOf(see) > 2.1; }));
  strokes.push_back(rest(3));
  return KeyScript(std::move(strokes));
}

KeyScript bagBoxes() {
  std::vector<KeyStroke> strokes;
  for (const std::string box : {"first", "second"}) {
    const auto above = [](const std::string& thing, double z) {
      return moveTo([thing, z](const Sight& see) { return Vec3(see[thing + ".x"], see[thing + ".y"], z); });
    };
    strokes.push_back(above(box, 0.40));
    strokes.push_back(above(box, 0.24));
    strokes.push_back(tap("K"));
    strokes.push_back(rest(0.5));
    strokes.push_back(lift(0.50));
    strokes.push_back(above("bag", 0.50));
    strokes.push_back(lift(0.37));
    strokes.push_back(tap("K"));
    strokes.push_back(rest(0.5));
    strokes.push_back(lift(0.50));
  }
  return KeyScript(std::move(strokes));
}

/// The jaws from below around the hem that hangs, up and round, over the neck, and up off the hem.
KeyScript foldShirt() {
  const auto toYZ = [](double y, double z) { return moveToPlace(Vec3(kAny, y, z)); };
  const auto underHem = [](double y, double above, double within) {
    return moveTo([y, above](const Sight& see) { return Vec3(kAny, y, see["shirt.min_z"] + above); }, within);
  };
  std::vector<KeyStroke> strokes;
  strokes.push_back(underHem(-0.13, -0.05, 4e-3));
  strokes.push_back(underHem(-0.012, -0.05, 2e-3));
  strokes.push_back(underHem(-0.012, 0.02, 2e-3));
  strokes.push_back(tap("K"));
  strokes.push_back(rest(0.5));
  strokes.push_back(toYZ(0, 0.42));
  strokes.push_back(holdUntil({"X"}, [](const Sight& see) { return rollOf(see) < -2.9; }));
  strokes.push_back(toYZ(0.12, 0.46));
  strokes.push_back(toYZ(0.28, 0.40));
  strokes.push_back(toYZ(0.29, 0.33));
  strokes.push_back(tap("K"));
  strokes.push_back(rest(0.7));
  strokes.push_back(lift(0.45));
  return KeyScript(std::move(strokes));
}

}  // namespace

KeyScript scriptOf(const std::string& task) {
  static const std::map<std::string, KeyScript (*)(), std::less<>> kScripts = {
      {"flatten_dough", flattenDough},
      {"scoop_sand", scoopSand},
      {"pour_water", pourWater},
      {"bag_boxes", bagBoxes},
      {"fold_shirt", foldShirt}};
  const auto found = kScripts.find(task);
  SIM_REQUIRE(found != kScripts.end(), task);
  return found->second();
}

}  // namespace slipstick::testing
