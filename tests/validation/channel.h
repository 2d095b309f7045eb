// A column of loose matter that stands at the end of a straight channel with smooth walls, and collapses.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "engine/model/state.h"
#include "tests/validation/scene_text.h"

namespace slipstick::testing {

struct Channel {
  std::string material;    ///< "{model: …}"
  double length = 0;       ///< of the column, from the wall x = 0 [m]
  double height = 0;       ///< [m]
  double cell = 0;         ///< h; the channel is two cells wide [m]
  double bedFriction = 0;  ///< μ
  double dt = 1e-3;        ///< [s]

  /// Particles are half a spacing inside of what they fill: walls and bed stand there, so that nothing has to
  /// move before they carry.
  double margin() const { return cell / 4; }
  Scene scene() const;
};

inline Scene Channel::scene() const {
  const auto text = [](double x) { return std::to_string(x); };
  const auto plane = [&](const std::string& rpy, double x, double y, double z) {
    return "{shapes: [{shape: plane, rpy_deg: " + rpy + ", position: [" + text(x) + ", " + text(y) + ", " +
           text(z) + "]}]";
  };
  const double width = 2 * cell, s = margin();
  return sceneOf("time: {dt_ms: " + text(1e3 * dt) + "}\ngrid: {spacing: " + text(cell) +
                 "}\ncontact: {friction: 0}\n" + "materials: {matter: " + material + "}\n" +
                 "deformables:\n  column: {material: matter, shape: box, size: [" + text(length) + ", " +
                 text(width) + ", " + text(height) + "], position: [" + text(length / 2) + ", 0, " +
                 text(height / 2) + "]}\n" + "bodies:\n  bed: " + plane("[0, 0, 0]", 0, 0, s) +
                 ", contact: {friction: " + text(bedFriction) + "}}\n" +
                 "  end: " + plane("[0, 90, 0]", s, 0, 0) + "}\n" +
                 "  right: " + plane("[-90, 0, 0]", 0, s - width / 2, 0) + "}\n" +
                 "  left: " + plane("[90, 0, 0]", 0, width / 2 - s, 0) + "}\n");
}

/// Where the last of the matter is but for a share of strays [m].
inline double frontOf(const Channel& channel, const State& state, double strays) {
  std::vector<double> x;
  for (const Vec3& p : state.soft.x) x.push_back(p.x());
  const auto front = x.end() - 1 - static_cast<std::ptrdiff_t>(strays * static_cast<double>(x.size()));
  std::nth_element(x.begin(), front, x.end());
  return *front + channel.margin();
}

}  // namespace slipstick::testing
