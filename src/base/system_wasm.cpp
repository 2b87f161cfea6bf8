// SPDX-License-Identifier: Apache-2.0
// WebAssembly in a browser, by Emscripten, which has POSIX but for these.
#include <emscripten/heap.h>

#include "base/system.hpp"

namespace accord {

void settle_runtime(char** /*argv*/) {}

int run_this_program(const std::vector<std::string>& /*arguments*/) { return -1; }

void serve_in_background(unsigned /*seconds*/) {}

std::vector<std::string> shared_library_names(const std::string& name) {
  return {"lib" + name + ".so"};  // never there
}

bool may_run_from(const std::string& /*directory*/) { return true; }

void yield_to_other_threads() {}

std::size_t process_peak_bytes() { return emscripten_get_heap_size(); }  // it does not shrink

int allowed_processors() { return 0; }

const char* desktop_opener() { return nullptr; }

std::optional<double> machine_memory() {
  return 4294901760;  // 4 GiB less a page: what addresses of 32 bits reach
}

}  // namespace accord
