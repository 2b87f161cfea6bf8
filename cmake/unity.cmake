# What makes a build from nothing short. Most of the time of a small file goes into the headers that
# its neighbours include, too. ACCORD_UNITY=OFF compiles each file by itself, and finds headers that
# a file forgets to include (scripts/checks/clang.sh).

# accord_compile_together(TARGET): the files of one folder are compiled together, eight at most, so
# that a change of one still compiles in a few seconds. Names in anonymous namespaces are unique in
# a folder.
function(accord_compile_together target)
  if(NOT ACCORD_UNITY)
    return()
  endif()
  set(most 8)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(SORT sources)
  set(folders)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    string(REPLACE "${PROJECT_BINARY_DIR}/" "" folder "${folder}")
    string(REPLACE "${CMAKE_CURRENT_SOURCE_DIR}/" "" folder "${folder}")
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND folders ${folder})
    list(APPEND files_${folder} ${source})
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH files_${folder} count)
    math(EXPR groups "(${count} + ${most} - 1) / ${most}")
    set(number 0)
    foreach(source IN LISTS files_${folder})
      math(EXPR group "${number} * ${groups} / ${count}")
      set_source_files_properties(${source} PROPERTIES UNITY_GROUP ${folder}_${group})
      math(EXPR number "${number} + 1")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# accord_precompile(TARGET HEADER...): reads headers that many files include once. Not with a
# compiler cache, which knows nothing of them, and not for targets with many optimisations: GCC
# takes what it inlines from these headers for code of this project, and warns of it.
function(accord_precompile target)
  if(ACCORD_UNITY AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()
