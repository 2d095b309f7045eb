#include "render/quality.h"

#include <array>

namespace slipstick::render {
namespace {

constexpr std::array<QualityLevel, 5> kLevels = {
    {{{}, ""},
     {{.softShadows = false}, "soft shadows off"},
     {{.softShadows = false, .occlusion = false}, "soft shadows and ambient occlusion off"},
     {{.softShadows = false, .occlusion = false, .samples = 1},
      "soft shadows, ambient occlusion and smooth edges off"},
     {{.softShadows = false, .occlusion = false, .shadows = false, .samples = 1},
      "shadows, ambient occlusion and smooth edges off"}}};

}  // namespace

std::span<const QualityLevel> qualityLevels() {
  return kLevels;
}

}  // namespace slipstick::render
