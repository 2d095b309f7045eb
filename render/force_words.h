// Numbers and names as people read them in the viewport.
#pragma once

#include <string>

#include "render/contact_facts.h"

namespace slipstick::render {

/// "roller" of "pin.roller".
std::string shortName(const std::string& fullName);
/// The short name of a body, in full where another body has the same.
std::string bodyName(const Model& model, int body);
/// A number with three significant figures.
std::string number(double value);
/// "10.0 N"; below a newton "0.42 N", from ten thousand "12.3 kN".
std::string newtons(double force);
/// Of a body its short name, see bodyName(); of a deformable its name.
std::string sideName(const Model& model, const PairSide& side);
/// "compliant, k = 1.20e+05 N/m, d = 0.1 s/m", "barrier within 1 mm", "hard"; empty where the method does not tell.
std::string lawInWords(const ForceLaw& law);
/// "roller ↔ dough", "cloth ↔ cloth (self)".
std::string pairName(const Model& model, const ContactPair& pair);

}  // namespace slipstick::render
