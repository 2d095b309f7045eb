#include "gpu/cuda_executor.h"

#include <cuda_runtime_api.h>

#include <algorithm>

#include "gpu/cuda_gl.h"
#include "gpu/device.h"

namespace slipstick::gpu {
namespace {

/// Code that was built for 9.0 or more uses clusters of the hardware.
constexpr int kClusterVersion = 90;

/// Errors after which the device has to be given up: the context is destroyed.
bool losesDevice(cudaError_t status) {
  switch (status) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
    case cudaErrorContextIsDestroyed:
    case cudaErrorDevicesUnavailable:
    case cudaErrorUnknown:
      return true;
    default:
      return false;
  }
}

Error noUsableDevice(const std::vector<DeviceInfo>& devices) {
  Error error{ErrorCode::DeviceFailure, "", "cuda", "use --backend cpu"};
  if (devices.empty()) {
    error.what = noDeviceReason();
  } else {
    const DeviceInfo& d = devices.front();
    error.what = d.name + " has compute capability " + std::to_string(d.computeMajor) + "." +
                 std::to_string(d.computeMinor) + ", needed is " + std::to_string(kOldestMajor) +
                 ".0 or more";
  }
  return error;
}

}  // namespace

Result<std::unique_ptr<CudaExecutor>> makeCudaExecutor() {
  const std::vector<DeviceInfo> devices = cudaDevices();
  const std::optional<int> device = usableDevice(devices);
  if (!device) return noUsableDevice(devices);
  std::unique_ptr<CudaExecutor> executor(
      new CudaExecutor(*device, devices[static_cast<std::size_t>(*device)].name));
  try {
    executor->open();
  } catch (const DeviceError& failure) {
    return failure.error();
  }
  return executor;
}

void CudaExecutor::open() {
  makeCurrent();
  check(cudaDeviceGetAttribute(&multiprocessors_, cudaDevAttrMultiProcessorCount, device_),
        "cudaDeviceGetAttribute");
  check(cudaDeviceGetAttribute(&blockShared_, cudaDevAttrMaxSharedMemoryPerBlockOptin, device_),
        "cudaDeviceGetAttribute");
  check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  const auto blocks = static_cast<std::size_t>(std::max(multiprocessors_, kClusterBlocks));
  const std::size_t barrierBytes = blocks * sizeof(DeviceBarrier);
  barriers_ = static_cast<DeviceBarrier*>(allocate(barrierBytes));
  partials_ = static_cast<double*>(allocate(2 * blocks * kMaxSums * sizeof(double)));
  clear(barriers_, barrierBytes);
  wait();
}

CudaExecutor::~CudaExecutor() {
  // Of a lost device all of this fails, and nothing is left to be done about it.
  static_cast<void>(cudaSetDevice(device_));
  if (recording_) abandonRecording();
  for (const Graph& graph : graphs_) static_cast<void>(cudaGraphExecDestroy(graph.executable));
  if (stream_) static_cast<void>(cudaStreamDestroy(stream_));
  for (const auto& [memory, bytes] : memory_) static_cast<void>(cudaFree(memory));
  for (void* const memory : pinned_) static_cast<void>(cudaFreeHost(memory));
  static_cast<void>(cudaGetLastError());
}

/// Each thread has a current device of its own.
void CudaExecutor::makeCurrent() {
  check(cudaSetDevice(device_), "cudaSetDevice");
}

void CudaExecutor::check(int status, std::string_view call) {
  if (status != cudaSuccess) fail(status, call);
}

void CudaExecutor::fail(int status, std::string_view call) {
  const auto error = static_cast<cudaError_t>(status);
  static_cast<void>(cudaGetLastError());
  if (recording_) abandonRecording();
  const std::string reason = std::string(cudaGetErrorString(error)) + " (" + cudaGetErrorName(error) + ")";
  // A kernel's fault surfaces at a later call, whose name would mislead.
  if (losesDevice(error))
    throw DeviceError(
        deviceLost(name(), lastKernel_ ? "kernel " + lastKernel_() : std::string(call), reason));
  throw DeviceError(deviceRefused(name(), std::string(call), reason));
}

// ---- memory ----

