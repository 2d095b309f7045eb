// What every function of the element math is marked with, and the namespace that it lives in.
//
// Inline namespaces are named after the instruction set that the including file is compiled for (SIM_ISA), so
// that the linker can never keep an AVX-512 copy of a function for a program that runs on an older CPU.
#pragma once

#ifndef SIM_ISA
#define SIM_ISA base
#endif

#ifdef __CUDACC__
// A call would pass matrices through local memory: a thread's element math has none.
#define SIM_HD __host__ __device__ __forceinline__
#define SIM_HD_CALL SIM_HD
#define SIM_ROLLED _Pragma("unroll 1")
// For large functions that few threads call: a kernel has one copy, and keeps its registers for the others.
#define SIM_HD_RARE inline __host__ __device__ __noinline__
#else
#define SIM_HD inline __attribute__((always_inline))
// For the few large functions, so that a program has one copy per lane type.
#define SIM_HD_CALL __attribute__((noinline))
// Before a loop whose steps are too large to be written out.
#define SIM_ROLLED _Pragma("GCC unroll 1")
#define SIM_HD_RARE inline
#endif
