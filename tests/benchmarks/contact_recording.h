// Contact problems of consecutive substeps of a scene, recorded while it runs.
#pragma once

#include <string>
#include <vector>

#include "engine/foundation/result.h"
#include "tests/engine/contact/recorded_problem.h"

namespace slipstick {

/// The "cpu" backend brings the scene to `from` [s]; from there the reference backend goes on, whose problems, rounded
/// to float, are those that the former would have built but for rounding. Guesses are 0.
/// @param substeps  how many to record, of those with contacts
Result<std::vector<mpm::RecordedProblem<float>>> recordContacts(const std::string& scene, double from,
                                                                std::size_t substeps);

}  // namespace slipstick
