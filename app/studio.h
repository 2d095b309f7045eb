// slipstick [FILE]: the window.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace slipstick::app {

/// Opens it; Qt takes words of its own out of the command line's. @return the exit status
using WindowAction = std::function<int(int& argc, char** argv)>;

/// Adds the options of the window to those of the program. @return what opens it, once they are parsed
WindowAction offerWindow(CLI::App& program);

}  // namespace slipstick::app
