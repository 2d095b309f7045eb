#include "app/devices/network_facts.h"

#include <numeric>
#include <utility>

namespace slipstick::app {

std::uint64_t NetworkCounts::refusedInAll() const {
  return std::accumulate(refused.begin(), refused.end(), std::uint64_t{0});
}

NetworkCounts NetworkFacts::counts() const {
  const std::lock_guard lock(mutex_);
  return counts_;
}

NetworkAddresses NetworkFacts::addresses() const {
  const std::lock_guard lock(mutex_);
  return addresses_;
}

void NetworkFacts::set(NetworkAddresses addresses) {
  const std::lock_guard lock(mutex_);
  addresses_ = std::move(addresses);
}

}  // namespace slipstick::app
