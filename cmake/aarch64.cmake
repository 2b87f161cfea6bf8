# Cross-compiles for Linux on 64-bit ARM, with Debian's crossbuild-essential-arm64 and libraries of
# the architecture arm64 (scripts/checks/arm64.sh): cmake --toolchain cmake/aarch64.cmake ...
# What the build runs of its programs, and the tests, run in QEMU.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
