#include "gpu/host_executor.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

#include "engine/foundation/require.h"
#include "engine/model/particle_source.h"

namespace slipstick::gpu {
namespace {

constexpr std::align_val_t kAlignment{256};
/// Of a block's memory; and how much is watched behind it [B].
constexpr std::size_t kSharedAlignment = 64;
/// What new memory holds: nobody may rely on it.
constexpr std::byte kUnset{0xcd};
/// Of a key, in one pass of CUB's radix sort.
constexpr int kSortBits = 8;

/// New memory, in the list of what is given back.
void* keep(std::unordered_map<void*, std::size_t>& list, std::size_t bytes) {
  void* const memory = ::operator new(bytes, kAlignment);
  try {
    list.emplace(memory, bytes);
  } catch (...) {
    ::operator delete(memory, kAlignment);
    throw;
  }
  return memory;
}

}  // namespace

HostExecutor::~HostExecutor() {
  for (const auto& [memory, bytes] : memory_) {
    if (settings_.observer) settings_.observer->released(memory);
    ::operator delete(memory, kAlignment);
  }
  for (const auto& [memory, bytes] : pinned_) ::operator delete(memory, kAlignment);
}

void HostExecutor::configure(const Settings& settings) {
  settings_ = settings;
  order_ = ThreadOrder(settings.seed);
}

void HostExecutor::countCall(std::string_view call) {
  if (calls_++ != settings_.failingCall) return;
  recording_ = false;
  throw DeviceError(deviceRefused(name(), std::string(call), "it was told to"));
}

void* HostExecutor::allocate(std::size_t bytes) {
  countCall("allocate");
  if (settings_.failingAllocation >= 0 && counts_.allocations >= settings_.failingAllocation) {
    recording_ = false;
    throw DeviceError(outOfDeviceMemory(name(), bytes));
  }
  void* const memory = keep(memory_, bytes);
  std::memset(memory, std::to_integer<int>(kUnset), bytes);
  ++counts_.allocations;
  counts_.bytes += bytes;
  if (settings_.observer) settings_.observer->allocated(memory, bytes);
  return memory;
}

void HostExecutor::release(void* memory) noexcept {
  const auto found = memory_.find(memory);
  if (found == memory_.end()) return;
  if (settings_.observer) settings_.observer->released(memory);
  counts_.bytes -= found->second;
  memory_.erase(found);
  ::operator delete(memory, kAlignment);
}

void* HostExecutor::allocatePinned(std::size_t bytes) {
  countCall("allocatePinned");
  void* const memory = keep(pinned_, bytes);
  ++counts_.allocations;
  return memory;
}

void HostExecutor::releasePinned(void* memory) noexcept {
  if (pinned_.erase(memory) > 0) ::operator delete(memory, kAlignment);
}

void HostExecutor::enqueue(Operation operation) {
  countCall("launch or copy");
  if (recording_)
    recorded_.push_back(std::move(operation));
  else
    operation();
}

/// @return whether the device still runs kernels
bool HostExecutor::countLaunch(std::string (*kernelName)()) {
  if (losingKernel_) return false;
  if (settings_.losingLaunch >= 0 && counts_.launches >= settings_.losingLaunch) {
    losingKernel_ = kernelName;
    return false;
  }
  ++counts_.launches;
  return true;
}

/// As on a device, whose launch fails.
void HostExecutor::requireShared(std::size_t bytes, std::string (*kernelName)()) {
  if (bytes <= settings_.blockSharedBytes) return;
  recording_ = false;
  throw DeviceError(deviceRefused(name(), "kernel " + kernelName(),
                                  std::to_string(bytes) + " bytes of shared memory are more than the " +
                                      std::to_string(settings_.blockSharedBytes) + " of a block"));
}

void HostExecutor::tellMoved(std::string_view operation, std::size_t read, std::size_t written) {
  if (settings_.observer) settings_.observer->moved(operation, read, written);
}

std::byte* HostExecutor::sharedBegin() {
  const auto at = reinterpret_cast<std::uintptr_t>(shared_.data());
  return shared_.data() + (kSharedAlignment - at % kSharedAlignment) % kSharedAlignment;
}

/// What a block finds in its memory is what another one has left, or nothing of sense.
std::byte* HostExecutor::newShared(std::size_t bytes) {
  shared_.assign(bytes + 2 * kSharedAlignment, kUnset);
  return sharedBegin();
}

/// Nobody may write behind it.
void HostExecutor::checkShared(std::size_t bytes) {
  const std::byte* const end = sharedBegin() + bytes;
  const bool untouched = std::all_of(end, end + kSharedAlignment, [](std::byte b) { return b == kUnset; });
  SIM_REQUIRE(untouched, bytes);
}

void HostExecutor::upload(void* device, const void* pinned, std::size_t bytes) {
  enqueue([this, device, pinned, bytes] {
    ++counts_.uploads;
    if (bytes > 0) std::memcpy(device, pinned, bytes);
    tellMoved("upload", 0, bytes);
  });
}

void HostExecutor::download(void* pinned, const void* device, std::size_t bytes) {
  enqueue([this, pinned, device, bytes] {
    ++counts_.downloads;
    if (bytes > 0) std::memcpy(pinned, device, bytes);
    tellMoved("download", bytes, 0);
  });
}

void HostExecutor::copy(void* to, const void* from, std::size_t bytes) {
  enqueue([this, to, from, bytes] {
    std::memcpy(to, from, bytes);
    tellMoved("copy", bytes, bytes);
  });
}

void HostExecutor::clear(void* device, std::size_t bytes) {
  enqueue([this, device, bytes] {
    std::memset(device, 0, bytes);
    tellMoved("clear", 0, bytes);
  });
}

void HostExecutor::sortPairs(const std::uint64_t* keys, std::uint64_t* sortedKeys, const int* values,
                             int* sortedValues, int count, int bits) {
  enqueue([=, this] {
    const std::uint64_t mask = bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](int a, int b) { return (keys[a] & mask) < (keys[b] & mask); });
    for (int i = 0; i < count; ++i) {
      const int from = order[static_cast<std::size_t>(i)];
      sortedKeys[i] = keys[from];
      sortedValues[i] = values[from];
    }
    // On a device keys are counted first; then each pass moves all pairs.
    const auto all = static_cast<std::size_t>(count);
    const std::size_t pairs = static_cast<std::size_t>((bits + kSortBits - 1) / kSortBits) * all *
                              (sizeof(*keys) + sizeof(*values));
    tellMoved("sortPairs", all * sizeof(*keys) + pairs, pairs);
  });
}

