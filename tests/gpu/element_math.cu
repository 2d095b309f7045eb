// Every function of the element math in a kernel of its own, so that the assembler says for each what it
// needs.
#include "tests/gpu/element_math.h"

#include <typeinfo>

#include "engine/contact/rigid_potentials.h"
#include "engine/geometry/signed_distance.h"
#include "engine/lanes/hinge.h"
#include "engine/lanes/polar.h"
#include "engine/lanes/svd3.h"
#include "engine/mpm/bspline.h"
#include "engine/mpm/materials/cloth.h"
#include "engine/mpm/materials/dispatch.h"
#include "engine/mpm/transfer.h"

namespace slipstick::gpu::testing {
namespace {

using lanes::M3;
using lanes::V3;
using mpm::Internal;
using mpm::MaterialConstants;
using Real = float;

/// One thread's numbers, given meanings. Places: [0, 9) F, [9, 18) C, [18, 24) material, [24, 26) internal
/// variables, [26, 48) vectors and lengths.
struct Inputs {
  const Real* at;

  SIM_HD Real number(int i) const { return at[i]; }
  SIM_HD Real positive(int i) const { return Real(0.5f) + at[i] * at[i]; }
  SIM_HD V3<Real> vector(int i) const { return {at[i], at[i + 1], at[i + 2]}; }
  SIM_HD V3<Real> direction(int i) const {
    const V3<Real> v{at[i], at[i + 1], positive(i + 2)};
    return (Real(1) / lanes::sqrt(dot(v, v))) * v;
  }
  SIM_HD M3<Real> matrix(int i) const {
    M3<Real> m;
    for (int k = 0; k < 9; ++k) m.a[k] = at[i + k];
    return m;
  }
  SIM_HD M3<Real> deformation() const { return M3<Real>::identity() + Real(0.3f) * matrix(0); }
  SIM_HD M3<Real> affine() const { return matrix(9); }
  SIM_HD MaterialConstants<Real> material() const {
    return {positive(18),
            positive(19),
            Real(0.1f) * positive(20),
            {positive(21), Real(2) + number(22), positive(23), Real(0.1f) * positive(18)}};
  }
  SIM_HD Internal<Real> internal() const { return {positive(24), positive(25)}; }
};

struct Outputs {
  Real* at;

  SIM_HD Outputs& operator<<(Real x) {
    *at++ = x;
    return *this;
  }
  SIM_HD Outputs& operator<<(const V3<Real>& v) { return *this << v.x << v.y << v.z; }
  SIM_HD Outputs& operator<<(const M3<Real>& m) {
    for (int k = 0; k < 9; ++k) *this << m.a[k];
    return *this;
  }
};

// ---- materials ----

template <class Material>
struct Energy {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    out << Material::energy(in.deformation(), in.internal(), in.material());
  }
};
template <class Material>
struct Stress {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    out << Material::stress(in.deformation(), in.internal(), in.affine(), in.material());
  }
};
template <class Material>
struct ReturnMap {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    const mpm::Mapped<Real> mapped = Material::returnMap(in.deformation(), in.internal(), in.material());
    out << mapped.F << mapped.strain << mapped.q.a << mapped.q.b;
  }
};
template <class Material>
struct Update {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    const mpm::Updated<Real> u =
        Material::update(in.deformation(), in.internal(), in.affine(), in.material());
    out << u.F << u.tau << u.strain << u.q.a << u.q.b;
  }
};
template <class Material>
struct Stiffening {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    out << Material::stiffening(in.deformation(), in.internal(), in.material());
  }
};
/// Zong's own form, which lags the rotation.
struct LaggedRotation {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    const M3<Real> R0 = lanes::polarRotation(M3<Real>::identity() + Real(0.2f) * in.affine());
    using Material = mpm::LinearCorotatedVonMises;
    const mpm::Mapped<Real> mapped = Material::returnMap(in.deformation(), in.material(), R0);
    out << mapped.F << mapped.strain << Material::stress(mapped.F, in.material(), R0)
        << Material::energy(mapped.F, in.material(), R0);
  }
};

// ---- matrices and the grid ----

