// What only nvcc compiles of the executor's tests.
#pragma once

#include "gpu/cuda_executor.h"
#include "tests/gpu/executor_cases.h"

namespace slipstick::gpu::testing {

std::vector<ExecutorCase> executorCasesOnDevice();

/// A kernel that fails on the device: the device is lost.
void launchFailure(CudaExecutor& executor);
/// Double of executor_kernels.h, `teams` of them on one number.
void launchDouble(CudaExecutor& executor, double* x, int teams);

}  // namespace slipstick::gpu::testing