void HostExecutor::exclusiveScan(const int* in, int* out, int count) {
  enqueue([=, this] {
    if (losingKernel_) return;  // what it would read has not been written
    std::exclusive_scan(in, in + count, out, 0);
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(*in);
    tellMoved("exclusiveScan", bytes, bytes);
  });
}

void HostExecutor::beginGraph() {
  SIM_REQUIRE(!recording_);
  countCall("beginGraph");
  recording_ = true;
  recorded_.clear();
}

int HostExecutor::endGraph() {
  SIM_REQUIRE(recording_);
  countCall("endGraph");
  recording_ = false;
  graphs_.push_back(std::exchange(recorded_, {}));
  ++counts_.graphs;
  return static_cast<int>(graphs_.size()) - 1;
}

void HostExecutor::replay(int graph) {
  SIM_REQUIRE(!recording_ && graph >= 0 && graph < static_cast<int>(graphs_.size()), graph);
  countCall("replay");
  for (const Operation& operation : graphs_[static_cast<std::size_t>(graph)]) operation();
}

bool HostExecutor::show(const void* device, std::size_t bytes, DrawBuffer& buffer) const noexcept {
  buffer.write(device, bytes);
  return true;
}

void HostExecutor::wait() {
  SIM_REQUIRE(!recording_);
  countCall("wait");
  if (losingKernel_) throw DeviceError(deviceLost(name(), "kernel " + losingKernel_(), ""));
}

}  // namespace slipstick::gpu