struct Svd {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    const lanes::Svd3<Real> d = lanes::svd3(in.deformation());
    out << d.U << d.sigma << d.V;
  }
};
struct Polar {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    out << lanes::polarRotation(in.deformation());
  }
};
struct Spline {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    const mpm::Bspline<Real> b = mpm::bspline(in.vector(26), in.positive(29));
    out << b.base << b.f;
    for (int axis = 0; axis < 3; ++axis)
      for (int node = 0; node < 3; ++node) out << b.w[axis][node];
  }
};
struct ToGrid {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    const Real scale = mpm::stressImpulseScale(in.positive(26), in.positive(27), in.positive(28));
    out << mpm::affineMomentum(in.positive(29), in.affine(), scale, in.matrix(0));
  }
};
struct FromGrid {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    out << mpm::trialDeformation(in.affine(), in.positive(26), in.deformation())
        << mpm::affineVelocity(in.affine(), in.positive(27));
  }
};

// ---- contact ----

SIM_HD contact::LaggedContact<Real> laggedContact(const Inputs& in) {
  const Real dt = in.positive(29), f0 = in.positive(30), d = in.positive(31), mu = in.positive(32);
  const Real bound = mu * contact::laggedNormalImpulse(f0, d, in.number(33), dt);
  return {in.direction(26),
          f0,
          in.positive(34),
          d,
          bound,
          contact::frictionEpsilon(in.positive(35), bound, in.positive(36), Real(1e-3)),
          dt};
}
struct Lagged {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    const contact::LaggedContact<Real> c = laggedContact(in);
    const contact::LaggedPotential<Real> p = contact::laggedPotential(in.vector(37), c);
    out << p.value << p.gamma << p.normalBound << contact::hessian(p, c.normal)
        << contact::hessianRoot(p, c.normal);
  }
};
SIM_HD void writeRigid(const contact::RigidPotential<Real>& p, const Inputs& in, Outputs out) {
  out << p.value << p.gamma << contact::hessian(p, in.direction(26))
      << contact::curvature(p, in.direction(26), in.vector(40));
}
struct RigidLagged {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    writeRigid(contact::laggedRigidPotential(in.vector(37), laggedContact(in)), in, out);
  }
};
struct Similar {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    writeRigid(contact::similarPotential(in.vector(37), laggedContact(in), in.positive(32)), in, out);
  }
};
struct Sap {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    const contact::SapContact<Real> c =
        contact::sapContact(in.direction(26), in.positive(32), in.number(33), in.positive(34),
                            in.positive(35), in.positive(29), in.positive(36), Real(1e-3));
    writeRigid(contact::sapPotential(in.vector(37), c), in, out);
  }
};

// ---- cloth ----

SIM_HD mpm::ClothFactors<Real> clothFactors(const Inputs& in) {
  const M3<Real> F = in.deformation();
  return mpm::clothFactors(F.col(0), F.col(1), F.col(2));
}
struct ClothTriangle {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    const Real inverse[3] = {in.positive(26), in.number(27), in.positive(28)};
    const mpm::ClothFactors<Real> f = mpm::returnedDirector(clothFactors(in), in.material());
    const mpm::ClothStress<Real> P = mpm::clothStress(f, in.material());
    const mpm::CornerForces<Real> forces = mpm::cornerForces(P, inverse, in.positive(29));
    out << f.director() << P.p3 << forces.corner1 << forces.corner2;
  }
};
struct ClothEnergy {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    out << mpm::clothEnergy(clothFactors(in), in.material())
        << mpm::clothStiffening(clothFactors(in), in.material());
  }
};
struct Hinge {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    // Around the edge from the origin to x, the corners on their sides: no triangle is crushed.
    const V3<Real> a{0, 0, 0}, b{in.positive(26), 0, 0};
    const V3<Real> left{in.number(27), in.positive(28), in.number(29)};
    const V3<Real> right{in.number(30), -in.positive(31), in.number(32)};
    const lanes::HingeAngle<Real> h = lanes::hingeAngle(a, b, left, right);
    out << h.angle << h.a << h.b << h.left << h.right;
  }
};

// ---- distances ----

