// How many bytes P2G and G2P of the CPU backend must move: what their speed can be measured by.
#pragma once

#include "engine/model/model.h"

namespace slipstick::mpm {

/// Bytes that the transfers of one substep must move, if each field of PackField that a sweep over the particles
/// needs comes from memory once, and goes there once where it changes:
/// - solids and liquids: P2G reads x, v, C, τ, m, V⁰. G2P, which does the return map and the next stress in the same
///   sweep, reads x, F and the plastic state, and writes x, v, F, C, τ and the plastic state.
/// - cloth: P2G reads x, v, C, m, force, couple, director. G2P reads x and director; writes x, v, C, director.
/// - a node with mass, four floats each time: P2G writes it in a tile, where the sum reads it; the sum writes it on the
///   grid, where it is read to be written in a tile for G2P, which reads it.
///
/// Not counted: lanes that fill up packs; nodes that lie in several tiles, and clearing these; contact detection; the
/// mesh of a cloth, with its forces. So a speed that follows from it is at most the one that the memory has run at.
/// @param activeNodes  nodes with mass
double transferBytes(const Model& model, double activeNodes);

/// Bytes of the particles in their packs.
std::size_t particleBytes(const Model& model);

}  // namespace slipstick::mpm
