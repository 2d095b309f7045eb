// Dense loops of the sparse factorisation. Included once per instruction set. Every entry is summed in one
// fixed order, whatever the width of the registers.
#pragma once

#include "engine/contact/kernels/kernel_table.h"
#include "engine/lanes/target.h"

namespace slipstick::contact {
inline namespace SIM_ISA {

/// target −= Σ_{k < count} columns_k · factor_k over `rows` rows, four columns at a time.
SIM_HD void subtractColumns(const double* columns, int stride, const double* factors, int factorStride,
                            int count, int rows, double* __restrict target) {
  int k = 0;
  for (; k + 4 <= count; k += 4) {
    const double *a = columns + k * stride, *b = a + stride, *c = b + stride, *d = c + stride;
    const double fa = factors[k * factorStride], fb = factors[(k + 1) * factorStride],
                 fc = factors[(k + 2) * factorStride], fd = factors[(k + 3) * factorStride];
    for (int r = 0; r < rows; ++r)
      target[r] = (((target[r] - a[r] * fa) - b[r] * fb) - c[r] * fc) - d[r] * fd;
  }
  for (; k < count; ++k) {
    const double* a = columns + k * stride;
    const double fa = factors[k * factorStride];
    for (int r = 0; r < rows; ++r) target[r] -= a[r] * fa;
  }
}

inline bool panelFactorize(double* panel, int rows, int width) {
  for (int c = 0; c < width; ++c) {
    double* current = panel + c * rows;
    subtractColumns(panel + c, rows, panel + c, rows, c, rows - c, current + c);
    if (!(current[c] > 0)) return false;
    const double inverse = 1 / __builtin_sqrt(current[c]);
    for (int r = c; r < rows; ++r) current[r] *= inverse;
  }
  return true;
}

/// C = A Bᵀ, a tile of `kRows` rows and `kColumns` columns in registers at a time.
template <int kRows, int kColumns>
SIM_HD void multiplyTile(const double* A, const double* B, int inner, int stride, double* C, int rows) {
  double sum[kColumns][kRows] = {};
  for (int k = 0; k < inner; ++k) {
    const double *a = A + k * stride, *b = B + k * stride;
    for (int c = 0; c < kColumns; ++c)
      for (int r = 0; r < kRows; ++r) sum[c][r] += a[r] * b[c];
  }
  for (int c = 0; c < kColumns; ++c)
    for (int r = 0; r < kRows; ++r) C[c * rows + r] = sum[c][r];
}

template <int kRows>
SIM_HD void multiplyRows(const double* A, const double* B, int columns, int inner, int stride, double* C,
                         int rows) {
  int c = 0;
  for (; c + 3 <= columns; c += 3) multiplyTile<kRows, 3>(A, B + c, inner, stride, C + c * rows, rows);
  for (; c < columns; ++c) multiplyTile<kRows, 1>(A, B + c, inner, stride, C + c * rows, rows);
}

inline void panelMultiply(const double* A, int rows, const double* B, int columns, int inner, int stride,
                          double* C) {
  int r = 0;
  for (; r + 8 <= rows; r += 8) multiplyRows<8>(A + r, B, columns, inner, stride, C + r, rows);
  for (; r + 4 <= rows; r += 4) multiplyRows<4>(A + r, B, columns, inner, stride, C + r, rows);
  for (; r + 2 <= rows; r += 2) multiplyRows<2>(A + r, B, columns, inner, stride, C + r, rows);
  for (; r < rows; ++r) multiplyRows<1>(A + r, B, columns, inner, stride, C + r, rows);
}

inline void panelForward(const double* panel, int rows, int width, double* own, double* below) {
  for (int c = 0; c < width; ++c) {
    const double* L = panel + c * rows;
    own[c] /= L[c];
    for (int r = c + 1; r < width; ++r) own[r] -= L[r] * own[c];
  }
  subtractColumns(panel + width, rows, own, 1, width, rows - width, below);
}

inline void panelBackward(const double* panel, int rows, int width, double* own, const double* below) {
  const int count = rows - width;
  for (int c = width - 1; c >= 0; --c) {
    const double *L = panel + c * rows, *under = L + width;
    double part[4] = {};
    int r = 0;
    for (; r + 4 <= count; r += 4)
      for (int i = 0; i < 4; ++i) part[i] += under[r + i] * below[r + i];
    for (; r < count; ++r) part[0] += under[r] * below[r];
    double value = own[c] - ((part[0] + part[1]) + (part[2] + part[3]));
    for (r = c + 1; r < width; ++r) value -= L[r] * own[r];
    own[c] = value / L[c];
  }
}

/// X(r) = [1 0; −[r]× 1].
inline void moveHessian(const double* K, const double* a, const double* b, double* to) {
  double M[36];  // K X(b)
  for (int i = 0; i < 6; ++i) {
    const double x = K[18 + i], y = K[24 + i], z = K[30 + i];
    M[i] = K[i] - (b[2] * y - b[1] * z);
    M[6 + i] = K[6 + i] - (b[0] * z - b[2] * x);
    M[12 + i] = K[12 + i] - (b[1] * x - b[0] * y);
    M[18 + i] = x, M[24 + i] = y, M[30 + i] = z;
  }
  for (int c = 0; c < 6; ++c) {
    const double *m = M + 6 * c, x = m[3], y = m[4], z = m[5];
    double* t = to + 6 * c;
    t[0] = m[0] + (a[1] * z - a[2] * y);
    t[1] = m[1] + (a[2] * x - a[0] * z);
    t[2] = m[2] + (a[0] * y - a[1] * x);
    t[3] = x, t[4] = y, t[5] = z;
  }
}

}  // namespace SIM_ISA
}  // namespace slipstick::contact
