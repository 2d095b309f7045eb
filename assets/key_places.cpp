#include "assets/key_places.h"

#include <algorithm>

#include "assets/one_line.h"
#include "engine/foundation/number_range.h"

namespace slipstick::assets {

std::string KeyPlaces::of(std::string key) const {
  constexpr std::string_view kLoops = "loops.", kWelds = "welds.";
  if (key.starts_with(kLoops)) {
    const std::string name = key.substr(kLoops.size(), key.find('.', kLoops.size()) - kLoops.size());
    if (!lines_.contains(std::string(kLoops) + name)) key.replace(0, kLoops.size(), kWelds);
  }
  const auto last = std::find_if(overrides_.rbegin(), overrides_.rend(), [&](const Override& o) {
    return key == o.path || key.starts_with(o.path + ".");
  });
  if (last != overrides_.rend()) return oneLine("--set " + shortened(last->assignment));
  for (;;) {
    if (const auto found = lines_.find(key); found != lines_.end())
      return label_ + ":" + std::to_string(found->second);
    const std::size_t dot = key.rfind('.');
    if (dot == std::string::npos) return label_;
    key.resize(dot);
  }
}

}  // namespace slipstick::assets
