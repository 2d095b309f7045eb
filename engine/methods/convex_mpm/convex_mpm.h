// Methods of particles on a grid and convex contact: "async" (Yu 2025), "strong", "implicit" (Zong 2024).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/mpm/backend.h"
#include "engine/step/registry.h"

namespace slipstick::convex_mpm {

/// What can run the substeps of "async" and "strong".
struct BackendEntry {
  std::string name;
  std::function<Result<std::unique_ptr<mpm::Backend>>(std::shared_ptr<const Model>, int threads)> make;
  bool couplesStrongly = false;  ///< as mpm::Backend::couplesStrongly: "strong" needs it
};

/// The three, in that order.
/// @param backends  the first one that suits a method is what "auto" stands for
std::vector<MethodEntry> methods(const std::vector<BackendEntry>& backends);

/// "async": N substeps against the rigid velocities of t_n, then one rigid solve.
/// @param backend  null for a scene without particles, as in the others
std::unique_ptr<Method> makeAsync(std::shared_ptr<const Model> model, std::unique_ptr<mpm::Backend> backend);
/// "strong": the rigid degrees of freedom stand in each substep's contact problem.
/// @param backend  one that couples strongly
std::unique_ptr<Method> makeStrong(std::shared_ptr<const Model> model, std::unique_ptr<mpm::Backend> backend);
/// "implicit": the same with a grid that is solved for implicitly, once a step, on a backend of its own.
std::unique_ptr<Method> makeImplicit(std::shared_ptr<const Model> model);

}  // namespace slipstick::convex_mpm
