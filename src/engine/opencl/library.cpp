// SPDX-License-Identifier: Apache-2.0
// Stands in for libOpenCL: defines the functions that opencl.hpp calls. The first call loads the
// library; each function passes its calls on to the library.
#include "engine/opencl/library.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <vector>

#include "accord/base/error.hpp"
#include "base/system.hpp"
#include "base/text.hpp"
#include "base/thread_group.hpp"
#include "base/timeline.hpp"
#include "engine/opencl/cl.hpp"
#include "engine/opencl/command_times.hpp"
#include "engine/opencl/driver_cache.hpp"
#include "engine/opencl/entry_points.hpp"
#include "engine/opencl/fault.hpp"

namespace accord::ocl {
namespace {

void* g_address[kEntryCount];

struct Library {
  void* handle = nullptr;  // null, too, for one that was preloaded
  bool is_open = false;
  std::string problem;  // the messages of the dynamic linker for libraries that could not be loaded
};

Library open_library() {
  const char* variable = std::getenv("ACCORD_OPENCL_LIB");
  std::vector<std::string> names = shared_library_names("OpenCL");
  if (variable && *variable) names = {variable};
  Library library;
  // A preloaded library comes first: simulators and profilers (Oclgrind) are preloaded.
  if (!(variable && *variable) && function_of(nullptr, kEntryNames[0])) {
    return {nullptr, true, ""};
  }
  for (const std::string& name : names) {
    const SharedLibrary found = load_shared_library(name, Binding::at_once);
    if (found.handle) return {found.handle, true, ""};
    library.problem += (library.problem.empty() ? "" : "; ") + found.problem;
  }
  return library;
}

/// A driver for the processor starts a thread for each CPU, and PoCL ends the process if it does
/// not get them.
/// Throws  Error{device_unavailable} if the system gives fewer threads.
void check_threads() {
  const auto wanted = static_cast<int>(std::thread::hardware_concurrency());
  const int started = startable_threads(wanted);
  if (started == wanted) return;
  throw Error(ErrorKind::device_unavailable,
              "no OpenCL driver is asked, since the system gives " + std::to_string(started) +
                  " of " + counted(wanted, "thread"),
              "raise the limits of the system (ulimit -u, ulimit -v), or use {device=none}");
}

void fill_table() {
  check_threads();
  settle_driver_cache();
  const Library library = open_library();
  if (!library.is_open) {
    throw Error(ErrorKind::device_unavailable,
                "the OpenCL library cannot be loaded (" + library.problem + ")",
                "install it, such as ocl-icd, and the OpenCL driver of your device "
                "(https://portablecl.org for processors), or set ACCORD_OPENCL_LIB to its path");
  }
  void* found[kEntryCount];
  for (int k = 0; k < kEntryCount; ++k) {
    found[k] = function_of(library.handle, kEntryNames[k]);
    if (found[k]) continue;
    throw Error(ErrorKind::device_unavailable,
                "the OpenCL library lacks " + std::string(kEntryNames[k]) + " of OpenCL 1.2",
                "install another one, such as ocl-icd, or set ACCORD_OPENCL_LIB to its path");
  }
  if (const char* rules = std::getenv("ACCORD_OPENCL_FAULT")) inject_faults(rules);
  std::copy(std::begin(found), std::end(found), std::begin(g_address));
}

template <class Function>
struct Signature;
template <class R, class... A>
struct Signature<R(A...)> {
  using Result = R;
  template <std::size_t k>
  using Argument = std::tuple_element_t<k, std::tuple<A...>>;
};

/// Has a call fail with a code: returns the code, or, from a function that makes an object, no
/// object, with the code in the last argument.
template <class R, class... A>
R failed(cl_int code, A... arguments) {
  if constexpr (std::is_same_v<R, cl_int>) {
    return code;
  } else {
    cl_int* const status = std::get<sizeof...(A) - 1>(std::tuple(arguments...));
    if (status) *status = code;
    return nullptr;
  }
}

/// The place of an argument of a function that enqueues a command.
struct CommandArguments {
  std::size_t event = 0;  // 0: the function enqueues nothing that the timeline shows
  std::size_t bytes = 0;  // 0: there is none
  bool has_kernel = false;
};
constexpr CommandArguments arguments_of(Entry entry) {
  switch (entry) {
    case Entry::clEnqueueNDRangeKernel:
      return {.event = 8, .has_kernel = true};
    case Entry::clEnqueueReadBuffer:
    case Entry::clEnqueueWriteBuffer:
      return {.event = 8, .bytes = 4};
    case Entry::clEnqueueMapBuffer:
      return {.event = 8, .bytes = 5};
    default:
      return {};
  }
}

/// Passes on a call that enqueues a command, and notes the command for the timeline.
template <Entry entry, class R, class... A>
R call_and_note(R (*function)(A...), A... arguments) {
  constexpr CommandArguments kPlaces = arguments_of(entry);
  std::tuple all(arguments...);
  cl_event made = nullptr;
  cl_event*& event = std::get<kPlaces.event>(all);
  const bool is_own = event == nullptr;
  if (is_own) event = &made;
  EnqueuedCommand command{.entry = entry, .queue = std::get<0>(all), .owns_event = is_own};
  if constexpr (kPlaces.has_kernel) command.kernel = std::get<1>(all);
  if constexpr (kPlaces.bytes > 0) command.bytes = std::get<kPlaces.bytes>(all);
  command.before = timeline_seconds();
  const R result = std::apply(function, all);
  command.after = timeline_seconds();
  const bool is_enqueued = [&] {
    if constexpr (std::is_same_v<R, cl_int>) return result == CL_SUCCESS;
    return result != R{};
  }();
  if (is_enqueued && *event != nullptr) {
    command.event = *event;
    note_command(command);
  }
  return result;
}

template <Entry entry, class R, class... A>
R call(A... arguments) {
  void* const& address = g_address[static_cast<int>(entry)];
  if (!address) load_library();
  if (g_calls_are_watched.load(std::memory_order_relaxed)) {
    if (const cl_int code = watch_call(entry)) return failed<R>(code, arguments...);
  }
  const auto function = reinterpret_cast<R (*)(A...)>(address);
  if constexpr (arguments_of(entry).event > 0) {
    if (is_recording()) return call_and_note<entry>(function, arguments...);
  }
  return function(arguments...);
}

}  // namespace

void load_library() {
  static std::once_flag once;  // stays unset if the call throws, so that the next call tries again
  std::call_once(once, fill_table);
}

}  // namespace accord::ocl

