#include "engine/mpm/backends/cpu_cloth.h"
#include "engine/model/cloth.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace slipstick::mpm {
namespace {

constexpr int kPacksPerTask = 8;

/// A force, as CpuCloth::Sheet::forces has it.
typedef float Quad __attribute__((vector_size(16)));

std::size_t packsOf(int elements) {
  return static_cast<std::size_t>((elements + kPackLanes - 1) / kPackLanes);
}

/// Place of an element's field in packs with `fields` fields.
std::size_t placeOf(int element, int fields, int field) {
  return static_cast<std::size_t>((element / kPackLanes * fields + field) * kPackLanes +
                                  element % kPackLanes);
}

/// Fills packs lane by lane; the last pack's free lanes repeat its first element.
template <class Fill>
void forEachLane(int elements, Fill fill) {
  for (int lane = 0; lane < static_cast<int>(packsOf(elements)) * kPackLanes; ++lane)
    fill(lane, lane < elements ? lane : lane / kPackLanes * kPackLanes);
}

}  // namespace

CpuCloth::CpuCloth(const Model& model, const KernelTable& kernels,
                   const std::vector<MaterialFloats>& materials)
    : kernels_(kernels), h_(static_cast<float>(model.gridSpacing)), format_(model.gridSpacing) {
  for (std::size_t d = 0; d < model.deformables.size(); ++d) {
    sheetOfDeformable_.push_back(clothOf(model.deformables[d]) ? static_cast<int>(sheets_.size()) : -1);
    if (!clothOf(model.deformables[d])) continue;
    sheets_.push_back(makeSheet(model.deformables[d]));
    sheets_.back().material = materials[d];
    addHingeTasks(sheetOfDeformable_.back());
  }
  hingeSums_.assign(hingeTasks_.size(), {0, 1});
}

CpuCloth::Sheet CpuCloth::makeSheet(const Deformable& deformable) {
  const ClothMesh& mesh = *clothOf(deformable);
  Sheet s;
  s.begin = deformable.begin;
  s.mesh = &mesh;
  s.vertexCount = mesh.vertices;
  s.triangleCount = mesh.triangleCount();
  s.hingeCount = static_cast<int>(mesh.hinges.size());
  s.vertices.assign(static_cast<std::size_t>(8 * s.vertexCount), 0);
  s.hinges.resize(packsOf(s.hingeCount) * kHingeFloats);
  s.hingeCorners.resize(packsOf(s.hingeCount) * 4 * kPackLanes);
  forEachLane(s.hingeCount, [&](int lane, int hinge) {
    const ClothMesh::Hinge& from = mesh.hinges[static_cast<std::size_t>(hinge)];
    s.hinges[placeOf(lane, HingeField::Count, HingeField::Stiffness)] = static_cast<float>(from.stiffness);
    s.hinges[placeOf(lane, HingeField::Count, HingeField::RestAngle)] = static_cast<float>(from.restAngle);
    for (int c = 0; c < 4; ++c)
      s.hingeCorners[placeOf(lane, 4, c)] = from.vertices[static_cast<std::size_t>(c)];
  });
  listForces(mesh, s);
  return s;
}

/// Which entries of `forces` act on each vertex, triangles before hinges, in the mesh's order.
void CpuCloth::listForces(const ClothMesh& mesh, Sheet& s) {
  std::vector<int> vertexOfForce;
  for (const Eigen::Vector3i& t : mesh.triangles)
    vertexOfForce.insert(vertexOfForce.end(), t.begin(), t.end());
  for (const ClothMesh::Hinge& h : mesh.hinges)
    vertexOfForce.insert(vertexOfForce.end(), h.vertices.begin(), h.vertices.end());
  s.forces.assign(4 * vertexOfForce.size(), 0);
  s.firstForce.assign(static_cast<std::size_t>(s.vertexCount) + 1, 0);
  for (const int v : vertexOfForce) ++s.firstForce[static_cast<std::size_t>(v) + 1];
  for (std::size_t v = 1; v < s.firstForce.size(); ++v) s.firstForce[v] += s.firstForce[v - 1];
  std::vector<int> next = s.firstForce;
  s.forceOfVertex.resize(vertexOfForce.size());
  for (std::size_t f = 0; f < vertexOfForce.size(); ++f)
    s.forceOfVertex[static_cast<std::size_t>(next[static_cast<std::size_t>(vertexOfForce[f])]++)] =
        static_cast<int>(f);
}

