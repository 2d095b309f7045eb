// Commands that nobody can apply, of every kind.
#pragma once

#include <cstddef>
#include <limits>
#include <random>
#include <vector>

#include "engine/model/command.h"

namespace slipstick::testing {

/// For a model of less than a thousand of anything: indices out of range, numbers that are none, unknown paths.
inline std::vector<Command> badCommands(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  const auto oneOf = [&](auto... values) {
    const std::common_type_t<decltype(values)...> all[] = {values...};
    return all[random() % sizeof...(values)];
  };
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN(),
                   kInf = std::numeric_limits<double>::infinity();
  const auto index = [&] {
    return oneOf(-1, -7, 1'000, std::numeric_limits<int>::max(), std::numeric_limits<int>::min());
  };
  const auto number = [&] { return oneOf(kNaN, kInf, -kInf); };
  const auto place = [&] { return Vec3(0, number(), 0); };
  const auto turn = [&] { return oneOf(0, 1) == 0 ? Quat(0, 0, 0, 0) : Quat(number(), 0, 0, 1); };
  std::vector<Command> commands;
  for (std::size_t i = 0; i < count; ++i) {
    switch (i % 10) {
      case 0:
        commands.push_back(SetParameter{oneOf("", "gravity", "gravity.z.x", "materials.none.E", "ἄ"), {1}});
        break;
      case 1:
        commands.push_back(SetParameter{"gravity.z", {number()}});
        break;
      case 2:
        commands.push_back(Pull{index(), -1, place(), Vec3::Zero()});
        break;
      case 3:
        commands.push_back(Pull{-1, index(), Vec3::Zero(), Vec3::Zero(), oneOf(kNaN, 0.0, -1.0)});
        break;
      case 4:
        commands.push_back(Twist{index(), turn()});
        break;
      case 5:
        commands.push_back(DriveJoint{index(), number()});
        break;
      case 6:
        commands.push_back(FreeJoint{index()});
        break;
      case 7:
        commands.push_back(Place{index(), Pose::translation(place())});
        break;
      case 8:
        commands.push_back(Goal{index(), place(), turn()});
        break;
      default:
        commands.push_back(Grip{index(), oneOf(kNaN, 2.0, -1.0)});
    }
  }
  return commands;
}

}  // namespace slipstick::testing
