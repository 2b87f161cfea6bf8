# SPDX-License-Identifier: Apache-2.0
# Script: writes a C++ source that holds every kernel file as a byte array.
# Files whose name below KERNELS matches LEFT_OUT are left out.
#   cmake -D KERNELS=<directory> -D OUTPUT=<file.cpp> [-D LEFT_OUT=<regex>] -P embed_kernels.cmake
file(GLOB_RECURSE names RELATIVE ${KERNELS} ${KERNELS}/*.cl ${KERNELS}/*.h)
if(LEFT_OUT)
  list(FILTER names EXCLUDE REGEX "${LEFT_OUT}")
endif()
list(SORT names)
set(arrays "")
set(table "")
set(number 0)
foreach(name IN LISTS names)
  file(READ ${KERNELS}/${name} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
  string(APPEND arrays "constexpr char kText${number}[] = {\n${bytes} 0};\n")
  string(APPEND table "    {\"${name}\", {kText${number}, sizeof kText${number} - 1}},\n")
  math(EXPR number "${number} + 1")
endforeach()
set(files "kFiles")
if(table STREQUAL "")  # an array must have an element
  set(table "    {},\n")
  set(files "std::span<const KernelFile>()")
endif()
file(WRITE ${OUTPUT} "// Generated from the kernels directory.
#include \"engine/opencl/kernel_source.hpp\"

namespace accord::ocl {
namespace {
${arrays}
[[maybe_unused]] constexpr KernelFile kFiles[] = {
${table}};
}  // namespace

std::span<const KernelFile> kernel_files() { return ${files}; }

}  // namespace accord::ocl
")
