// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include "base/shared_library.hpp"

namespace accord {

SharedLibrary load_shared_library(const std::string& name, Binding binding) {
  const int flags = (binding == Binding::at_once ? RTLD_NOW : RTLD_LAZY) | RTLD_LOCAL;
  if (void* const handle = ::dlopen(name.c_str(), flags)) return {handle, {}};
  const char* message = ::dlerror();
  return {nullptr, message ? message : name};
}

void* function_of(void* library, const char* name) {
  return ::dlsym(library ? library : RTLD_DEFAULT, name);
}

void unload(const SharedLibrary& library) {
  if (library.handle) ::dlclose(library.handle);
}

}  // namespace accord
