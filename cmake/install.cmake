# What 'cmake --install' puts where: the program with its manual page and completions, and the
# library with the headers that are promised, pkg-config and CMake package files.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# All of the program, for who does not compile: cmake --install BUILD --component program.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
install(TARGETS accord RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(ACCORD_STATIC)  # libraries that are not linked in lie beside it
  set_target_properties(accord PROPERTIES INSTALL_RPATH "$ORIGIN/../lib/accord")
  # RUNTIME_DEPENDENCIES of install(TARGETS) would do it, but not for another processor.
  install(CODE "
    file(GET_RUNTIME_DEPENDENCIES EXECUTABLES \"$<TARGET_FILE:accord>\"
      RESOLVED_DEPENDENCIES_VAR libraries PRE_INCLUDE_REGEXES nlopt gomp bz2 sodium
      PRE_EXCLUDE_REGEXES .)
    file(INSTALL \${libraries} DESTINATION \"\${CMAKE_INSTALL_PREFIX}/lib/accord\"
      FOLLOW_SYMLINK_CHAIN)")
endif()
# Programs with the names of other aligners (src/app/names), outside of any PATH: each calls the
# program by its place beside them, so that the prefix may be moved.
set(accord_names ${CMAKE_INSTALL_LIBEXECDIR}/accord/names)
file(RELATIVE_PATH accord_from_names /${accord_names} /${CMAKE_INSTALL_BINDIR})
foreach(name mafft linsi ginsi einsi fftns fftnsi nwns nwnsi mafft-linsi mafft-ginsi mafft-einsi
    mafft-fftns mafft-fftnsi mafft-nwns mafft-nwnsi mafft-profile muscle muscle5 muscle3 clustalo
    famsa kalign probcons)
  set(file ${PROJECT_BINARY_DIR}/names/${name})
  if(WIN32)
    string(REPLACE "/" "\\" windows_path ${accord_from_names})
    string(APPEND file .cmd)
    file(WRITE ${file} "@\"%~dp0${windows_path}\\accord.exe\" as ${name} %*\r\n")
  else()
    set(folder "$(dirname -- \"$(readlink -f -- \"$0\")\")")
    file(WRITE ${file}
      "#!/bin/sh\nexec \"${folder}/${accord_from_names}/accord\" as ${name} \"$@\"\n")
  endif()
  install(PROGRAMS ${file} DESTINATION ${accord_names})
endforeach()
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/CITATION.cff ${ACCORD_NOTICES}
  DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(accord_texts)
  install(FILES ${PROJECT_BINARY_DIR}/accord.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_BINARY_DIR}/completions/bash/accord
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${PROJECT_BINARY_DIR}/completions/zsh/_accord
    DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${PROJECT_BINARY_DIR}/completions/fish/accord.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME library)
install(TARGETS accord_installed ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
foreach(header api/api.hpp api/ensemble.hpp api/given.hpp base/error.hpp)
  get_filename_component(directory ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/include/accord/${header}
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/accord/${directory})
endforeach()

set(accord_package ${CMAKE_INSTALL_LIBDIR}/cmake/accord)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/accordConfig.cmake.in
  ${PROJECT_BINARY_DIR}/accordConfig.cmake INSTALL_DESTINATION ${accord_package}
  PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/accordConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/accordConfig.cmake
  ${PROJECT_BINARY_DIR}/accordConfigVersion.cmake DESTINATION ${accord_package})

# Paths relative to the file, so that the prefix may be chosen, or moved, later.
file(RELATIVE_PATH accord_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(accord_pc_nlopt)
if(ACCORD_PHYLOGENY)
  set(accord_pc_nlopt " -lnlopt")
endif()
set(accord_pc_gemmi)
if(accord_gemmi)
  set(accord_pc_gemmi " -lgemmi_cpp")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/accord.pc.in ${PROJECT_BINARY_DIR}/accord.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/accord.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
