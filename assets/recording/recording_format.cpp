#include "assets/recording/recording_format.h"

#include <utility>

#include "engine/model/method_rows.h"
#include "engine/runtime/block_codes.h"
#include "engine/runtime/columns.h"

namespace slipstick::assets::recording {

using hdf5::Field;
using hdf5::Number;

Sizes Sizes::of(const Model& model, std::size_t observables, std::vector<FieldSpec> softFields) {
  return {observables, model.nodeCount(), static_cast<std::size_t>(model.tree.nq),
          static_cast<std::size_t>(model.tree.nv), std::move(softFields)};
}

ContactColumns ContactColumns::of(const Model& model) {
  return {tellsSoftContacts(model), tellsForceLaws(model)};
}

namespace {

/// The shape of a column whose row has so many numbers, where the file has that column.
std::vector<std::size_t> shapeIf(bool isThere, std::size_t numbers) {
  return {isThere ? numbers : 0};
}

}  // namespace

std::vector<Field> steps::fields(const Sizes& sizes) {
  return {{"values",
           Number::F64,
           {sizes.observables},
           "",
           "every observable, in the order of steps/columns, to 9 digits",
           kChunkRows,
           8},
          {"hash", Number::U64, {}, "", "of the whole state: what a replay must reproduce", kChunkRows},
          {"health", Number::U32, {}, "", "bits of the solver's warnings: 1 not converged, …", kChunkRows},
          {"contact_end",
           Number::U64,
           {},
           "",
           "its contacts are the rows of 'contacts' from the end before to this",
           kChunkRows},
          {"has_contacts",
           Number::U8,
           {},
           "",
           "0 where its contacts were not kept any more when the file was written",
           kChunkRows},
          {"slipping", Number::U32, {}, "", "how many of its contacts slip", kChunkRows},
          {"pair_end",
           Number::U64,
           {},
           "",
           "its pairs that touch are the rows of 'pairs' from the end before to this",
           kChunkRows},
          {"largest_force",
           Number::F64,
           {},
           "N",
           "on any body up to the step, smoothed over 50 ms: the scale of arrows",
           kChunkRows}};
}

std::vector<Field> pairs::fields(const ContactColumns& columns) {
  return {
      {"sides", Number::I32, {3}, "", "body, other body, deformable: indices, -1 for none"},
      {"values",
       Number::F64,
       {PairRow::kQuantities.size()},
       "N, N, N, 1, m/s",
       "sums of its contacts: normal, friction, friction bound; part of the friction that slips; slip speed",
       256,
       1},
      {contacts::kSoftSide, Number::I32, shapeIf(columns.softSides, 1), "",
       "deformable that the force is on, where no body is: its index, -1 for none"}};
}

std::vector<Field> contacts::fields(const ContactColumns& columns) {
  return {{"sides", Number::I32, {3}, "", "body, other body, deformable: indices, -1 for none"},
          {"key", Number::I32, {4}, "", "geometry, particle, other geometry, point: names it while it lasts"},
          {"mode", Number::U8, {}, "", "0 open, 1 sticks, 2 slips"},
          {"point", Number::F32, {3}, "m", "where the force acts, in the world"},
          {"normal", Number::F32, {3}, "", "unit, out of what the force is on"},
          {"force", Number::F32, {3}, "N", "on the body, or on soft_side, in the world, mean over the step"},
          {"penetration", Number::F32, {}, "m", "depth; below 0 a gap that is still open"},
          {"slip_speed", Number::F32, {}, "m/s", "tangential"},
          {"friction", Number::F32, {}, "", "coefficient of the pair"},
          {"friction_bound", Number::F32, {}, "N", "the largest friction that it could carry"},
          {"pressure", Number::F32, {}, "Pa", "of a pressure field at the point; 0 where there is none"},
          {kSoftSide, Number::I32, shapeIf(columns.softSides, 2), "",
           "deformable and particle that the force is on, where no body is: indices, -1 for none"},
          {kLaw, Number::U8, shapeIf(columns.forceLaws, 1), "",
           "of the normal force: 0 not told, 1 compliant, 2 barrier, 3 hard"},
          {kLawNumbers, Number::F64, shapeIf(columns.forceLaws, 2), "",
           "compliant: stiffness N/m, dissipation s/m; barrier: distance m, stiffness; to 9 digits"},
          {kIndeterminate, Number::U8, shapeIf(columns.forceLaws, 1), "",
           "1: its part of the pair's force is a convention of the method"}};
}

std::vector<Field> frames::fields(const Sizes& sizes) {
  const std::size_t blocks = codes::blocksOf(sizes.particles);
  return {{"step", Number::U64, {}, "", "that it shows", 64},
          {"is_whole", Number::U8, {}, "", "0: places are differences to those of the row before", 64},
          {"patch_end",
           Number::U64,
           {},
           "",
           "its surfaces of rigid contacts are the rows of 'patches' from the end before to this",
           64},
          {"places",
           Number::U32,
           {sizes.particles, 3},
           "",
           "particle i lies at lattice · n, n = (code >> 1) ^ -(code & 1), summed from the last whole row on",
           1},
          {"colors",
           Number::U8,
           {4, sizes.particles},
           "",
           "speed, stress, pressure, plastic strain: lower + size · code, code < 64",
           1},
          {"color_ranges",
           Number::F32,
           {4, blocks, 2},
           "m/s, Pa, Pa, 1",
           "per block of 160 particles: lower, and size of a code",
           4}};
}

std::vector<Field> patches::fields() {
  return {{"sides", Number::I32, {2}, "", "geometry, other geometry"},
          {"vertex_end", Number::U64, {}, "", "its rows of patch_vertices end here"},
          {"polygon_end", Number::U64, {}, "", "its rows of patch_polygons end here"}};
}

std::vector<Field> patch_vertices::fields() {
  return {{"place", Number::F32, {3}, "m", "in the world"},
          {"pressure", Number::F32, {}, "Pa", "of both fields"}};
}

std::vector<Field> patch_polygons::fields() {
  return {{"vertices", Number::U16, {}, "", "how many it has"}};
}

std::vector<Field> commands::fields() {
  return {{"step", Number::U64, {}, "", "that it was applied after"},
          {"text",
           Number::U8,
           {kTextBytes},
           "",
           "what a person did, as JSON, filled up with zeros; a full row goes on in the next"}};
}

namespace {

Field softField(const FieldSpec& spec, std::size_t nodes) {
  Field field{"particle_" + spec.name, Number::F64, {nodes}, spec.unit, spec.meaning};
  for (const int extent : {spec.rows, spec.columns})
    if (extent > 1) field.shape.push_back(static_cast<std::size_t>(extent));
  return field;
}

}  // namespace

std::vector<Field> keyframes::fields(const Sizes& sizes) {
  const std::size_t n = sizes.particles;
  std::vector<hdf5::Field> all = {
      {"step", Number::U64, {}, "", "whose whole state it is"},
      {"q", Number::F64, {sizes.nq}, "m, rad", "joint positions"},
      {"v", Number::F64, {sizes.nv}, "m/s, rad/s", "joint velocities"},
      {"controller_q", Number::F64, {sizes.nq}, "m, rad", "last goals of end-effector controllers"},
      {"particle_x", Number::F64, {n, 3}, "m", "positions"},
      {"particle_v", Number::F64, {n, 3}, "m/s", "velocities"},
      {"impulse_end", Number::U64, {}, "", "its rows of keyframe_impulses end here"},
      {"memory_end", Number::U64, {}, "", "its rows of keyframe_memory end here"},
      {"extra",
       Number::U8,
       {kExtraBytes},
       "",
       "pulls, twists, drives and goals, as JSON, filled up with zeros"}};
  for (const FieldSpec& spec : sizes.softFields) all.push_back(softField(spec, n));
  return all;
}

std::vector<Field> impulses::fields() {
  return {
      {"key", Number::I32, {2}, "", "particle, geometry"},
      {"impulse", Number::F64, {3}, "N s", "of the last substep: where the next contact solve starts from"}};
}

std::vector<Field> memory::fields() {
  return {{"name", Number::U8, {kNameBytes}, "", "of what the method remembers, filled up with zeros"},
          {"value", Number::F64, {}, "", "one number of it; those of one name follow each other"}};
}

}  // namespace slipstick::assets::recording
