// SPDX-License-Identifier: Apache-2.0
#include "engine/opencl/cl.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "accord/base/error.hpp"
#include "base/cpu_budget.hpp"
#include "base/timeline.hpp"

namespace accord::ocl {
namespace {

const char* status_name(cl_int status) {
#define ACCORD_STATUS(name) \
  case name:                \
    return #name
  switch (status) {
    ACCORD_STATUS(CL_DEVICE_NOT_FOUND);
    ACCORD_STATUS(CL_DEVICE_NOT_AVAILABLE);
    ACCORD_STATUS(CL_COMPILER_NOT_AVAILABLE);
    ACCORD_STATUS(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    ACCORD_STATUS(CL_OUT_OF_RESOURCES);
    ACCORD_STATUS(CL_OUT_OF_HOST_MEMORY);
    ACCORD_STATUS(CL_MEM_COPY_OVERLAP);
    ACCORD_STATUS(CL_BUILD_PROGRAM_FAILURE);
    ACCORD_STATUS(CL_MAP_FAILURE);
    ACCORD_STATUS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ACCORD_STATUS(CL_INVALID_VALUE);
    ACCORD_STATUS(CL_INVALID_DEVICE_TYPE);
    ACCORD_STATUS(CL_INVALID_PLATFORM);
    ACCORD_STATUS(CL_INVALID_DEVICE);
    ACCORD_STATUS(CL_INVALID_CONTEXT);
    ACCORD_STATUS(CL_INVALID_COMMAND_QUEUE);
    ACCORD_STATUS(CL_INVALID_MEM_OBJECT);
    ACCORD_STATUS(CL_INVALID_BINARY);
    ACCORD_STATUS(CL_INVALID_BUILD_OPTIONS);
    ACCORD_STATUS(CL_INVALID_PROGRAM);
    ACCORD_STATUS(CL_INVALID_PROGRAM_EXECUTABLE);
    ACCORD_STATUS(CL_INVALID_KERNEL_NAME);
    ACCORD_STATUS(CL_INVALID_KERNEL);
    ACCORD_STATUS(CL_INVALID_ARG_INDEX);
    ACCORD_STATUS(CL_INVALID_ARG_VALUE);
    ACCORD_STATUS(CL_INVALID_ARG_SIZE);
    ACCORD_STATUS(CL_INVALID_KERNEL_ARGS);
    ACCORD_STATUS(CL_INVALID_WORK_DIMENSION);
    ACCORD_STATUS(CL_INVALID_WORK_GROUP_SIZE);
    ACCORD_STATUS(CL_INVALID_WORK_ITEM_SIZE);
    ACCORD_STATUS(CL_INVALID_GLOBAL_OFFSET);
    ACCORD_STATUS(CL_INVALID_EVENT_WAIT_LIST);
    ACCORD_STATUS(CL_INVALID_EVENT);
    ACCORD_STATUS(CL_INVALID_OPERATION);
    ACCORD_STATUS(CL_INVALID_BUFFER_SIZE);
    ACCORD_STATUS(CL_INVALID_GLOBAL_WORK_SIZE);
    case -1001:
      return "CL_PLATFORM_NOT_FOUND_KHR";
    default:
      return "an error without a name";
  }
#undef ACCORD_STATUS
}

bool is_memory_error(cl_int status) {
  return status == CL_MEM_OBJECT_ALLOCATION_FAILURE || status == CL_OUT_OF_HOST_MEMORY ||
         status == CL_INVALID_BUFFER_SIZE;
}

}  // namespace

std::string format_status(cl_int status) {
  return std::string(status_name(status)) + ", " + std::to_string(status);
}

void throw_error(const std::string& attempt, const cl::Error& error) {
  const std::string text =
      attempt + " failed in " + error.what() + " (" + format_status(error.err()) + ")";
  if (is_memory_error(error.err())) {
    throw Error(ErrorKind::out_of_memory, text,
                "other programs may use the device's memory; {device=none} needs no device");
  }
  throw Error(ErrorKind::device_failed, text,
              "{device=none} computes the same alignment without the device");
}

void wait_for(const cl::Event& event) {
  // Naps last an eighth of the time that the command has run so far, so that the thread wakes up
  // little too late. The thread stays awake for the first time, in which short commands end:
  // falling asleep and waking up would take longer.
  constexpr std::chrono::microseconds kAwake(50), kShortestNap(20), kLongestNap(1000);
  // A command need not begin before a flush; Oclgrind, for one, waits for it. (The bare handle is
  // used, since a handle of opencl.hpp would be released once too often if it could not be
  // retained.)
  cl_command_queue queue = nullptr;
  cl_int status = clGetEventInfo(event(), CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr);
  if (status == CL_SUCCESS) status = clFlush(queue);
  if (status != CL_SUCCESS) throw cl::Error(status, "clFlush");
  std::optional<CpuRest> rest;
  std::optional<TimelineSpan> span;
  const auto begin = std::chrono::steady_clock::now();
  while (true) {
    status = event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>();
    if (status < 0) throw cl::Error(status, "a command that was already running");
    if (status == CL_COMPLETE) return;
    const auto waited = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - begin);
    if (waited < kAwake) {
      std::this_thread::yield();
      continue;
    }
    if (!rest) {
      rest.emplace();
      span.emplace(SpanKind::wait, "wait for the device");
    }
    std::this_thread::sleep_for(std::clamp(waited / 8, kShortestNap, kLongestNap));
  }
}

}  // namespace accord::ocl
