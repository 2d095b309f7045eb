// Links whose mass their file does not say, so that the reader assumed one: forces on them are no better than that.
#pragma once

#include <string>
#include <vector>

#include "engine/model/model.h"

namespace slipstick {

/// Per body of the model: whether its mass was assumed when it was loaded.
/// @param notices  of that load: a repair names what it has given ("robots.grip.links.finger.mass")
std::vector<char> assumedMasses(const Model& model, const std::vector<Notice>& notices);

/// "grip.finger (1 g)", of an assumed mass "grip.finger (1 g, assumed)"; the mass is that of all that is fixed to it.
/// @param assumed  as above; empty: nothing was
std::string bodyWithMass(const Model& model, int body, const std::vector<char>& assumed);

}  // namespace slipstick
