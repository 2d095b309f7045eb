#include "render/quality.h"

#include <array>

namespace slipstick::render {
namespace {

constexpr std::array<QualityLevel, 6> kLevels = {
    {{{}, ""},
     {{.softShadows = false}, "soft shadows off"},
     {{.softShadows = false, .occlusion = false}, "soft shadows and ambient occlusion off"},
     {{.softShadows = false, .occlusion = false, .samples = 1},
      "soft shadows, ambient occlusion and smooth edges off"},
     // Shadows last: they say how high a tool is above what it is about to touch.
     {{.softShadows = false, .occlusion = false, .samples = 1, .divisor = 2},
      "plain shadows, half resolution"},
     {{.softShadows = false, .occlusion = false, .shadows = false, .samples = 1, .divisor = 2},
      "no shadows, half resolution"}}};

}  // namespace

std::span<const QualityLevel> qualityLevels() {
  return kLevels;
}

}  // namespace slipstick::render
