# The CPU backend's loops, once per instruction set; kernel_choice.cpp picks one at run time. Here a*b+c may be rounded
# once: no other code computes the same expressions, so results stay reproducible on one instruction set.
set(kernel_options -O3 -fno-math-errno -fno-trapping-math -ffp-contract=fast)
# With the checks for undefined behaviour one function is so large that it takes a quarter of an hour, and GCC warns of
# overflows that nobody writes; the same math is checked where tests call it lane by lane.
if(SLIPSTICK_SANITIZE)
  list(APPEND kernel_options -O1 $<$<CXX_COMPILER_ID:GNU>:-fno-var-tracking-assignments>
       $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overflow> $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=undefined>)
endif()
target_sources(engine PRIVATE mpm/kernels/kernels_base.cpp)
set_source_files_properties(mpm/kernels/kernels_base.cpp PROPERTIES COMPILE_OPTIONS "${kernel_options}" SKIP_PRECOMPILE_HEADERS ON)
# With sanitizers each variant takes minutes to compile: one is enough to check the loops.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT SLIPSTICK_SANITIZE)
  target_sources(engine PRIVATE mpm/kernels/kernels_avx2.cpp mpm/kernels/kernels_avx512.cpp)
  target_compile_definitions(engine PRIVATE SLIPSTICK_X86_KERNELS)
  set_source_files_properties(mpm/kernels/kernels_avx2.cpp PROPERTIES
    COMPILE_OPTIONS "${kernel_options};-mavx2;-mfma" SKIP_PRECOMPILE_HEADERS ON)
  set_source_files_properties(mpm/kernels/kernels_avx512.cpp PROPERTIES
    COMPILE_OPTIONS "${kernel_options};-mavx512f;-mavx512vl;-mavx512dq;-mavx512bw;-mfma;-mprefer-vector-width=512"
    SKIP_PRECOMPILE_HEADERS ON)
endif()
