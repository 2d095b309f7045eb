// What the network endpoint can say of itself, to any thread.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>
#include <string>

#include "app/devices/pose_message.h"

namespace slipstick::app {

struct NetworkCounts {
  std::uint64_t taken = 0;                             ///< messages
  std::array<std::uint64_t, kRefusalCount> refused{};  ///< messages by reason, see kRefusalNames
  std::string newestRefusal;                           ///< "network leader: …"; empty: none yet
  std::uint64_t states = 0;                            ///< state messages sent
  std::size_t clients = 0;                             ///< that drive now

  std::uint64_t refusedInAll() const;
};

struct NetworkAddresses {
  std::string poses, state;  ///< as bound, "tcp://127.0.0.1:5757"; empty: not bound
};

class NetworkFacts {
 public:
  NetworkCounts counts() const;
  NetworkAddresses addresses() const;

  void set(NetworkAddresses addresses);
  template <class Change>
  void count(const Change& change) {
    const std::lock_guard lock(mutex_);
    change(counts_);
  }

 private:
  mutable std::mutex mutex_;
  NetworkCounts counts_;
  NetworkAddresses addresses_;
};

}  // namespace slipstick::app
