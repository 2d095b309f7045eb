#include "tests/gpu/executor_on_device.h"

#include "gpu/cuda_launch.h"

namespace slipstick::gpu::testing {

struct Failure {
  static constexpr int kThreads = 32;
  template <class Team>
  __device__ void operator()(Team&) const {
    __trap();
  }
};

std::vector<ExecutorCase> executorCasesOnDevice() {
  return executorCases<CudaExecutor>();
}

void launchFailure(CudaExecutor& executor) {
  executor.launch(Failure(), 1);
}

void launchDouble(CudaExecutor& executor, double* x, int teams) {
  executor.launch(Double{x, 1}, teams);
}

}  // namespace slipstick::gpu::testing
