# Cross-compiles for WebAssembly, with the em++ of Debian's package emscripten
# (scripts/packaging/browser.sh): cmake --toolchain cmake/emscripten.cmake
# -DCMAKE_FIND_ROOT_PATH=<prefix of scripts/packaging/dependencies.sh> ...
# One thread computes; emscripten-threads.cmake has more. Exceptions and vectors are those of
# WebAssembly, which every browser has since 2023.
execute_process(COMMAND em-config EMSCRIPTEN_ROOT
  OUTPUT_VARIABLE emscripten_root OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
include(${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake)
set(CMAKE_C_FLAGS_INIT "-fwasm-exceptions -msimd128")
set(CMAKE_CXX_FLAGS_INIT
  "-fwasm-exceptions -msimd128 -include ${CMAKE_CURRENT_LIST_DIR}/emscripten/library.hpp")
set(CMAKE_C_FLAGS_RELEASE_INIT "-Os -DNDEBUG")
set(CMAKE_CXX_FLAGS_RELEASE_INIT "-Os -DNDEBUG")
set(ACCORD_OPENMP OFF CACHE BOOL "Emscripten has no OpenMP")
