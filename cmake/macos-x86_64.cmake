# Cross-compiles for macOS on 64-bit x86 (Intel).
set(CMAKE_SYSTEM_PROCESSOR x86_64)
include(${CMAKE_CURRENT_LIST_DIR}/macos-zig.cmake)
