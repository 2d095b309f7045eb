# Whether the CUDA backend is built, and how .cu files are compiled.
#
# SLIPSTICK_CUDA   AUTO: where nvcc is found and works with the C++ compiler; ON: required; OFF
# SLIPSTICK_CUDA_ARCHITECTURES   real architectures, of 80, 86, 89, 90, …; the newest is also kept as PTX
# sets SLIPSTICK_HAS_CUDA; slipstick_add_cuda(TARGET FILE.cu…)
set(SLIPSTICK_CUDA AUTO CACHE STRING "Build the CUDA backend: AUTO (where nvcc >= 12.4 is found), ON, OFF")
set_property(CACHE SLIPSTICK_CUDA PROPERTY STRINGS AUTO ON OFF)
# Devices of 8.6 run the code of 8.0.
set(SLIPSTICK_CUDA_ARCHITECTURES "80;89;90" CACHE STRING "GPU architectures to compile kernels for, oldest first")

# Sets `trouble` to why nvcc cannot be used, or to nothing.
function(slipstick_nvcc_trouble trouble)
  find_package(CUDAToolkit QUIET)
  set(${trouble} "" PARENT_SCOPE)
  if(NOT CUDAToolkit_FOUND OR NOT CUDAToolkit_NVCC_EXECUTABLE)
    set(${trouble} "no nvcc found" PARENT_SCOPE)
  elseif(CUDAToolkit_VERSION VERSION_LESS 12.4)
    set(${trouble} "${CUDAToolkit_NVCC_EXECUTABLE} is ${CUDAToolkit_VERSION}, older than 12.4" PARENT_SCOPE)
  elseif(NOT TARGET CUDA::cudart_static)
    set(${trouble} "${CUDAToolkit_NVCC_EXECUTABLE} comes without libcudart_static.a" PARENT_SCOPE)
  else()
    # An nvcc that does not know the C++ compiler, or has no CUB beside it.
    set(probe ${CMAKE_BINARY_DIR}/CMakeFiles/slipstick_nvcc)
    file(WRITE ${probe}.cu "#include <cub/version.cuh>\n__global__ void probe(int* x) { *x = CUB_VERSION; }\n")
    list(GET SLIPSTICK_CUDA_ARCHITECTURES -1 newest)
    execute_process(COMMAND ${CUDAToolkit_NVCC_EXECUTABLE} -ccbin ${CMAKE_CXX_COMPILER} -std=c++20 -arch=sm_${newest}
                            -c ${probe}.cu -o ${probe}.o
                    RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
      string(STRIP "${output}" output)
      set(${trouble} "${CUDAToolkit_NVCC_EXECUTABLE} does not work with ${CMAKE_CXX_COMPILER}: ${output}" PARENT_SCOPE)
    endif()
  endif()
endfunction()

set(SLIPSTICK_HAS_CUDA OFF)
if(SLIPSTICK_CUDA)  # AUTO counts as true
  slipstick_nvcc_trouble(slipstick_trouble)
  if(NOT slipstick_trouble)
    find_package(CUDAToolkit 12.4 REQUIRED)
    set(SLIPSTICK_HAS_CUDA ON)
    list(JOIN SLIPSTICK_CUDA_ARCHITECTURES " " slipstick_architectures)
    message(STATUS "CUDA backend: built with nvcc ${CUDAToolkit_VERSION} for sm ${slipstick_architectures} and newer")
  elseif(SLIPSTICK_CUDA STREQUAL "AUTO")
    message(STATUS "CUDA backend: not built, ${slipstick_trouble} (SLIPSTICK_CUDA=AUTO)")
  else()
    message(FATAL_ERROR "SLIPSTICK_CUDA=ON, but ${slipstick_trouble}. Install the CUDA toolkit 12.4 or newer "
                        "(https://developer.nvidia.com/cuda-downloads) and put its bin/ into PATH, or set "
                        "SLIPSTICK_CUDA to AUTO or OFF.")
  endif()
else()
  message(STATUS "CUDA backend: not built, SLIPSTICK_CUDA=OFF")
endif()

# slipstick_add_cuda(TARGET FILE.cu…): compiles the files and makes them part of the target of this folder. What the
# assembler says of each kernel's registers, spills and shared memory is kept beside the object, as FILE.resources: tests
# and tests/benchmarks/cuda_budget.py read it.
function(slipstick_add_cuda target)
  # Kernels use no Eigen; the host code beside them does, as the C++ compiler sees it.
  set(flags -ccbin ${CMAKE_CXX_COMPILER} -std=c++20 -O3 -DNDEBUG -lineinfo -DSLIPSTICK_CUDA -DEIGEN_NO_CUDA
      -I${CMAKE_SOURCE_DIR} -Xcompiler=-Wall,-Wextra,-Wno-psabi,-Wno-unknown-pragmas,-Wno-array-bounds
      -Xcompiler=-ffp-contract=off,-fPIC -Xptxas=-v)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND flags -Xcompiler=-Wno-maybe-uninitialized,-fno-reorder-blocks-and-partition)  # see CMakeLists.txt
  endif()
  # With the versions that we build with, see CMakeLists.txt.
  if(SLIPSTICK_WARNINGS_AS_ERRORS AND CUDAToolkit_VERSION MATCHES "^13\\.0")
    list(APPEND flags -Werror=all-warnings)
  endif()
  get_target_property(eigen Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
  foreach(folder IN LISTS eigen)
    list(APPEND flags -isystem=${folder})
  endforeach()
  foreach(architecture IN LISTS SLIPSTICK_CUDA_ARCHITECTURES)
    list(APPEND flags -gencode=arch=compute_${architecture},code=sm_${architecture})
  endforeach()
  list(GET SLIPSTICK_CUDA_ARCHITECTURES -1 newest)
  list(APPEND flags -gencode=arch=compute_${newest},code=compute_${newest})
  foreach(source IN LISTS ARGN)
    get_filename_component(name ${source} NAME_WE)
    set(out ${CMAKE_CURRENT_BINARY_DIR}/${name}.cuda)
    set(command ${CMAKE_CXX_COMPILER_LAUNCHER} ${CUDAToolkit_NVCC_EXECUTABLE} ${flags}
        -MD -MF ${out}.d -c ${CMAKE_CURRENT_SOURCE_DIR}/${source} -o ${out}.o)
    string(REPLACE ";" "' '" command "'${command}'")
    add_custom_command(OUTPUT ${out}.o ${out}.resources
      COMMAND sh -c "${command} > '${out}.resources' 2>&1 || { grep -v 'ptxas info\\|bytes stack' '${out}.resources'; rm '${out}.resources'; exit 1; }"
      DEPENDS ${source} DEPFILE ${out}.d
      COMMENT "Compiling ${source} for CUDA devices" VERBATIM)
    target_sources(${target} PRIVATE ${out}.o ${out}.resources)
  endforeach()
endfunction()
