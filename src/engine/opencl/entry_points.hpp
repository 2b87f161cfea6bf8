// SPDX-License-Identifier: Apache-2.0
// The OpenCL functions that accord calls. All are of OpenCL 1.2, so that every library has them. A
// call of a function that is not listed here is a link error. ACCORD_CL_ENTRY_POINTS(X) expands to
// X(number of parameters, name) for each function; X is a macro of the caller.
#pragma once

#define ACCORD_CL_ENTRY_POINTS(X) \
  X(6, clBuildProgram)            \
  X(5, clCreateBuffer)            \
  X(4, clCreateCommandQueue)      \
  X(6, clCreateContext)           \
  X(3, clCreateKernel)            \
  X(7, clCreateProgramWithBinary) \
  X(5, clCreateProgramWithSource) \
  X(10, clEnqueueMapBuffer)       \
  X(9, clEnqueueNDRangeKernel)    \
  X(9, clEnqueueReadBuffer)       \
  X(6, clEnqueueUnmapMemObject)   \
  X(9, clEnqueueWriteBuffer)      \
  X(1, clFinish)                  \
  X(1, clFlush)                   \
  X(5, clGetDeviceIDs)            \
  X(5, clGetDeviceInfo)           \
  X(5, clGetEventInfo)            \
  X(5, clGetEventProfilingInfo)   \
  X(5, clGetKernelInfo)           \
  X(6, clGetKernelWorkGroupInfo)  \
  X(3, clGetPlatformIDs)          \
  X(5, clGetPlatformInfo)         \
  X(6, clGetProgramBuildInfo)     \
  X(5, clGetProgramInfo)          \
  X(1, clReleaseCommandQueue)     \
  X(1, clReleaseContext)          \
  X(1, clReleaseDevice)           \
  X(1, clReleaseEvent)            \
  X(1, clReleaseKernel)           \
  X(1, clReleaseMemObject)        \
  X(1, clReleaseProgram)          \
  X(1, clRetainCommandQueue)      \
  X(1, clRetainContext)           \
  X(1, clRetainDevice)            \
  X(1, clRetainEvent)             \
  X(1, clRetainKernel)            \
  X(1, clRetainMemObject)         \
  X(1, clRetainProgram)           \
  X(4, clSetKernelArg)            \
  X(3, clSetMemObjectDestructorCallback)

namespace accord::ocl {

/// Numbers of the entry points.
enum class Entry {
#define ACCORD_NUMBER(parameters, name) name,
  ACCORD_CL_ENTRY_POINTS(ACCORD_NUMBER)
#undef ACCORD_NUMBER
};

/// The names of the entry points, in the order of Entry.
inline constexpr const char* kEntryNames[] = {
#define ACCORD_QUOTED(parameters, name) #name,
    ACCORD_CL_ENTRY_POINTS(ACCORD_QUOTED)
#undef ACCORD_QUOTED
};
inline constexpr int kEntryCount = sizeof kEntryNames / sizeof kEntryNames[0];

}  // namespace accord::ocl
