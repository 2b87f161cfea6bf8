# Cross-compiles for macOS with zig, which brings clang, libc++ and the stubs of macOS' libraries:
# for the processor that macos-aarch64.cmake or macos-x86_64.cmake names. zig is found in PATH
# (scripts/checks/macos.sh). No program can be run.
set(CMAKE_SYSTEM_NAME Darwin)
find_program(ZIG zig REQUIRED)
set(target -target ${CMAKE_SYSTEM_PROCESSOR}-macos.11.0)
set(CMAKE_C_COMPILER ${ZIG} cc ${target})
set(CMAKE_CXX_COMPILER ${ZIG} c++ ${target})
# GNU's tools know no objects of macOS.
foreach(language C CXX)
  set(CMAKE_${language}_ARCHIVE_CREATE "${ZIG} ar qc <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_APPEND "${ZIG} ar q <TARGET> <LINK_FLAGS> <OBJECTS>")
  set(CMAKE_${language}_ARCHIVE_FINISH "${ZIG} ranlib <TARGET>")
endforeach()
set(CMAKE_RANLIB "")  # an installation calls it again
# zig adds its sanitizer to what is compiled without optimisation, as tests are, and the library of
# that only to programs that are linked without.
set(CMAKE_C_FLAGS_INIT -fno-sanitize=undefined)
# Boost 1.74 uses what C++17 has removed.
set(CMAKE_CXX_FLAGS_INIT
  "-fno-sanitize=undefined -D_LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION")
set(CMAKE_OSX_SYSROOT "")
set(CMAKE_INSTALL_NAME_TOOL /bin/false)  # for shared libraries, which are not made
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(ACCORD_OPENMP OFF)  # neither zig nor Apple's compiler has a library of it
