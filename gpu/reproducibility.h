// Whether a run on a device gives the same bits again.
#pragma once

namespace slipstick::gpu {

/// CUB's words. RunToRun: the same device and input give the same bits. NotGuaranteed: sums of floats are formed in
/// whatever order threads come, which is faster.
enum class Reproducibility { RunToRun, NotGuaranteed };

}  // namespace slipstick::gpu