SIM_HD GeometryShape<Real> shapeOf(const Inputs& in, ShapeType type) {
  GeometryShape<Real> shape;
  shape.type = type;
  for (int i = 0; i < 3; ++i) shape.halfExtents[i] = in.positive(26 + i);
  shape.radius = in.positive(29);
  shape.halfLength = in.positive(30);
  shape.grid.distance = in.at;  // 2 × 2 × 2 nodes
  for (int i = 0; i < 3; ++i) {
    shape.grid.size[i] = 2;
    shape.grid.origin[i] = in.number(31 + i);
  }
  shape.grid.spacing = in.positive(34);
  return shape;
}
template <ShapeType kType>
struct Distance {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    const SignedDistance<Real> d = signedDistance(shapeOf(in, kType), in.vector(37));
    out << d.phi << d.normal;
  }
};
/// Of a shape that is known only at run time.
struct DistanceOfAnyShape {
  SIM_HD static void evaluate(const Inputs& in, Outputs out) {
    const auto type = static_cast<ShapeType>(static_cast<int>(Real(3.4f) * (in.number(40) + Real(1))));
    const SignedDistance<Real> d = signedDistance(shapeOf(in, type), in.vector(37));
    out << d.phi << d.normal;
  }
};

// ---- kernels ----

template <class E>
__global__ void perThread(const Real* in, Real* out, int count) {
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (thread < count)
    E::evaluate(Inputs{in + thread * kElementInputs}, Outputs{out + thread * kElementOutputs});
}

/// Device memory of `size` numbers, null if there is none.
struct DeviceNumbers {
  Real* data = nullptr;
  explicit DeviceNumbers(std::size_t size) {
    if (cudaMalloc(&data, size * sizeof(Real)) != cudaSuccess) data = nullptr;
  }
  ~DeviceNumbers() { cudaFree(data); }
  DeviceNumbers(const DeviceNumbers&) = delete;
  DeviceNumbers& operator=(const DeviceNumbers&) = delete;
};

template <class E>
void add(std::vector<Element>& elements) {
  Element e;
  e.type = &typeid(E);
  e.onHost = [](const Real* in, Real* out) { E::evaluate(Inputs{in}, Outputs{out}); };
  e.onDevice = [](const Real* in, Real* out, int count) -> std::string {
    const std::size_t inputs = static_cast<std::size_t>(count) * kElementInputs;
    const std::size_t outputs = static_cast<std::size_t>(count) * kElementOutputs;
    const DeviceNumbers deviceIn(inputs), deviceOut(outputs);
    if (!deviceIn.data || !deviceOut.data) return "no device memory";
    cudaMemcpy(deviceIn.data, in, inputs * sizeof(Real), cudaMemcpyHostToDevice);
    cudaMemcpy(deviceOut.data, out, outputs * sizeof(Real), cudaMemcpyHostToDevice);
    constexpr int kThreads = 64;
    perThread<E><<<(count + kThreads - 1) / kThreads, kThreads>>>(deviceIn.data, deviceOut.data, count);
    cudaMemcpy(out, deviceOut.data, outputs * sizeof(Real), cudaMemcpyDeviceToHost);
    const cudaError_t error = cudaGetLastError();
    return error == cudaSuccess ? "" : cudaGetErrorString(error);
  };
  elements.push_back(e);
}

struct AddMaterial {
  std::vector<Element>& elements;
  template <class Material>
  void operator()(Material) const {
    add<Energy<Material>>(elements);
    add<Stress<Material>>(elements);
    add<ReturnMap<Material>>(elements);
    add<Update<Material>>(elements);
    add<Stiffening<Material>>(elements);
  }
};

template <class... E>
std::vector<Element> elementsWithMaterials() {
  std::vector<Element> elements;
  for (int model = 0; model < kPointMaterials; ++model)
    mpm::withMaterial(static_cast<MaterialModel>(model), AddMaterial{elements});
  (add<E>(elements), ...);
  return elements;
}

}  // namespace

const std::vector<Element>& elementMath() {
  static const std::vector<Element> elements =
      elementsWithMaterials<LaggedRotation, Svd, Polar, Spline, ToGrid, FromGrid, Lagged, RigidLagged,
                            Similar, Sap, ClothTriangle, ClothEnergy, Hinge, Distance<ShapeType::Plane>,
                            Distance<ShapeType::Sphere>, Distance<ShapeType::Box>,
                            Distance<ShapeType::Capsule>, Distance<ShapeType::Cylinder>,
                            Distance<ShapeType::Ellipsoid>, Distance<ShapeType::Mesh>, DistanceOfAnyShape>();
  return elements;
}

}  // namespace slipstick::gpu::testing
