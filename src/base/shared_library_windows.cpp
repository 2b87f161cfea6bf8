// SPDX-License-Identifier: Apache-2.0
#include <windows.h>

#include <system_error>

#include "base/paths.hpp"
#include "base/shared_library.hpp"

namespace accord {

std::vector<std::string> shared_library_names(const std::string& name) { return {name + ".dll"}; }

SharedLibrary load_shared_library(const std::string& name, Binding /*binding*/) {
  const HMODULE handle = ::LoadLibraryW(path_of_text(name).c_str());
  if (handle != nullptr) return {handle, {}};
  const auto code = static_cast<int>(::GetLastError());
  return {nullptr, name + ": " + std::error_code(code, std::system_category()).message()};
}

void* function_of(void* library, const char* name) {
  if (library == nullptr) return nullptr;
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(library), name));
}

void unload(const SharedLibrary& library) {
  if (library.handle) ::FreeLibrary(static_cast<HMODULE>(library.handle));
}

}  // namespace accord
