#include "engine/mpm/implicit/elastic_grid.h"

#include <algorithm>

#include "engine/foundation/dense_blas.h"
#include "engine/foundation/set_size.h"
#include "engine/mpm/kernel_choice.h"

namespace slipstick::mpm {
namespace {

/// Σ_i v_i b_iᵀ. @param nodal  v_i   @param b  27 × 3, column-major
template <class Nodal>
Mat3 changeOf(const Nodal& nodal, const double* b) {
  Eigen::Array4d x = Eigen::Array4d::Zero(), y = x, z = x;
  for (int i = 0; i < 27; ++i) {
    const Eigen::Array4d v = nodal.col(i);
    x += b[i] * v;
    y += b[27 + i] * v;
    z += b[54 + i] * v;
  }
  Mat3 change;
  change << x.head<3>().matrix(), y.head<3>().matrix(), z.head<3>().matrix();
  return change;
}

/// Adds s b_i to each node.
template <class Nodal>
void addStress(const Mat3& s, const double* b, Nodal& nodal) {
  Eigen::Array4d x = Eigen::Array4d::Zero(), y = x, z = x;
  x.head<3>() = s.col(0).array();
  y.head<3>() = s.col(1).array();
  z.head<3>() = s.col(2).array();
  for (int i = 0; i < 27; ++i) nodal.col(i) += b[i] * x + b[27 + i] * y + b[54 + i] * z;
}

/// Of the particles of an element, side by side: a row per lane.
class Deformations {
 public:
  void resize(std::size_t count) {
    const auto packs = static_cast<Eigen::Index>((count + kLanes - 1) / kLanes);
    for (MatX* all : {&F_, &U_, &V_}) setSize(*all, kLanes, 9 * packs);
    setSize(sigma_, kLanes, 3 * packs);
    F_.setZero();
  }
  void set(std::size_t p, const Mat3& F) { F_.block<1, 9>(lane(p), 9 * pack(p)) = F.reshaped().transpose(); }
  void decompose() {
    chooseKernels().decompose(
        {static_cast<int>(F_.cols() / 9), F_.data(), U_.data(), V_.data(), sigma_.data()});
  }
  Deformation operator[](std::size_t p) const {
    const auto matrix = [&](const MatX& all) -> Mat3 {
      return all.block<1, 9>(lane(p), 9 * pack(p)).reshaped(3, 3);
    };
    return {matrix(F_), matrix(U_), matrix(V_), sigma_.block<1, 3>(lane(p), 3 * pack(p)).transpose()};
  }

 private:
  static constexpr std::size_t kLanes = DecomposeArgs::kLanes;
  static Eigen::Index lane(std::size_t p) { return static_cast<Eigen::Index>(p % kLanes); }
  static Eigen::Index pack(std::size_t p) { return static_cast<Eigen::Index>(p / kLanes); }

