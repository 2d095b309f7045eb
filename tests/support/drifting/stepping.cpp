// The methods of the program, and the one for tests: linked in place of app/stepping.cpp.
#include "app/stepping.h"

#include "engine/methods/convex_mpm/convex_mpm.h"
#include "tests/support/drifting/drifting.h"

namespace slipstick::app {

const Registry& stepping() {
  static const Registry registry = [] {
    Registry filled;
    filled.add(convex_mpm::methods({{"cpu", mpm::makeCpuBackend, true}}));
    filled.add(drifting::method());
    return filled;
  }();
  return registry;
}

}  // namespace slipstick::app
