# As emscripten.cmake, with threads.
include(${CMAKE_CURRENT_LIST_DIR}/emscripten.cmake)
string(APPEND CMAKE_C_FLAGS_INIT " -pthread")
string(APPEND CMAKE_CXX_FLAGS_INIT " -pthread")
set(ACCORD_WASM_THREADS ON)
