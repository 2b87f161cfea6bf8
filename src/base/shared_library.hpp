// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace accord {

/// A shared library in this process: a handle of the system, null if the library could not be
/// loaded, with the system's message.
struct SharedLibrary {
  void* handle = nullptr;
  std::string problem;
};

/// The names or paths under which the system may have a library, "OpenCL" for example; the best one
/// first.
std::vector<std::string> shared_library_names(const std::string& name);

/// When the functions that a library calls in other libraries are looked for.
enum class Binding { at_once, when_called };

/// Loads a shared library by its path, or by a name that the system looks for.
SharedLibrary load_shared_library(const std::string& name, Binding binding);

/// The address of a function of a library, by its handle; null if the library lacks it. With a null
/// handle, of whatever was loaded into this process at its start: simulators and profilers are
/// preloaded, on systems that do so.
void* function_of(void* library, const char* name);

/// Takes a library out of the process, if nothing else uses it.
void unload(const SharedLibrary& library);

}  // namespace accord
