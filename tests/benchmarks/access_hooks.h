// Hears of every access to memory that instrumented code makes: code that was compiled with -fsanitize=thread, and
// linked with the functions of access_hooks.cpp in place of the sanitizer's own.
#pragma once

#include "tests/benchmarks/traffic_recorder.h"

namespace slipstick::gpu {

/// From now on this one is told. Null: nobody.
void setAccessRecorder(TrafficRecorder* recorder);

}  // namespace slipstick::gpu
