# Cross-compiles for 64-bit Windows with Debian's g++-mingw-w64-x86-64-posix
# (scripts/checks/windows.sh): cmake --toolchain cmake/mingw64.cmake -DCMAKE_PREFIX_PATH=<prefix of
# scripts/packaging/dependencies.sh> ... All libraries are linked statically, and what the build
# runs of its programs, and the tests, run in Wine.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_CROSSCOMPILING_EMULATOR wine)
# The headers of these libraries declare functions of a DLL otherwise.
set(static_libraries "-DLZMA_API_STATIC -DSODIUM_STATIC")
# Windows' declarations of C99 and C11, as the standards have them.
set(CMAKE_C_FLAGS_INIT "${static_libraries} -D__USE_MINGW_ANSI_STDIO=1")
set(CMAKE_CXX_FLAGS_INIT "${static_libraries} -D__USE_MINGW_ANSI_STDIO=1")
# The linker would write the time into the program, and so would strip.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static -s -Wl,--no-insert-timestamp")
set(OpenMP_gomp_LIBRARY gomp CACHE STRING "The static one: CMake would find that of a DLL")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
