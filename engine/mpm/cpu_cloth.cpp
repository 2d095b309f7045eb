#include "engine/mpm/cpu_cloth.h"

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
    : kernels_(kernels), h_(static_cast<float>(model.gridSpacing)) {
  for (std::size_t d = 0; d < model.deformables.size(); ++d) {
    sheetOfDeformable_.push_back(model.deformables[d].cloth ? static_cast<int>(sheets_.size()) : -1);
    if (!model.deformables[d].cloth) continue;
    sheets_.push_back(makeSheet(model.deformables[d]));
    sheets_.back().material = materials[d];
    addTasks(sheetOfDeformable_.back());
  }
  left_.assign(tasks_.size(), 0);
  sums_.assign(tasks_.size(), {0, 1});
}

CpuCloth::Sheet CpuCloth::makeSheet(const Deformable& deformable) {
  const ClothMesh& mesh = *deformable.cloth;
  Sheet s;
  s.begin = deformable.begin;
  s.vertexCount = mesh.vertices;
  s.triangleCount = mesh.triangleCount();
  s.hingeCount = static_cast<int>(mesh.hinges.size());
  s.vertices.assign(static_cast<std::size_t>(8 * s.vertexCount), 0);
  s.triangles.assign(packsOf(s.triangleCount) * kTriangleFloats, 0);
  s.triangleCorners.resize(packsOf(s.triangleCount) * 3 * kPackLanes);
  forEachLane(s.triangleCount, [&](int lane, int t) {
    const auto i = static_cast<std::size_t>(t);
    const Eigen::Matrix2d& inverse = mesh.restInverse[i];
    const double constants[4] = {inverse(0, 0), inverse(0, 1), inverse(1, 1), mesh.volume[i]};
    for (int f = 0; f < 4; ++f)
      s.triangles[placeOf(lane, TriangleField::Count, TriangleField::RestInverse + f)] =
          static_cast<float>(constants[f]);
    for (int c = 0; c < 3; ++c) s.triangleCorners[placeOf(lane, 3, c)] = mesh.triangles[i][c];
  });
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

void CpuCloth::addTasks(int sheet) {
  const Sheet& s = sheets_[static_cast<std::size_t>(sheet)];
  constexpr int kPiece = kPacksPerTask * kPackLanes;
  for (int first = 0; first < s.triangleCount; first += kPiece)
    tasks_.push_back({sheet, first, std::min(kPiece, s.triangleCount - first), false});
  for (int first = 0; first < s.hingeCount; first += kPiece)
    tasks_.push_back({sheet, first, std::min(kPiece, s.hingeCount - first), true});
}

void CpuCloth::begin(const ParticleBlocks& blocks) {
  for (Sheet& s : sheets_)
    s.origin = blocks.cornerOf(blocks.slotOfParticle[static_cast<std::size_t>(s.begin)]);
}

void CpuCloth::place(const ParticleRange& range, const ParticleBlock& block, const ParticleBlocks& blocks) {
  Sheet& s = sheets_[static_cast<std::size_t>(clothOf(range))];
  const Vec3 tile = (block.corner - s.origin) / static_cast<double>(h_) - Vec3::Ones();
  for (int slot = range.firstSlot; slot < range.firstSlot + range.count; ++slot) {
    const int t = blocks.particleOfSlot[static_cast<std::size_t>(slot)] - s.begin - s.vertexCount;
    if (t < 0) continue;
    // A pack's free lanes are at home where its first triangle is.
    const int copies = t % kPackLanes == 0 && t + kPackLanes > s.triangleCount ? kPackLanes : 1;
    for (int a = 0; a < 3; ++a)
      for (int lane = 0; lane < copies; ++lane)
        if (lane == 0 || t + lane >= s.triangleCount)
          s.triangles[placeOf(t + lane, TriangleField::Count, TriangleField::TileBase + a)] =
              static_cast<float>(std::round(tile(a)));
  }
}

void CpuCloth::collect(const ParticleRange& range, const ParticleBlock& block, const ParticleBlocks& blocks) {
  Sheet& s = sheets_[static_cast<std::size_t>(clothOf(range))];
  for (int slot = range.firstSlot; slot < range.firstSlot + range.count; ++slot) {
    const float* lane = blocks.pack(slot) + slot % kPackLanes;
    const int v = blocks.particleOfSlot[static_cast<std::size_t>(slot)] - s.begin;
    if (v < s.vertexCount) {
      const Vec3 x = blocks.position(slot, block) - s.origin;
      float* vertex = s.vertices.data() + static_cast<std::ptrdiff_t>(8 * v);
      for (int a = 0; a < 3; ++a) {
        vertex[a] = static_cast<float>(x(a));
        vertex[4 + a] = static_cast<float>(x(a) - static_cast<double>(vertex[a]));
      }
      continue;
    }
    for (int a = 0; a < 3; ++a)
      s.triangles[placeOf(v - s.vertexCount, TriangleField::Count, TriangleField::F + 3 * a + 2)] =
          lane[(PackField::F + 3 * a + 2) * kPackLanes];
  }
}

void CpuCloth::distribute(const ParticleRange& range, const ParticleBlock& block,
                          ParticleBlocks& blocks) const {
  const Sheet& s = sheets_[static_cast<std::size_t>(clothOf(range))];
  for (int slot = range.firstSlot; slot < range.firstSlot + range.count; ++slot) {
    float* lane = blocks.pack(slot) + slot % kPackLanes;
    const auto put = [lane](int field, float value) { lane[field * kPackLanes] = value; };
    const int v = blocks.particleOfSlot[static_cast<std::size_t>(slot)] - s.begin;
    if (v < s.vertexCount) {
      Quad sum{};
      for (int i = s.firstForce[static_cast<std::size_t>(v)];
           i < s.firstForce[static_cast<std::size_t>(v) + 1]; ++i) {
        Quad force;
        std::memcpy(&force,
                    &s.forces[4 * static_cast<std::size_t>(s.forceOfVertex[static_cast<std::size_t>(i)])],
                    sizeof force);
        sum += force;
      }
      for (int a = 0; a < 3; ++a) {
        put(PackField::Force + a, sum[a]);
        put(PackField::Couple + a, 0);
        put(PackField::F + 3 * a + 2, a == 2 ? 1 : 0);  // a vertex has no director for the grid to carry
      }
      continue;
    }
    const float* triangle = s.triangles.data() + placeOf(v - s.vertexCount, TriangleField::Count, 0);
    const auto get = [triangle](int field) { return triangle[field * kPackLanes]; };
    Vec3 x = s.origin;
    for (int a = 0; a < 3; ++a)
      x(a) +=
          static_cast<double>(get(TriangleField::X + a)) + static_cast<double>(get(TriangleField::XRest + a));
    blocks.setPosition(slot, blocks.format().rounded(x) - block.corner);
    for (int a = 0; a < 3; ++a) {
      put(PackField::Force + a, 0);
      put(PackField::Couple + a, get(TriangleField::Couple + a));
    }
    for (int i = 0; i < 9; ++i) put(PackField::F + i, get(TriangleField::F + i));
  }
}

void CpuCloth::runTask(int task, bool withSums) {
  const Task& t = tasks_[static_cast<std::size_t>(task)];
  Sheet& s = sheets_[static_cast<std::size_t>(t.sheet)];
  const auto first = static_cast<std::size_t>(t.first), pack = first / kPackLanes;
  ClothArgs args{};
  args.vertices = s.vertices.data();
  args.count = t.count;
  args.h = h_;
  args.material = s.material;
  args.sums = withSums ? &sums_[static_cast<std::size_t>(task)] : nullptr;
  if (t.hinges) {
    args.packs = s.hinges.data() + pack * kHingeFloats;
    args.corners = s.hingeCorners.data() + first * 4;
    args.forces = s.forces.data() + 4 * (3 * static_cast<std::size_t>(s.triangleCount) + 4 * first);
    kernels_.clothHinges(args);
  } else {
    args.packs = s.triangles.data() + pack * kTriangleFloats;
    args.corners = s.triangleCorners.data() + first * 3;
    args.forces = s.forces.data() + 4 * 3 * first;
    left_[static_cast<std::size_t>(task)] = kernels_.clothTriangles(args) != 0;
  }
}

ClothSums CpuCloth::sums(std::size_t deformable) const {
  ClothSums sums{0, 1};
  for (std::size_t t = 0; t < tasks_.size(); ++t) {
    if (tasks_[t].sheet != sheetOfDeformable_[deformable]) continue;
    sums.energy += sums_[t].energy;
    sums.stiffening = std::max(sums.stiffening, sums_[t].stiffening);
  }
  return sums;
}

bool CpuCloth::leftTile() const {
  return std::any_of(left_.begin(), left_.end(), [](char left) { return left != 0; });
}

}  // namespace slipstick::mpm
