// The model of a scene as another method steps it.
#pragma once

#include <memory>
#include <string>

#include "engine/foundation/result.h"
#include "engine/model/model.h"

namespace slipstick {

/// The same model, stepped by this method whatever was chosen for it: what runs already goes on as it is. Where the method
/// makes other nodes of soft bodies, its scene is compiled again.
/// Errors: those of compile(); Unsupported: it has soft bodies, but no scene that could be compiled.
Result<std::shared_ptr<const Model>> withMethod(std::shared_ptr<const Model> model,
                                                const std::string& method);

/// The same model with the nodes that the method makes of soft bodies; what the model says of its choice stays. Errors: the same.
Result<std::shared_ptr<const Model>> withNodesOf(std::shared_ptr<const Model> model,
                                                 const std::string& method);

}  // namespace slipstick