void* CudaExecutor::allocate(std::size_t bytes) {
  makeCurrent();
  void* memory = nullptr;
  // Not in the order of the stream: a recording must not make it a part of the graph.
  const cudaError_t status = cudaMalloc(&memory, std::max<std::size_t>(bytes, 1));
  if (status == cudaErrorMemoryAllocation) failAllocation(bytes);
  check(status, "cudaMalloc");
  try {
    memory_.emplace(memory, bytes);
  } catch (...) {
    static_cast<void>(cudaFree(memory));
    throw;
  }
  ++counts_.allocations;
  counts_.bytes += bytes;
  return memory;
}

void CudaExecutor::failAllocation(std::size_t bytes) {
  static_cast<void>(cudaGetLastError());
  if (recording_) abandonRecording();
  throw DeviceError(outOfDeviceMemory(name(), bytes));
}

void CudaExecutor::release(void* memory) noexcept {
  const auto found = memory_.find(memory);
  if (found == memory_.end()) return;
  counts_.bytes -= found->second;
  memory_.erase(found);
  static_cast<void>(cudaSetDevice(device_));
  static_cast<void>(cudaFree(memory));
  static_cast<void>(cudaGetLastError());
}

void* CudaExecutor::allocatePinned(std::size_t bytes) {
  makeCurrent();
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, std::max<std::size_t>(bytes, 1), cudaHostAllocDefault), "cudaHostAlloc");
  try {
    pinned_.insert(memory);
  } catch (...) {
    static_cast<void>(cudaFreeHost(memory));
    throw;
  }
  ++counts_.allocations;
  return memory;
}

void CudaExecutor::releasePinned(void* memory) noexcept {
  if (pinned_.erase(memory) == 0) return;
  static_cast<void>(cudaFreeHost(memory));
  static_cast<void>(cudaGetLastError());
}

void* CudaExecutor::temporary(std::size_t bytes) {
  if (bytes <= temporaryBytes_) return temporary_;
  // Graphs name the former one; without any it goes at once. Half as much again, so that few are ever kept.
  if (temporary_) retired_.push_back(temporary_);  // first: it may fail
  temporary_ = nullptr;
  temporaryBytes_ = 0;
  if (graphs_.empty() && !recording_) releaseRetired();
  temporary_ = allocate(bytes + bytes / 2);
  temporaryBytes_ = bytes + bytes / 2;
  return temporary_;
}

void CudaExecutor::releaseRetired() noexcept {
  for (void* const memory : retired_) release(memory);
  retired_.clear();
}

// ---- the stream ----

void CudaExecutor::upload(void* device, const void* pinned, std::size_t bytes) {
  makeCurrent();
  check(cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyHostToDevice, stream_), "cudaMemcpyAsync");
  ++running().uploads;
}

void CudaExecutor::download(void* pinned, const void* device, std::size_t bytes) {
  makeCurrent();
  check(cudaMemcpyAsync(pinned, device, bytes, cudaMemcpyDeviceToHost, stream_), "cudaMemcpyAsync");
  ++running().downloads;
}

void CudaExecutor::copy(void* to, const void* from, std::size_t bytes) {
  makeCurrent();
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_), "cudaMemcpyAsync");
}

void CudaExecutor::clear(void* device, std::size_t bytes) {
  makeCurrent();
  check(cudaMemsetAsync(device, 0, bytes, stream_), "cudaMemsetAsync");
}

void CudaExecutor::wait() {
  SIM_REQUIRE(!recording_);
  makeCurrent();
  check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

bool CudaExecutor::show(const void* device, std::size_t bytes, DrawBuffer& buffer) const noexcept {
  return copyToGl(device_, device, bytes, buffer);
}

// ---- graphs ----

void CudaExecutor::beginGraph() {
  SIM_REQUIRE(!recording_);
  makeCurrent();
  // Relaxed: memory may be allocated meanwhile, here and by other threads.
  check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
  recording_ = true;
  recorded_ = {};
}

int CudaExecutor::endGraph() {
  SIM_REQUIRE(recording_);
  graphs_.reserve(graphs_.size() + 1);
  makeCurrent();
  recording_ = false;
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream_, &graph), "cudaStreamEndCapture");
  cudaGraphExec_t executable = nullptr;
  const cudaError_t status = cudaGraphInstantiate(&executable, graph, 0);
  static_cast<void>(cudaGraphDestroy(graph));
  check(status, "cudaGraphInstantiate");
  graphs_.push_back({executable, recorded_, lastKernel_});
  // So that the first replay does not have to bring it to the device.
  check(cudaGraphUpload(executable, stream_), "cudaGraphUpload");
  ++counts_.graphs;
  return static_cast<int>(graphs_.size()) - 1;
}

