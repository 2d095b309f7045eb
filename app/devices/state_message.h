// A step as clients on the network read it; network_protocol.md has the schema.
#pragma once

#include <string>

#include "engine/model/model.h"
#include "engine/model/snapshot.h"

namespace slipstick::app {

/// One line of JSON. @param facts  of this model
std::string stateMessage(const Model& model, const StepFacts& facts);

}  // namespace slipstick::app
