// An engine's contact problem in the memory of an executor, solved there, and read back.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "engine/mpm/contact/contact_problem.h"
#include "gpu/contact_kernels.h"
#include "gpu/host_executor.h"

namespace slipstick::gpu::testing {

/// What a solve on a device leaves behind.
struct DeviceSolution {
  std::vector<lanes::V3<float>> v, gamma, u;  ///< boundary friction behind the others
  std::vector<float> n0, epsilon;
  SolveReport report{};
  ContactCounts counts{};
};

class DeviceContacts {
 public:
  /// @param problem  without boundary friction: its contacts must have weights that are products of three factors,
  ///                 as those of splines are
  /// @param contactCapacity  0: for everything that boundaries may add
  DeviceContacts(Executor& executor, const mpm::ContactProblem<float>& problem, int contactCapacity = 0);

  const ContactView& view() const { return view_; }
  const ContactMemory& memory() const { return memory_; }
  /// From now on contacts have −1 in place of these nodes, as a backend writes for nodes without mass.
  void takeOut(const std::set<int>& nodes);
  /// What the executor has done is waited for.
  DeviceSolution read();

 private:
  template <class T>
  T* place(const std::vector<T>& values);
  template <class T>
  std::vector<T> fetch(const T* from, std::size_t count);
  std::vector<lanes::V3<float>> fetchVectors(const float* from, int capacity, int count);
  void placeContacts(const mpm::ContactProblem<float>& problem);
  void placeNodes(const mpm::ContactProblem<float>& problem);

  Executor& executor_;
  std::vector<DeviceArray<std::byte>> arrays_;
  ContactView view_{};
  ContactMemory memory_{};
};

/// What solves: a team of one scope, or of whichever suits the device.
struct SolvingTeam {
  std::optional<Scope> only = std::nullopt;
  std::size_t blockSharedBytes = HostExecutor::Settings().blockSharedBytes;  ///< of the device
  std::uint64_t seed = 0;                                                    ///< of the order of threads

  HostExecutor::Settings settings() const {
    return {.seed = seed, .gridBlocks = 6, .blockSharedBytes = blockSharedBytes};
  }
};
/// @param absent  nodes in whose place contacts have −1
DeviceSolution solveOnHost(const mpm::ContactProblem<float>& problem, const DeviceSolveSettings& settings,
                           const SolvingTeam& by = {}, const std::set<int>& absent = {});
/// Thresholds that leave everything to one scope.
SolveThresholds onlyBy(Scope scope);

}  // namespace slipstick::gpu::testing
