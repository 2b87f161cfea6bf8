# What systems do each in their way stands in files of src/base whose names end with a system:
# _linux, _macos, _wasm, _posix (these three) or _windows.

# accord_keep_system_sources(VARIABLE): leaves the sources of other systems out of a list.
function(accord_keep_system_sources variable)
  if(WIN32)
    set(others linux|macos|posix|wasm)
  elseif(APPLE)
    set(others linux|wasm|windows)
  elseif(EMSCRIPTEN)
    set(others linux|macos|windows)
  else()
    set(others macos|wasm|windows)
  endif()
  list(FILTER ${variable} EXCLUDE REGEX "_(${others})(_test)?\\.cpp$")
  set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()
