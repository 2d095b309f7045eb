// Operations over whole arrays, by CUB.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "gpu/cuda_executor.h"

namespace slipstick::gpu {

void CudaExecutor::sortPairs(const std::uint64_t* keys, std::uint64_t* sortedKeys, const int* values,
                             int* sortedValues, int count, int bits) {
  withTemporary("sortPairs", [&](void* capacity, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(capacity, bytes, keys, sortedKeys, values, sortedValues, count, 0,
                                           bits, stream_);
  });
}

void CudaExecutor::exclusiveScan(const int* in, int* out, int count) {
  withTemporary("exclusiveScan", [&](void* capacity, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(capacity, bytes, in, out, count, stream_);
  });
}

}  // namespace slipstick::gpu
