#include "engine/foundation/result.h"

namespace slipstick {

std::string Error::message() const {
  std::string text;
  if (!where.empty()) text += where + ": ";
  text += what;
  if (!remedy.empty()) text += "; " + remedy;
  return text;
}

}  // namespace slipstick
