#include "engine/foundation/dense_blas.h"

#include <cblas.h>

#include "engine/foundation/require.h"

// LAPACK's, which OpenBLAS has with BLAS; Debian's header of it comes with another package.
extern "C" {
void spotrf_(const char* triangle, const int* n, float* A, const int* stride, int* info, std::size_t);
void dpotrf_(const char* triangle, const int* n, double* A, const int* stride, int* info, std::size_t);
}

namespace slipstick {
namespace {

int count(Eigen::Index n) {
  return static_cast<int>(n);
}

/// More threads would sum in another order, and the callers have their own.
void useOneThread() {
  static const bool once = (openblas_set_num_threads(1), true);
  static_cast<void>(once);
}

/// OpenBLAS's triangular systems of a few hundred rows, and its factors, take up to four times as long as products of that size
/// (0.3.21, where vectors have 512 bits): they are made of products here. So small parts are inverted, or factorised by it.
constexpr Eigen::Index kInverted = 16, kFactorized = 64;

/// Half of n rows, rounded up to whole parts.
Eigen::Index half(Eigen::Index n) {
  return (n / 2 + kInverted - 1) / kInverted * kInverted;
}

/// The names of its functions for each type.
template <class Real>
struct Blas;
template <>
struct Blas<float> {
  static constexpr auto kFactorize = &spotrf_;
  static constexpr auto kSquare = &cblas_ssyrk;
  static constexpr auto kMultiply = &cblas_sgemm;
  static constexpr auto kSolveFor = &cblas_strsv;
  static constexpr auto kMultiplySymmetric = &cblas_ssymv;
  static constexpr auto kAddImage = &cblas_sgemv;
};
template <>
struct Blas<double> {
  static constexpr auto kFactorize = &dpotrf_;
  static constexpr auto kSquare = &cblas_dsyrk;
  static constexpr auto kMultiply = &cblas_dgemm;
  static constexpr auto kSolveFor = &cblas_dtrsv;
  static constexpr auto kMultiplySymmetric = &cblas_dsymv;
  static constexpr auto kAddImage = &cblas_dgemv;
};

/// C ← scale A B' + keep C, B' = B or Bᵀ
template <class Real>
void multiplyAdd(CBLAS_TRANSPOSE ofB, Real scale, const typename Dense<Real>::ConstMatrix& A,
                 const typename Dense<Real>::ConstMatrix& B, Real keep, typename Dense<Real>::Matrix C) {
  useOneThread();
  Blas<Real>::kMultiply(CblasColMajor, CblasNoTrans, ofB, count(C.rows()), count(C.cols()), count(A.cols()),
                        scale, A.data(), count(A.outerStride()), B.data(), count(B.outerStride()), keep,
                        C.data(), count(C.outerStride()));
}

template <class Real>
using Small = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic, 0, kInverted, kInverted>;

/// Of a triangular matrix with so few rows.
template <class Real>
Small<Real> inverse(const typename Dense<Real>::ConstMatrix& L) {
  Small<Real> result = Small<Real>::Identity(L.rows(), L.cols());
  L.template triangularView<Eigen::Lower>().solveInPlace(result);
  return result;
}

template <class Real>
void solveFor(CBLAS_TRANSPOSE ofL, const typename Dense<Real>::ConstMatrix& L,
              typename Dense<Real>::Vector& x) {
  SIM_REQUIRE(L.rows() == L.cols() && L.cols() == x.size(), L.rows(), x.size());
  useOneThread();
  if (x.size() == 0) return;
  Blas<Real>::kSolveFor(CblasColMajor, CblasLower, ofL, CblasNonUnit, count(x.size()), L.data(),
                        count(L.outerStride()), x.data(), 1);
}

/// y ← y − A' x, A' = A or Aᵀ
template <class Real>
void subtractImageOf(CBLAS_TRANSPOSE ofA, const typename Dense<Real>::ConstMatrix& A,
                     const typename Dense<Real>::ConstVector& x, typename Dense<Real>::Vector& y) {
  useOneThread();
  if (A.size() == 0) return;
  Blas<Real>::kAddImage(CblasColMajor, ofA, count(A.rows()), count(A.cols()), -1, A.data(),
                        count(A.outerStride()), x.data(), 1, 1, y.data(), 1);
}

}  // namespace

template <class Real>
bool Dense<Real>::factorize(Matrix A) {
  SIM_REQUIRE(A.rows() == A.cols(), A.rows(), A.cols());
  useOneThread();
  if (A.rows() == 0) return true;
  if (A.rows() > kFactorized) {
    const Eigen::Index first = half(A.rows()), rest = A.rows() - first;
    if (!factorize(A.topLeftCorner(first, first))) return false;
    solveLowerFromRight(A.topLeftCorner(first, first), A.bottomLeftCorner(rest, first));
    addSquare(-1, A.bottomLeftCorner(rest, first), A.bottomRightCorner(rest, rest));
    return factorize(A.bottomRightCorner(rest, rest));
  }
  const int n = count(A.rows()), stride = count(A.outerStride());
  int info = 0;
  Blas<Real>::kFactorize("L", &n, A.data(), &stride, &info, 1);
  return info == 0;
}

template <class Real>
void Dense<Real>::solveLower(const ConstMatrix& L, Matrix X) {
  SIM_REQUIRE(L.rows() == L.cols() && L.rows() == X.rows(), L.rows(), X.rows());
  if (X.size() == 0) return;
  if (L.rows() <= kInverted) return multiply(inverse<Real>(L), Dynamic(X), X);
  const Eigen::Index first = half(L.rows()), rest = L.rows() - first;
  solveLower(L.topLeftCorner(first, first), X.topRows(first));
  subtractProduct(L.bottomLeftCorner(rest, first), X.topRows(first), X.bottomRows(rest));
  solveLower(L.bottomRightCorner(rest, rest), X.bottomRows(rest));
}

template <class Real>
void Dense<Real>::solveLowerFromRight(const ConstMatrix& L, Matrix X) {
  SIM_REQUIRE(L.rows() == L.cols() && L.rows() == X.cols(), L.rows(), X.cols());
  if (X.size() == 0) return;
  if (L.rows() <= kInverted) return multiplyAdd<Real>(CblasTrans, 1, Dynamic(X), inverse<Real>(L), 0, X);
  const Eigen::Index first = half(L.rows()), rest = L.rows() - first;
  solveLowerFromRight(L.topLeftCorner(first, first), X.leftCols(first));
  multiplyAdd<Real>(CblasTrans, -1, X.leftCols(first), L.bottomLeftCorner(rest, first), 1, X.rightCols(rest));
  solveLowerFromRight(L.bottomRightCorner(rest, rest), X.rightCols(rest));
}

template <class Real>
void Dense<Real>::addSquare(Real scale, const ConstMatrix& X, Matrix C) {
  SIM_REQUIRE(C.rows() == X.rows() && C.cols() == X.rows(), C.rows(), X.rows());
  useOneThread();
  if (X.size() == 0) return;
  Blas<Real>::kSquare(CblasColMajor, CblasLower, CblasNoTrans, count(C.rows()), count(X.cols()), scale,
                      X.data(), count(X.outerStride()), 1, C.data(), count(C.outerStride()));
}

template <class Real>
void Dense<Real>::addTransposedSquare(Real scale, const ConstMatrix& X, Matrix C) {
  SIM_REQUIRE(C.rows() == X.cols() && C.cols() == X.cols(), C.rows(), X.cols());
  useOneThread();
  if (X.size() == 0) return;
  Blas<Real>::kSquare(CblasColMajor, CblasLower, CblasTrans, count(C.rows()), count(X.rows()), scale,
                      X.data(), count(X.outerStride()), 1, C.data(), count(C.outerStride()));
}

template <class Real>
void Dense<Real>::multiply(const ConstMatrix& A, const ConstMatrix& B, Matrix C) {
  SIM_REQUIRE(A.cols() == B.rows() && C.rows() == A.rows() && C.cols() == B.cols(), A.cols(), B.rows());
  if (C.size() > 0) multiplyAdd<Real>(CblasNoTrans, 1, A, B, 0, C);
}

template <class Real>
void Dense<Real>::addProductTransposed(const ConstMatrix& A, const ConstMatrix& B, Matrix C) {
  SIM_REQUIRE(A.cols() == B.cols() && C.rows() == A.rows() && C.cols() == B.rows(), A.cols(), B.cols());
  if (C.size() > 0 && A.size() > 0) multiplyAdd<Real>(CblasTrans, 1, A, B, 1, C);
}

template <class Real>
void Dense<Real>::subtractProduct(const ConstMatrix& A, const ConstMatrix& B, Matrix C) {
  SIM_REQUIRE(A.cols() == B.rows() && C.rows() == A.rows() && C.cols() == B.cols(), A.cols(), B.rows());
  if (C.size() > 0 && A.cols() > 0) multiplyAdd<Real>(CblasNoTrans, -1, A, B, 1, C);
}

template <class Real>
void Dense<Real>::solveLowerFor(const ConstMatrix& L, Vector x) {
  solveFor<Real>(CblasNoTrans, L, x);
}

template <class Real>
void Dense<Real>::solveTransposedFor(const ConstMatrix& L, Vector x) {
  solveFor<Real>(CblasTrans, L, x);
}

template <class Real>
void Dense<Real>::multiplySymmetric(const ConstMatrix& A, const ConstVector& x, Vector y) {
  SIM_REQUIRE(A.rows() == A.cols() && A.cols() == x.size() && y.size() == x.size(), A.rows(), x.size());
  useOneThread();
  if (x.size() == 0) return;
  Blas<Real>::kMultiplySymmetric(CblasColMajor, CblasLower, count(A.rows()), 1, A.data(),
                                 count(A.outerStride()), x.data(), 1, 0, y.data(), 1);
}

template <class Real>
void Dense<Real>::subtractImage(const ConstMatrix& A, const ConstVector& x, Vector y) {
  SIM_REQUIRE(A.cols() == x.size() && A.rows() == y.size(), A.cols(), x.size());
  subtractImageOf<Real>(CblasNoTrans, A, x, y);
}

template <class Real>
void Dense<Real>::subtractTransposedImage(const ConstMatrix& A, const ConstVector& x, Vector y) {
  SIM_REQUIRE(A.rows() == x.size() && A.cols() == y.size(), A.rows(), x.size());
  subtractImageOf<Real>(CblasTrans, A, x, y);
}

template struct Dense<float>;
template struct Dense<double>;

}  // namespace slipstick
