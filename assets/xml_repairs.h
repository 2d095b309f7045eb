// What all readers of XML robot files mend, and say in the same words.
#pragma once

#include <tinyxml2.h>

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace slipstick::assets {

struct MendedNumbers {
  std::vector<double> values;
  std::string repair;  ///< what was done, to follow "…: "; empty: nothing
};

/// The numbers of a text; as in use, with commas between them, with commas for decimal points, or with a quotation mark left
/// over at the end: whichever of these is read first as a count that fits.
/// @return the numbers as they are written, in any count, where no repair fits; nothing where they are none
std::optional<MendedNumbers> mendedNumbers(const std::string& text,
                                           const std::function<bool(std::size_t count)>& fits);

/// Separated by spaces, as these readers and the libraries behind them take it.
std::string textOf(const std::vector<double>& values);

/// An element that stands a second time where it may stand once.
struct Repeated {
  std::string what;  ///< a sentence that says it, with the line of the first
  int line = 0;      ///< its own
};
/// Takes out of an element what stands in it again, of what may stand in it once.
/// @param once  tags; "*": all of them count as one, as the shapes in a <geometry>
std::vector<Repeated> dropRepeated(tinyxml2::XMLElement& parent, const std::set<std::string>& once);

/// Of joints that then move without limits.
inline constexpr const char* kLimitsExchanged = "the lower limit is above the upper one";

/// "<plugin> is not used (3 places, this is the first)"
std::string notUsed(const std::string& what, int places);

/// "a <collision> whose <box> has a size of 0 was dropped"
std::string noExtent(const std::string& tag, const std::string& shape);

}  // namespace slipstick::assets