void CudaExecutor::abandonRecording() noexcept {
  recording_ = false;
  cudaGraph_t graph = nullptr;
  static_cast<void>(cudaStreamEndCapture(stream_, &graph));
  if (graph) static_cast<void>(cudaGraphDestroy(graph));
  static_cast<void>(cudaGetLastError());
}

void CudaExecutor::dropGraphs() {
  SIM_REQUIRE(!recording_);
  for (const Graph& graph : graphs_) static_cast<void>(cudaGraphExecDestroy(graph.executable));
  graphs_.clear();
  releaseRetired();
}

void CudaExecutor::replay(int graph) {
  SIM_REQUIRE(!recording_ && graph >= 0 && graph < static_cast<int>(graphs_.size()), graph);
  makeCurrent();
  const Graph& g = graphs_[static_cast<std::size_t>(graph)];
  check(cudaGraphLaunch(g.executable, stream_), "cudaGraphLaunch");
  lastKernel_ = g.kernel;
  counts_.launches += g.counts.launches;
  counts_.uploads += g.counts.uploads;
  counts_.downloads += g.counts.downloads;
}

// ---- kernels ----

/// Before a kernel's first launch. @return whether teams of several blocks meet in clusters of the hardware
bool CudaExecutor::prepare(const CudaKernel& kernel) {
  const auto known = meetsInCluster_.find(kernel.function);
  if (known != meetsInCluster_.end()) return known->second;
  // Beyond 48 KB, what sums need included, it must be allowed; what no block may have is refused here.
  const std::string call = "kernel " + kernel.name();
  check(cudaFuncSetAttribute(kernel.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(kernel.sharedBytes)),
        call);
  // A newer device runs what was built for an older one, if that is all there is: ask the code, not the device.
  cudaFuncAttributes attributes{};
  check(cudaFuncGetAttributes(&attributes, kernel.function), call);
  int clusters = 0;
  check(cudaDeviceGetAttribute(&clusters, cudaDevAttrClusterLaunch, device_), "cudaDeviceGetAttribute");
  return meetsInCluster_[kernel.function] = clusters != 0 && attributes.ptxVersion >= kClusterVersion;
}

void CudaExecutor::launchKernel(const CudaKernel& kernel, const void* values, int teams) {
  if (teams <= 0) return;
  makeCurrent();
  const bool clusters = prepare(kernel);
  TeamPlace place{0, teams, barriers_, partials_};
  if (kernel.scope == Scope::Block) {
    launchBlocks(kernel, values, place, teams, Meeting::Nowhere);
  } else if (kernel.scope == Scope::Grid) {
    place.teams = 1;
    launchBlocks(kernel, values, place, std::min(teams, gridBlocks()), Meeting::GlobalMemory);
  } else if (clusters) {
    launchBlocks(kernel, values, place, teams * kClusterBlocks, Meeting::Cluster);
  } else {
    // As many teams at a time as can be resident.
    const int most = std::max(1, multiprocessors_ / kClusterBlocks);
    for (; place.firstTeam < teams; place.firstTeam += most)
      launchBlocks(kernel, values, place, std::min(most, teams - place.firstTeam) * kClusterBlocks,
                   Meeting::GlobalMemory);
  }
  ++running().launches;
}

void CudaExecutor::launchBlocks(const CudaKernel& kernel, const void* values, TeamPlace place, int blocks,
                                Meeting meeting) {
  cudaLaunchAttribute attribute{};
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(static_cast<unsigned>(kernel.threads));
  config.dynamicSmemBytes = kernel.sharedBytes;
  config.stream = stream_;
  config.attrs = &attribute;
  config.numAttrs = meeting == Meeting::Nowhere ? 0 : 1;
  if (meeting == Meeting::Cluster) {
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = kClusterBlocks;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
  } else if (meeting == Meeting::GlobalMemory) {
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
  }
  void* arguments[] = {const_cast<void*>(values), &place};
  const cudaError_t status = cudaLaunchKernelExC(&config, kernel.function, arguments);
  if (status != cudaSuccess) fail(status, "kernel " + kernel.name());  // a name costs what a launch does
  lastKernel_ = kernel.name;
}

}  // namespace slipstick::gpu