void CpuCloth::addHingeTasks(int sheet) {
  const Sheet& s = sheets_[static_cast<std::size_t>(sheet)];
  constexpr int kPiece = kPacksPerTask * kPackLanes;
  for (int first = 0; first < s.hingeCount; first += kPiece)
    hingeTasks_.push_back({sheet, first, std::min(kPiece, s.hingeCount - first)});
}

void CpuCloth::begin(const ParticleBlocks& blocks) {
  if (!hasCloth()) return;
  for (Sheet& s : sheets_)
    s.origin = blocks.cornerOf(blocks.slotOfParticle[static_cast<std::size_t>(s.begin)]);
  const std::size_t slots = blocks.particleOfSlot.size();
  lanes_.resize(slots * ClothLaneField::Count);
  corners_.resize(slots * 3);
  elements_.resize(slots);
  triangleSums_.assign(blocks.ranges.size(), {0, 1});
  left_.assign(blocks.blocks.size(), 0);
}

void CpuCloth::place(const ParticleRange& range, ParticleBlocks& blocks) {
  resetVertices(range, blocks);
  const Sheet& s = sheets_[static_cast<std::size_t>(sheetOf(range))];
  const auto triangleOf = [&](int slot) {
    return blocks.particleOfSlot[static_cast<std::size_t>(slot)] - s.begin - s.vertexCount;
  };
  const int end = range.firstSlot + range.count;
  for (int pack = range.firstSlot; pack < end; pack += kPackLanes) {
    const int last = triangleOf(std::min(pack + kPackLanes, end) - 1);
    for (int slot = pack; slot < pack + kPackLanes; ++slot) {
      const int t = triangleOf(slot < end ? slot : pack);  // free lanes copy the first one
      elements_[static_cast<std::size_t>(slot)] = t < 0 ? -1 : t;
      if (last < 0) continue;  // vertices alone
      const auto from = static_cast<std::size_t>(t < 0 ? last : t);
      const Eigen::Matrix2d& inverse = s.mesh->restInverse[from];
      const double numbers[] = {inverse(0, 0), inverse(0, 1), inverse(1, 1),
                                t < 0 ? 0 : s.mesh->volume[from]};
      for (int f = 0; f < ClothLaneField::Count; ++f)
        lanes_[placeOf(slot, ClothLaneField::Count, f)] = static_cast<float>(numbers[f]);
      for (int c = 0; c < 3; ++c) corners_[placeOf(slot, 3, c)] = s.mesh->triangles[from][c];
    }
  }
}

void CpuCloth::collect(const ParticleRange& range, const ParticleBlock& block, const ParticleBlocks& blocks) {
  Sheet& s = sheets_[static_cast<std::size_t>(sheetOf(range))];
  for (int slot = range.firstSlot; slot < range.firstSlot + range.count; ++slot) {
    const int v = blocks.particleOfSlot[static_cast<std::size_t>(slot)] - s.begin;
    if (v >= s.vertexCount) return;  // triangles come after all vertices
    const Vec3 x = blocks.position(slot, block) - s.origin;
    float* vertex = s.vertices.data() + static_cast<std::ptrdiff_t>(8 * v);
    for (int a = 0; a < 3; ++a) {
      vertex[a] = static_cast<float>(x(a));
      vertex[4 + a] = static_cast<float>(x(a) - static_cast<double>(vertex[a]));
    }
  }
}

void CpuCloth::distribute(const ParticleRange& range, ParticleBlocks& blocks) const {
  const Sheet& s = sheets_[static_cast<std::size_t>(sheetOf(range))];
  for (int slot = range.firstSlot; slot < range.firstSlot + range.count; ++slot) {
    float* force = blocks.pack(slot) + PackField::Force * kPackLanes + slot % kPackLanes;
    const int v = blocks.particleOfSlot[static_cast<std::size_t>(slot)] - s.begin;
    Quad sum{};
    if (v < s.vertexCount)
      for (int i = s.firstForce[static_cast<std::size_t>(v)];
           i < s.firstForce[static_cast<std::size_t>(v) + 1]; ++i) {
        Quad one;
        std::memcpy(&one,
                    &s.forces[4 * static_cast<std::size_t>(s.forceOfVertex[static_cast<std::size_t>(i)])],
                    sizeof one);
        sum += one;
      }
    for (int a = 0; a < 3; ++a) force[a * kPackLanes] = sum[a];
  }
}

