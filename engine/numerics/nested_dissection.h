// In which order the unknowns of a sparse symmetric matrix are eliminated, where they belong to nodes that have places: what lies
// around is cut in two by layers that no element reaches across, again and again (nested dissection: George 1973).
#pragma once

#include <array>
#include <span>
#include <vector>

namespace slipstick::numerics {

/// Nodes that an element of the matrix couples: all of them with each other.
using ElementNodes = std::span<const int>;

using LatticePlace = std::array<int, 3>;  ///< of a node, in spacings of a lattice

/// Nodes that are eliminated together, after those of its children.
struct EliminationPart {
  std::vector<int> nodes;
  std::vector<int> children;  ///< indices of parts
};
/// Every node once. Children stand before their parents; no element couples parts neither of which is the other's ancestor.
using EliminationTree = std::vector<EliminationPart>;

/// @param places  per node   @param elements  the closer together their nodes are, the thinner are the layers
[[nodiscard]] EliminationTree dissect(std::span<const LatticePlace> places,
                                      std::span<const ElementNodes> elements);

}  // namespace slipstick::numerics