// The functions themselves. Hidden, so that the drivers never find these instead of their own.
#define ACCORD_A(f, k) accord::ocl::Signature<decltype(f)>::Argument<k> a##k
#define ACCORD_PARAMETERS_1(f) ACCORD_A(f, 0)
#define ACCORD_PARAMETERS_2(f) ACCORD_PARAMETERS_1(f), ACCORD_A(f, 1)
#define ACCORD_PARAMETERS_3(f) ACCORD_PARAMETERS_2(f), ACCORD_A(f, 2)
#define ACCORD_PARAMETERS_4(f) ACCORD_PARAMETERS_3(f), ACCORD_A(f, 3)
#define ACCORD_PARAMETERS_5(f) ACCORD_PARAMETERS_4(f), ACCORD_A(f, 4)
#define ACCORD_PARAMETERS_6(f) ACCORD_PARAMETERS_5(f), ACCORD_A(f, 5)
#define ACCORD_PARAMETERS_7(f) ACCORD_PARAMETERS_6(f), ACCORD_A(f, 6)
#define ACCORD_PARAMETERS_8(f) ACCORD_PARAMETERS_7(f), ACCORD_A(f, 7)
#define ACCORD_PARAMETERS_9(f) ACCORD_PARAMETERS_8(f), ACCORD_A(f, 8)
#define ACCORD_PARAMETERS_10(f) ACCORD_PARAMETERS_9(f), ACCORD_A(f, 9)
#define ACCORD_ARGUMENTS_1 a0
#define ACCORD_ARGUMENTS_2 ACCORD_ARGUMENTS_1, a1
#define ACCORD_ARGUMENTS_3 ACCORD_ARGUMENTS_2, a2
#define ACCORD_ARGUMENTS_4 ACCORD_ARGUMENTS_3, a3
#define ACCORD_ARGUMENTS_5 ACCORD_ARGUMENTS_4, a4
#define ACCORD_ARGUMENTS_6 ACCORD_ARGUMENTS_5, a5
#define ACCORD_ARGUMENTS_7 ACCORD_ARGUMENTS_6, a6
#define ACCORD_ARGUMENTS_8 ACCORD_ARGUMENTS_7, a7
#define ACCORD_ARGUMENTS_9 ACCORD_ARGUMENTS_8, a8
#define ACCORD_ARGUMENTS_10 ACCORD_ARGUMENTS_9, a9
#define ACCORD_FORWARD(count, name)                                                                \
  __attribute__((visibility("hidden"))) accord::ocl::Signature<decltype(name)>::Result CL_API_CALL \
  name(ACCORD_PARAMETERS_##count(name)) {                                                          \
    return accord::ocl::call<accord::ocl::Entry::name,                                             \
                             accord::ocl::Signature<decltype(name)>::Result>(                      \
        ACCORD_ARGUMENTS_##count);                                                                 \
  }

extern "C" {
ACCORD_CL_ENTRY_POINTS(ACCORD_FORWARD)
}
