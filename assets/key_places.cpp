#include "assets/key_places.h"

namespace slipstick::assets {

std::string KeyPlaces::of(std::string key) const {
  constexpr std::string_view kLoops = "loops.", kWelds = "welds.";
  if (key.starts_with(kLoops)) {
    const std::string name = key.substr(kLoops.size(), key.find('.', kLoops.size()) - kLoops.size());
    if (!places_.contains(std::string(kLoops) + name)) key.replace(0, kLoops.size(), kWelds);
  }
  for (;;) {
    if (const auto found = places_.find(key); found != places_.end()) {
      const Place& place = found->second;
      return *place.label + (place.line > 0 ? ":" + std::to_string(place.line) : "");
    }
    const std::size_t dot = key.rfind('.');
    if (dot == std::string::npos) return label_;
    key.resize(dot);
  }
}

}  // namespace slipstick::assets