  MatX F_, U_, V_, sigma_;
};

}  // namespace

void ElasticGrid::clear() {
  elements_.clear();
  points_ = 0;
  middle_.clear();
  cloth_.clear();
}

void ElasticGrid::add(const Particle& particle) {
  const auto [known, fresh] = middle_.insert({particle.node[13], elements_.size()});
  if (fresh) elements_.push_back({particle.node, {}, MatX(27, 0)});
  Element& element = elements_[known->second];
  element.points.push_back({particle.law, particle.volume, particle.F});
  element.shapes.conservativeResize(Eigen::NoChange, element.shapes.cols() + 3);
  for (int i = 0; i < 27; ++i)
    element.shapes.rightCols<3>().row(i) = particle.b[static_cast<std::size_t>(i)].transpose();
  ++points_;
}

bool ElasticGrid::isQuadratic() const {
  const auto quadratic = [](const Point& p) { return p.law.isQuadratic(); };
  return cloth_.size() == 0 && std::all_of(elements_.begin(), elements_.end(), [&](const Element& e) {
           return std::all_of(e.points.begin(), e.points.end(), quadratic);
         });
}

std::vector<std::span<const int>> ElasticGrid::elements() const {
  std::vector<std::span<const int>> nodes;
  for (const Element& e : elements_) nodes.push_back(e.nodes);
  for (std::size_t e = 0; e < cloth_.size(); ++e) nodes.push_back(cloth_.nodesOf(e));
  return nodes;
}

ElasticGrid::Nodal ElasticGrid::gather(const Element& e, const VecX& v) {
  Nodal nodal;
  nodal.row(3).setZero();
  for (int i = 0; i < 27; ++i)
    nodal.col(i).head<3>() = v.segment<3>(3 * e.nodes[static_cast<std::size_t>(i)]).array();
  return nodal;
}

void ElasticGrid::scatter(const Nodal& nodal, const Element& e, VecX& v) {
  for (int i = 0; i < 27; ++i)
    v.segment<3>(3 * e.nodes[static_cast<std::size_t>(i)]) += nodal.col(i).head<3>().matrix();
}

double ElasticGrid::linearize(const VecX& v, Tangents tangents) {
  Mat9 C;
  return cloth_.linearize(v) + evaluate(v, [&](Point& p, const Deformation& at) {
           const ElasticResponse response = p.law.linearize(at, C, tangents);
           for (int l = 0; l < 3; ++l)
             p.stiffness.middleRows<3>(4 * l) = p.volume * C.middleRows<3>(3 * l).array();
           return response;
         });
}

double ElasticGrid::findStress(const VecX& v) {
  return cloth_.findStress(v) +
         evaluate(v, [](const Point& p, const Deformation& at) { return p.law.respond(at); });
}

/// Energy and stress at v. @param respond(point, deformation)  what it does there
template <class Respond>
double ElasticGrid::evaluate(const VecX& v, const Respond& respond) {
  double sum = 0;
  Deformations deformations;
  for (Element& e : elements_) {
    const Nodal nodal = gather(e, v);
    deformations.resize(e.points.size());
    for (std::size_t k = 0; k < e.points.size(); ++k)
      deformations.set(k, e.points[k].F + changeOf(nodal, e.shapes.data() + 81 * k));
    deformations.decompose();
    for (std::size_t k = 0; k < e.points.size(); ++k) {
      Point& p = e.points[k];
      const ElasticResponse at = respond(p, deformations[k]);
      sum += p.volume * at.energy;
      p.P = at.P;
    }
  }
  return sum;
}

void ElasticGrid::addGradient(VecX& gradient) const {
  cloth_.addGradient(gradient);
  for (const Element& e : elements_) {
    Nodal nodal = Nodal::Zero();
    const double* b = e.shapes.data();
    for (const Point& p : e.points) {
      addStress(p.volume * p.P, b, nodal);
      b += 81;
    }
    scatter(nodal, e, gradient);
  }
}

void ElasticGrid::addCurvature(const VecX& x, VecX& Hx) const {
  cloth_.addCurvature(x, Hx);
  const KernelTable& kernels = chooseKernels();
  for (const Element& e : elements_) {
    const Nodal nodal = gather(e, x);
    Nodal result = Nodal::Zero();
    static_assert(sizeof(Point) % sizeof(double) == 0);
    kernels.curvature({e.shapes.data(), e.points.front().stiffness.data(), sizeof(Point) / sizeof(double),
                       static_cast<int>(e.points.size()), nodal.data(), result.data()});
    scatter(result, e, Hx);
  }
}

/// H_ii = Σ_p V Σ_kl b_i[k] C[·k, ·l] b_i[l], for all particles and nodes of the element in one product. Both b bᵀ and what
/// C[·k, ·l] + C[·l, ·k] are for its entries are symmetric: six numbers each.
void ElasticGrid::addBlocks(std::vector<Mat3>& blocks) const {
  constexpr std::array<std::array<int, 2>, 6> kPairs = {{{0, 0}, {1, 1}, {2, 2}, {1, 0}, {2, 0}, {2, 1}}};
  cloth_.addBlocks(blocks);
  MatX squares, curvatures, sums(27, 6);
  for (const Element& e : elements_) {
    setSize(squares, 27, 2 * e.shapes.cols());
    setSize(curvatures, 2 * e.shapes.cols(), 6);
    Eigen::Index column = 0, row = 0;
    for (const Point& p : e.points) {
      const auto b = e.shapes.middleCols<3>(column);
      for (const auto& [k, l] : kPairs) {
        squares.col(row) = b.col(k).cwiseProduct(b.col(l));
        Mat3 C = p.stiffness.block<3, 3>(4 * k, 3 * l).matrix();
        if (k != l) C += C.transpose().eval();
        for (std::size_t r = 0; r < 6; ++r)
          curvatures(row, static_cast<Eigen::Index>(r)) = C(kPairs[r][0], kPairs[r][1]);
        ++row;
      }
      column += 3;
    }
    Dense<double>::multiply(squares, curvatures, sums);
    for (int i = 0; i < 27; ++i) {
      Mat3& block = blocks[static_cast<std::size_t>(e.nodes[static_cast<std::size_t>(i)])];
      for (std::size_t r = 0; r < 6; ++r) {
        const auto [a, c] = kPairs[r];
        const double value = sums(i, static_cast<Eigen::Index>(r));
        block(a, c) += value;
        if (a != c) block(c, a) += value;
      }
    }
  }
}

/// K_ij = Σ_p V Σ_kl b_i[k] C[·k, ·l] b_j[l], for all particles of the element in one product: V Σ_l C[·k, ·l] b_j[l] by b_i[k].
/// K_ij is the transpose of K_ji: six of its entries tell the other three.
template <class Matrix>
void ElasticGrid::findElement(std::size_t element, Matrix& K) const {
  using Real = typename Matrix::Scalar;
  if (element >= elements_.size()) {
    MatX ofCloth;
    cloth_.findElement(element - elements_.size(), ofCloth);
    K = Matrix(ofCloth.cast<Real>());
    return;
  }
  constexpr int kEntries[3][3] = {{0, 1, 3}, {1, 2, 4}, {3, 4, 5}};
  const Element& e = elements_[element];
  const Matrix shapes = e.shapes.cast<Real>();
  Matrix stiffened(6 * 27, shapes.cols()), product = Matrix::Zero(6 * 27, 27);
  Eigen::Index column = 0;
  for (const Point& p : e.points) {
    const auto b = shapes.template middleCols<3>(column);
    const Eigen::Array<Real, 12, 9> C = p.stiffness.template cast<Real>();
    for (int k = 0; k < 3; ++k)
      for (int a = 0; a < 3; ++a)
        for (int c = 0; c <= a; ++c)
          stiffened.col(column + k).template segment<27>(27 * kEntries[a][c]) =
              C(a + 4 * k, c) * b.col(0) + C(a + 4 * k, c + 3) * b.col(1) + C(a + 4 * k, c + 6) * b.col(2);
    column += 3;
  }
  Dense<Real>::addProductTransposed(stiffened, shapes, product);
  setSize(K, 81, 81);
  for (int j = 0; j < 27; ++j)
    for (int i = j; i < 27; ++i)
      for (int c = 0; c < 3; ++c)
        for (int a = 0; a < 3; ++a)
          K(3 * i + a, 3 * j + c) =
              a >= c ? product(27 * kEntries[a][c] + j, i) : product(27 * kEntries[a][c] + i, j);
}

template void ElasticGrid::findElement(std::size_t, Dense<float>::Dynamic&) const;
template void ElasticGrid::findElement(std::size_t, Dense<double>::Dynamic&) const;

}  // namespace slipstick::mpm
