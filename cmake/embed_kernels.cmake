# SPDX-License-Identifier: Apache-2.0
# Script: writes a C++ source that holds the text of every kernel file.
# Files whose name below KERNELS matches LEFT_OUT are left out.
#   cmake -D KERNELS=<directory> -D OUTPUT=<file.cpp> [-D LEFT_OUT=<regex>] -P embed_kernels.cmake
file(GLOB_RECURSE names RELATIVE ${KERNELS} ${KERNELS}/*.cl ${KERNELS}/*.h)
if(LEFT_OUT)
  list(FILTER names EXCLUDE REGEX "${LEFT_OUT}")
endif()
list(SORT names)
set(table "")
foreach(name IN LISTS names)
  file(READ ${KERNELS}/${name} text)
  string(APPEND table "    {\"${name}\", R\"accord(${text})accord\"},\n")
endforeach()
set(files "kFiles")
if(table STREQUAL "")  # an array must have an element
  set(table "    {},\n")
  set(files "std::span<const KernelFile>()")
endif()
file(WRITE ${OUTPUT} "// Generated from the kernels directory.
#include \"engine/opencl/kernel_source.hpp\"

#pragma GCC diagnostic ignored \"-Woverlength-strings\"

namespace accord::ocl {
namespace {

[[maybe_unused]] constexpr KernelFile kFiles[] = {
${table}};
}  // namespace

std::span<const KernelFile> kernel_files() { return ${files}; }

}  // namespace accord::ocl
")
