#include "engine/mpm/cpu_contacts.h"

#include <algorithm>

#include "engine/contact/potential.h"
#include "engine/lanes/eigen_lanes.h"
#include "engine/mpm/bspline.h"
#include "engine/mpm/particle_health.h"

namespace slipstick::mpm {

void CpuContacts::solve(float dt, const std::vector<BlockContacts>& found, const ParticleBlocks& blocks,
                        const std::vector<StepGeometry<float>>& geometries, const StepInput& motion,
                        std::vector<float>& nodes, StepAccount& account) {
  problem_.dt = dt;
  problem_.stictionSpeed = static_cast<float>(model_.stictionSpeed);
  problem_.mass.clear();
  problem_.vStar.clear();
  problem_.contacts.clear();
  problem_.bounds.clear();
  detected_.clear();
  gridNode_.clear();
  nodeAt_.clear();
  problemNode_.resize(nodes.size() / 4, -1);
  for (std::size_t b = 0; b < blocks.blocks.size(); ++b)
    for (const RawContact& raw : found[b])
      append(raw, blocks.blocks[b], blocks, geometries[static_cast<std::size_t>(raw.geometry)], motion,
             nodes);
  for (const int node : gridNode_) problemNode_[static_cast<std::size_t>(node)] = -1;
  if (detected_.empty()) {
    account.addFreeSubstep();
    return last_.forget();
  }

  addBoundaryFriction(problem_);

  solver_.solve(problem_, contactSettings(model_.solver), solution_);
  for (std::size_t i = 0; i < gridNode_.size(); ++i)
    for (std::size_t a = 0; a < 3; ++a)
      nodes[static_cast<std::size_t>(gridNode_[i]) * 4 + a] = solution_.v[i][static_cast<int>(a)];
  outcome_.enter(problem_, solution_, detected_, nodeAt_, account);
  last_.forget();
  for (std::size_t c = 0; c < detected_.size(); ++c)
    last_.add(detected_[c].particle, detected_[c].geometry, solution_.gamma[c]);
}

void CpuContacts::append(const RawContact& raw, const ParticleBlock& block, const ParticleBlocks& blocks,
                         const StepGeometry<float>& geometry, const StepInput& motion,
                         const std::vector<float>& nodes) {
  const int particle = blocks.particleOfSlot[static_cast<std::size_t>(raw.slot)];
  const std::size_t deformable = deformableOf(model_, static_cast<std::size_t>(particle));
  const ContactLaw& law =
      motion.laws[deformable * model_.geometries.size() + static_cast<std::size_t>(geometry.index)];
  const Vec3 x = blocks.position(raw.slot, block);
  const Vec3 normal = geometry.X_WG.R * Vec3(raw.normal_G[0], raw.normal_G[1], raw.normal_G[2]);
  const Vec3 vBody = geometry.velocityAt(x);

  ContactPoint<float> point{};
  point.normal = toLanes<float>(normal);
  point.vBody = toLanes<float>(vBody);
  point.stiffness = static_cast<float>(law.stiffness);
  point.dissipation = static_cast<float>(law.dissipation);
  point.friction = static_cast<float>(law.friction);
  point.f0 = point.stiffness * -raw.phi;
  const double vn0 = normal.dot(toEigen(blocks.vector(raw.slot, PackField::V)) - vBody);
  point.n0 = contact::laggedNormalImpulse(point.f0, point.dissipation, static_cast<float>(vn0), problem_.dt);
  point.guess = last_.of(particle, geometry.index);
  linkNodes(raw.slot, block, blocks, nodes, point);
  problem_.contacts.push_back(point);
  detected_.push_back(
      {particle, geometry.index, geometry.body, -static_cast<double>(raw.phi), x, normal, geometry.p_WB0});
}

/// The 27 nodes and weights of a particle. Weights within rounding of zero may belong to nodes without
/// mass: these take no part.
void CpuContacts::linkNodes(int slot, const ParticleBlock& block, const ParticleBlocks& blocks,
                            const std::vector<float>& nodes, ContactPoint<float>& point) {
  const Bspline<float> b = bspline(blocks.vector(slot, PackField::X), blocks.vector(slot, PackField::XLow),
                                   1.0f / static_cast<float>(model_.gridSpacing));
  const std::array<int, 3> base = {static_cast<int>(b.base.x), static_cast<int>(b.base.y),
                                   static_cast<int>(b.base.z)};  // counted from the block's corner
  const auto gridNodeAt = [&](int i, int j, int k) {
    const int n = 9 * (blockOf(i) + 1) + 3 * (blockOf(j) + 1) + blockOf(k) + 1;
    const int local = (withinBlock(i) * kBlockEdge + withinBlock(j)) * kBlockEdge + withinBlock(k);
    return block.gridBlocks[static_cast<std::size_t>(n)] * kBlockNodes + local;
  };
  const int middle = gridNodeAt(base[0] + 1, base[1] + 1, base[2] + 1);
  std::size_t n = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k, ++n) {
        const int node = gridNodeAt(base[0] + i, base[1] + j, base[2] + k);
        const bool massless = nodes[static_cast<std::size_t>(node) * 4 + 3] <= 0;
        point.node[n] = problemNode(massless ? middle : node, blocks, nodes);
        point.weight[n] = massless ? 0 : b.w[0][i] * b.w[1][j] * b.w[2][k];
      }
}

int CpuContacts::problemNode(int gridNode, const ParticleBlocks& blocks, const std::vector<float>& nodes) {
  int& index = problemNode_[static_cast<std::size_t>(gridNode)];
  if (index < 0) {
    index = static_cast<int>(gridNode_.size());
    gridNode_.push_back(gridNode);
    nodeAt_.push_back(model_.gridSpacing * blocks.nodeAt(gridNode));
    const float* node = nodes.data() + static_cast<std::ptrdiff_t>(gridNode) * 4;
    problem_.vStar.push_back({node[0], node[1], node[2]});
    problem_.mass.push_back(node[3]);
    if (!boundaries_.nodes().empty())
      problem_.bounds.push_back(boundaries_.boundsAt(static_cast<std::size_t>(gridNode)));
  }
  return index;
}

}  // namespace slipstick::mpm
