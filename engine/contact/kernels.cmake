# The rigid solver's loops, once per instruction set; rigid_kernel_choice.cpp picks one at run time. Without contraction and
# reordering all variants give the same bits.
set(rigid_kernel_options -O3 -fno-math-errno -fno-trapping-math -ffp-contract=off)
target_sources(engine PRIVATE contact/kernels/rigid_kernels_base.cpp)
set_source_files_properties(contact/kernels/rigid_kernels_base.cpp PROPERTIES COMPILE_OPTIONS "${rigid_kernel_options}"
                            SKIP_PRECOMPILE_HEADERS ON)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT SLIPSTICK_SANITIZE)
  target_sources(engine PRIVATE contact/kernels/rigid_kernels_avx2.cpp contact/kernels/rigid_kernels_avx512.cpp)
  set_source_files_properties(contact/kernels/rigid_kernels_avx2.cpp PROPERTIES
    COMPILE_OPTIONS "${rigid_kernel_options};-mavx2" SKIP_PRECOMPILE_HEADERS ON)
  set_source_files_properties(contact/kernels/rigid_kernels_avx512.cpp PROPERTIES
    COMPILE_OPTIONS "${rigid_kernel_options};-mavx512f;-mavx512vl;-mavx512dq;-mavx512bw;-mprefer-vector-width=512"
    SKIP_PRECOMPILE_HEADERS ON)
endif()
