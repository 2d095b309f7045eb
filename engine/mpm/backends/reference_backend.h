// The oracle with its contact problems open to view: for recording them from a running scene.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/mpm/backend.h"
#include "engine/mpm/contact/contact_outcome.h"

namespace slipstick::mpm {

/// Sees the problem of one substep before it is solved.
/// @param detected  of the problem's first contacts, ordered by (geometry, particle); the others are friction of
/// boundaries
using ContactProblemObserver =
    std::function<void(const ContactProblem<double>& problem, const std::vector<DetectedContact>& detected)>;

/// makeReferenceBackend(), which shows the problem of each substep with contacts to the observer.
std::unique_ptr<Backend> makeObservedReferenceBackend(std::shared_ptr<const Model> model,
                                                      ContactProblemObserver observe);

}  // namespace slipstick::mpm
