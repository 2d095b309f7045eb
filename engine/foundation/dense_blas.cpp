#include "engine/foundation/dense_blas.h"

#include <cblas.h>

#include "engine/foundation/require.h"

// LAPACK's, which OpenBLAS has with BLAS; Debian's header of it comes with another package.
extern "C" void dpotrf_(const char* triangle, const int* n, double* A, const int* stride, int* info,
                        std::size_t);

namespace slipstick::dense {
namespace {

int count(Eigen::Index n) {
  return static_cast<int>(n);
}

/// More threads would sum in another order, and the callers have their own.
void useOneThread() {
  static const bool once = (openblas_set_num_threads(1), true);
  static_cast<void>(once);
}

}  // namespace

bool factorize(Matrix A) {
  SIM_REQUIRE(A.rows() == A.cols(), A.rows(), A.cols());
  useOneThread();
  if (A.rows() == 0) return true;
  const int n = count(A.rows()), stride = count(A.outerStride());
  int info = 0;
  dpotrf_("L", &n, A.data(), &stride, &info, 1);
  return info == 0;
}

void solveLower(const ConstMatrix& L, Matrix X) {
  SIM_REQUIRE(L.rows() == X.rows(), L.rows(), X.rows());
  useOneThread();
  if (X.size() == 0) return;
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, count(X.rows()),
              count(X.cols()), 1, L.data(), count(L.outerStride()), X.data(), count(X.outerStride()));
}

void solveLowerFromRight(const ConstMatrix& L, Matrix X) {
  SIM_REQUIRE(L.rows() == X.cols(), L.rows(), X.cols());
  useOneThread();
  if (X.size() == 0) return;
  cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, count(X.rows()),
              count(X.cols()), 1, L.data(), count(L.outerStride()), X.data(), count(X.outerStride()));
}

void addSquare(double scale, const ConstMatrix& X, Matrix C) {
  SIM_REQUIRE(C.rows() == X.rows() && C.cols() == X.rows(), C.rows(), X.rows());
  useOneThread();
  if (X.size() == 0) return;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, count(C.rows()), count(X.cols()), scale, X.data(),
              count(X.outerStride()), 1, C.data(), count(C.outerStride()));
}

void addTransposedSquare(double scale, const ConstMatrix& X, Matrix C) {
  SIM_REQUIRE(C.rows() == X.cols() && C.cols() == X.cols(), C.rows(), X.cols());
  useOneThread();
  if (X.size() == 0) return;
  cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, count(C.rows()), count(X.rows()), scale, X.data(),
              count(X.outerStride()), 1, C.data(), count(C.outerStride()));
}

void multiply(const ConstMatrix& A, const ConstMatrix& B, Matrix C) {
  SIM_REQUIRE(A.cols() == B.rows() && C.rows() == A.rows() && C.cols() == B.cols(), A.cols(), B.rows());
  useOneThread();
  if (C.size() == 0) return;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, count(C.rows()), count(C.cols()), count(A.cols()), 1,
              A.data(), count(A.outerStride()), B.data(), count(B.outerStride()), 0, C.data(),
              count(C.outerStride()));
}

void addProductTransposed(const ConstMatrix& A, const ConstMatrix& B, Matrix C) {
  SIM_REQUIRE(A.cols() == B.cols() && C.rows() == A.rows() && C.cols() == B.rows(), A.cols(), B.cols());
  useOneThread();
  if (C.size() == 0 || A.size() == 0) return;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, count(C.rows()), count(C.cols()), count(A.cols()), 1,
              A.data(), count(A.outerStride()), B.data(), count(B.outerStride()), 1, C.data(),
              count(C.outerStride()));
}

void subtractProduct(const ConstMatrix& A, const ConstMatrix& B, Matrix C) {
  SIM_REQUIRE(A.cols() == B.rows() && C.rows() == A.rows() && C.cols() == B.cols(), A.cols(), B.rows());
  useOneThread();
  if (C.size() == 0 || A.cols() == 0) return;
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, count(C.rows()), count(C.cols()), count(A.cols()),
              -1, A.data(), count(A.outerStride()), B.data(), count(B.outerStride()), 1, C.data(),
              count(C.outerStride()));
}

}  // namespace slipstick::dense
