// ZeroMQ addresses at which this program can listen.
#pragma once

#include <optional>
#include <string>

#include "engine/foundation/result.h"

namespace slipstick::app {

/// Whether it has the form of one: "tcp://HOST:PORT" with an IP address or a network interface of this machine, or * for all
/// of them, and a port from 1 to 65535, or * for any that is free; or "ipc://PATH". ZeroMQ itself takes more than it can
/// bind, and binds port 99999 as port 34463.
Result<void> checkNetworkAddress(const std::string& address);

/// Why nobody may listen at this address of ipc:// now; none: somebody may, or it is of another kind. ZeroMQ itself deletes
/// whatever file has that path, and takes it away from a program that listens there.
std::optional<std::string> whyPathIsTaken(const std::string& address);

}  // namespace slipstick::app
