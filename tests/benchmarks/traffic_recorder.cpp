#include "tests/benchmarks/traffic_recorder.h"

namespace slipstick::gpu {

void TrafficRecorder::own(std::uintptr_t begin, std::uintptr_t end, bool owned) {
  for (std::uintptr_t at = begin / kSectorBytes * kSectorBytes; at < end; at += kSectorBytes) {
    std::unique_ptr<Region>& region = regions_[at >> kRegionBits];
    if (!region) region = std::make_unique<Region>();
    (*region)[at / kSectorBytes % kRegionSectors] = Sector{0, 0, owned};
  }
  lastRegions_.fill({~std::uintptr_t{0}, nullptr});
}

void TrafficRecorder::allocated(const void* memory, std::size_t bytes) {
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  own(begin, begin + bytes, true);
  allocations_[memory] = bytes;
}

void TrafficRecorder::released(const void* memory) {
  const auto found = allocations_.find(memory);
  if (found == allocations_.end()) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  own(begin, begin + found->second, false);
  allocations_.erase(found);
}

void TrafficRecorder::launchBegins(const HostLaunch& launch) {
  running_ = &kernels_[launch.name()];
  running_->scope = launch.scope;
  ++running_->launches;
  ++launch_;
}

void TrafficRecorder::launchEnds(long barriers) {
  running_->barriers += barriers;
  running_ = nullptr;
}

void TrafficRecorder::moved(std::string_view operation, std::size_t read, std::size_t written) {
  KernelTraffic& traffic = kernels_[std::string(operation)];
  ++traffic.launches;
  traffic.read += read;
  traffic.written += written;
  traffic.accessed += read + written;
}

auto TrafficRecorder::sectorAt(std::uintptr_t address) -> Sector* {
  const std::uintptr_t key = address >> kRegionBits;
  RegionOf& last = lastRegions_[key % lastRegions_.size()];
  if (last.key != key) {
    const auto found = regions_.find(key);
    last = {key, found == regions_.end() ? nullptr : found->second.get()};
  }
  if (!last.region) return nullptr;
  Sector& sector = (*last.region)[address / kSectorBytes % kRegionSectors];
  return sector.owned ? &sector : nullptr;
}

void TrafficRecorder::touch(const void* memory, std::size_t bytes, bool writes) {
  if (!running_ || bytes == 0) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(memory);
  for (std::uintptr_t at = begin / kSectorBytes * kSectorBytes; at < begin + bytes; at += kSectorBytes) {
    Sector* const sector = sectorAt(at);
    if (!sector) return;  // of the stack, of shared memory: an access never reaches beyond its allocation
    if (writes && sector->writtenBy != launch_) {
      sector->writtenBy = launch_;
      running_->written += kSectorBytes;
    } else if (!writes && sector->writtenBy != launch_ && sector->readBy != launch_) {
      sector->readBy = launch_;
      running_->read += kSectorBytes;
    }
  }
  running_->accessed += bytes;
}

}  // namespace slipstick::gpu
