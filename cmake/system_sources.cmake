# What systems do each in their way stands in files of src/base whose names end with a system:
# _linux, _macos, _posix (both of them) or _windows.

# accord_keep_system_sources(VARIABLE): leaves the sources of other systems out of a list.
function(accord_keep_system_sources variable)
  if(WIN32)
    set(others linux|macos|posix)
  elseif(APPLE)
    set(others linux|windows)
  else()
    set(others macos|windows)
  endif()
  list(FILTER ${variable} EXCLUDE REGEX "_(${others})(_test)?\\.cpp$")
  set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()
