// What raised a health flag, in words: which bodies, how much, and how much may be.
#pragma once

#include <string>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick {

/// "ball moves 60 mm towards plate in one step, at most 20 mm is safe: use time.dt_ms of 3.3 or less"
std::string noteText(const Model& model, const HealthNote& note);

/// Whether two notes are of the same flag and the same pair.
bool isSamePair(const HealthNote& a, const HealthNote& b);

/// Names of the two sides; the second one is empty where there is none.
std::pair<std::string, std::string> namesOf(const Model& model, const HealthNote& note);

}  // namespace slipstick
