# Cross-compiles for macOS on 64-bit ARM (Apple silicon).
set(CMAKE_SYSTEM_PROCESSOR aarch64)
include(${CMAKE_CURRENT_LIST_DIR}/macos-zig.cmake)