void CpuCloth::resetVertices(const ParticleRange& range, ParticleBlocks& blocks) const {
  const Sheet& s = sheets_[static_cast<std::size_t>(sheetOf(range))];
  for (int slot = range.firstSlot; slot < range.firstSlot + range.count; ++slot) {
    if (blocks.particleOfSlot[static_cast<std::size_t>(slot)] - s.begin >= s.vertexCount) return;
    float* lane = blocks.pack(slot) + slot % kPackLanes;
    for (int a = 0; a < 3; ++a) {
      lane[(PackField::F + 3 * a + 2) * kPackLanes] = a == 2 ? 1 : 0;
      lane[(PackField::Couple + a) * kPackLanes] = 0;
    }
  }
}

void CpuCloth::runTask(int task, ParticleBlocks& blocks, Run run) {
  const auto index = static_cast<std::size_t>(task);
  if (index < hingeTasks_.size())
    runHinges(index, run);
  else
    runTriangles(index - hingeTasks_.size(), blocks, run);
}

void CpuCloth::runTriangles(std::size_t index, ParticleBlocks& blocks, Run run) {
  const ParticleBlock& block = blocks.blocks[index];
  left_[index] = 0;
  for (int r = block.firstRange; r < block.endRange; ++r) {
    const ParticleRange& range = blocks.ranges[static_cast<std::size_t>(r)];
    if (!isCloth(range)) continue;
    Sheet& s = sheets_[static_cast<std::size_t>(sheetOf(range))];
    const auto slot = static_cast<std::size_t>(range.firstSlot);
    ClothTriangleArgs args{};
    args.particles = blocks.pack(range.firstSlot);
    args.count = range.count;
    args.store = run != Run::Sums;
    args.lanes = lanes_.data() + slot * ClothLaneField::Count;
    args.corners = corners_.data() + slot * 3;
    args.elements = elements_.data() + slot;
    args.vertices = s.vertices.data();
    args.forces = s.forces.data();
    for (int a = 0; a < 3; ++a) args.origin[a] = s.origin(a), args.corner[a] = block.corner(a);
    args.coarse = format_.coarse();
    args.roundCoarse = format_.roundCoarse(), args.roundFine = format_.roundFine();
    args.h = h_;
    args.material = s.material;
    ClothSums& sums = triangleSums_[static_cast<std::size_t>(r)];
    sums = {0, 1};
    args.sums = run == Run::Forces ? nullptr : &sums;
    left_[index] |= static_cast<char>(kernels_.clothTriangles(args));
  }
}

void CpuCloth::runHinges(std::size_t task, Run run) {
  const HingeTask& t = hingeTasks_[task];
  Sheet& s = sheets_[static_cast<std::size_t>(t.sheet)];
  const auto first = static_cast<std::size_t>(t.first);
  ClothHingeArgs args{};
  args.packs = s.hinges.data() + first / kPackLanes * kHingeFloats;
  args.corners = s.hingeCorners.data() + first * 4;
  args.vertices = s.vertices.data();
  args.forces = s.forces.data() + 4 * (3 * static_cast<std::size_t>(s.triangleCount) + 4 * first);
  args.count = t.count;
  args.sums = run == Run::Forces ? nullptr : &hingeSums_[task];
  kernels_.clothHinges(args);
}

ClothSums CpuCloth::sums(const ParticleBlocks& blocks, std::size_t deformable) const {
  ClothSums sums{0, 1};
  const auto add = [&sums](const ClothSums& s) {
    sums.energy += s.energy;
    sums.stiffening = std::max(sums.stiffening, s.stiffening);
  };
  for (std::size_t r = 0; r < blocks.ranges.size(); ++r)
    if (blocks.ranges[r].deformable == static_cast<int>(deformable)) add(triangleSums_[r]);
  for (std::size_t t = 0; t < hingeTasks_.size(); ++t)
    if (hingeTasks_[t].sheet == sheetOfDeformable_[deformable]) add(hingeSums_[t]);
  return sums;
}

bool CpuCloth::leftTile() const {
  return std::any_of(left_.begin(), left_.end(), [](char left) { return left != 0; });
}

}  // namespace slipstick::mpm
