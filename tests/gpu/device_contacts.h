// An engine's contact problem in the memory of an executor, solved there, and read back.
#pragma once

#include <vector>

#include "engine/mpm/contact_problem.h"
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
  /// @param contactRoom  0: for everything that boundaries may add
  DeviceContacts(Executor& executor, const mpm::ContactProblem<float>& problem, int contactRoom = 0);

  const ContactView& view() const { return view_; }
  const ContactMemory& memory() const { return memory_; }
  /// What the executor has done is waited for.
  DeviceSolution read();

 private:
  template <class T>
  T* place(const std::vector<T>& values);
  template <class T>
  std::vector<T> fetch(const T* from, std::size_t count);
  std::vector<lanes::V3<float>> fetchVectors(const float* from, int room, int count);
  void placeContacts(const mpm::ContactProblem<float>& problem);
  void placeNodes(const mpm::ContactProblem<float>& problem);

  Executor& executor_;
  std::vector<DeviceArray<std::byte>> arrays_;
  ContactView view_{};
  ContactMemory memory_{};
};

/// Solves by the kernels of all three scopes, of which the thresholds choose one.
DeviceSolution solveOnHost(const mpm::ContactProblem<float>& problem, const DeviceSolveSettings& settings,
                           const SolveThresholds& thresholds = {}, std::uint64_t seed = 0);

/// Thresholds that leave everything to one scope.
SolveThresholds onlyBy(Scope scope);

}  // namespace slipstick::gpu::testing
