// The table of one instruction set.
#pragma once

#include "engine/contact/kernels/panel_loops.h"
#include "engine/contact/kernels/point_loops.h"

#define SLIPSTICK_RIGID_KERNELS(name)                                                \
  {                                                                                  \
    name, SLIPSTICK_POINT_LOOPS(LaggedPoints), SLIPSTICK_POINT_LOOPS(SimilarPoints), \
        SLIPSTICK_POINT_LOOPS(SapPoints),                                            \
        {panelFactorize, panelMultiply, panelForward, panelBackward, moveHessian},   \
  }
