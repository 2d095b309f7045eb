#include "app/observed_walk.h"

#include "engine/foundation/number_text.h"

namespace slipstick::app {

Result<std::shared_ptr<const Snapshot>> ObservedWalk::contactsAt(std::uint64_t step) {
  for (; next_ <= step; ++next_) {
    Result<std::shared_ptr<const Snapshot>> shown = walk_.contactsAt(next_);
    if (!shown) return shown;
    if ((*shown)->step < next_)
      return Error{ErrorCode::Cancelled, "the run was stopped", "at " + fixed((*shown)->time, 3) + " s",
                   "let it run on"};
    note_(**shown);
  }
  return walk_.contactsAt(step);
}

}  // namespace slipstick::app
