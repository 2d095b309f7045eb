// The size of Eigen's matrices, where there may be no memory.
#pragma once

#include <Eigen/Core>

namespace slipstick {

/// A matrix has so many rows and columns afterwards; its entries are undefined. Eigen's resize() frees what it holds before
/// it asks for more: where there is none, memory stays in it that is not its own any more, and it cannot even be
/// destroyed. Here it stays as it was. Assigning what has another size is a resize(), too.
template <class Matrix>
void setSize(Matrix& matrix, Eigen::Index rows, Eigen::Index columns = 1) {
  if (matrix.rows() != rows || matrix.cols() != columns) matrix = Matrix(rows, columns);
}

}  // namespace slipstick
