# Installs a build into a fresh prefix, compiles the example against it, by CMake and by pkg-config,
# and compares what it prints with what the program prints.
#   cmake -D BUILD=... -D SOURCE=... -D WORK=... -D GENERATOR=... -P check_install.cmake
cmake_minimum_required(VERSION 3.22)

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE err)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "'${ARGN}' ended with ${code}:\n${out}${err}")
  endif()
  set(out "${out}" PARENT_SCOPE)
  set(err "${err}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
set(prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
file(GLOB_RECURSE installed RELATIVE ${prefix} ${prefix}/*)
foreach(file bin/accord share/man/man1/accord.1 share/bash-completion/completions/accord
    share/zsh/site-functions/_accord share/fish/vendor_completions.d/accord.fish
    share/doc/accord/LICENSE share/doc/accord/CITATION.cff include/accord/api/api.hpp
    include/accord/api/ensemble.hpp include/accord/api/given.hpp include/accord/base/error.hpp
    libexec/accord/names/mafft libexec/accord/names/muscle libexec/accord/names/clustalo
    libexec/accord/names/famsa libexec/accord/names/kalign libexec/accord/names/probcons)
  if(NOT file IN_LIST installed)
    message(FATAL_ERROR "${file} is not installed; there are: ${installed}")
  endif()
endforeach()
run(${prefix}/bin/accord --version)
set(version "${out}")

run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE}/examples/cpp -B ${WORK}/example
  -DCMAKE_BUILD_TYPE=Release
  -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build ${WORK}/example)
run(${WORK}/example/example)
set(rows "${out}")
if(NOT err MATCHES "best pair [0-9]+ [0-9]+ 0\\.9" OR NOT err MATCHES "SP 1\n"
    OR NOT err MATCHES "tree \\(.*;\n" OR NOT err MATCHES "'7' is not a sequence character")
  message(FATAL_ERROR "the example says:\n${err}")
endif()
file(WRITE ${WORK}/family.fa
  ">a\nMKVLAAGIVGLPTWERNDKK\n>b\nMKVLAGIVGPTWERNDK\n>c\nMRVLAAGLVGLPTYERDKK\n")
run(${prefix}/bin/accord ${WORK}/family.fa)
if(NOT out STREQUAL rows)
  message(FATAL_ERROR "the library aligns\n${rows}the program\n${out}")
endif()

# The names of other programs in a tree that was moved into a folder with blanks: by PATH, and by a
# link.
file(REMOVE_RECURSE "${WORK}/moved here")
file(COPY ${prefix}/ DESTINATION "${WORK}/moved here")
file(CREATE_LINK "${WORK}/moved here/libexec/accord/names/linsi" ${WORK}/linsi SYMBOLIC)
run(${CMAKE_COMMAND} -E env "PATH=${WORK}/moved here/libexec/accord/names:$ENV{PATH}"
  sh -c "mafft --version 2>&1 && exec mafft --quiet ${WORK}/family.fa")
string(REGEX REPLACE "^accord [^\n]* in the place of mafft\n" "" out "${out}")
if(NOT out STREQUAL rows)
  message(FATAL_ERROR "mafft of a moved tree aligns\n${out}")
endif()
run(${WORK}/linsi --quiet ${WORK}/family.fa)
if(NOT out STREQUAL rows)
  message(FATAL_ERROR "linsi by a link aligns\n${out}")
endif()
foreach(file ${installed})
  if(file MATCHES "^bin/" AND NOT file MATCHES "^bin/accord$")
    message(FATAL_ERROR "${file}: nothing but accord belongs in bin")
  endif()
endforeach()
# Every name that the program takes is installed, and no other one.
run(${prefix}/bin/accord help as)
string(REGEX REPLACE "[ \n]+" " " out "${out}")
string(REGEX MATCH "NAME is one of ([^.]*)\\." found "${out}")
string(REPLACE ", " ";" names "${CMAKE_MATCH_1}")
file(GLOB programs RELATIVE ${prefix}/libexec/accord/names ${prefix}/libexec/accord/names/*)
list(SORT names)
list(SORT programs)
if(NOT names OR NOT names STREQUAL programs)
  message(FATAL_ERROR "accord takes the names ${names}, installed are ${programs}")
endif()

find_program(PKG_CONFIG NAMES pkg-config pkgconf)
if(PKG_CONFIG)
  file(GLOB_RECURSE pc ${prefix}/accord.pc)
  get_filename_component(directory ${pc} DIRECTORY)
  set(ENV{PKG_CONFIG_PATH} ${directory})
  run(${PKG_CONFIG} --cflags --libs accord)
  string(STRIP "${out}" flags)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(c++ ${SOURCE}/examples/cpp/example.cpp -o ${WORK}/by_pkg_config ${flags})
  run(${WORK}/by_pkg_config)
  if(NOT out STREQUAL rows)
    message(FATAL_ERROR "by pkg-config the library aligns\n${out}")
  endif()
  file(READ ${SOURCE}/docs/cpp.md page)
  string(REGEX REPLACE ".*```cpp\n([^`]*)```.*" "\\1" code "${page}")
  file(WRITE ${WORK}/documents.cpp "${code}")
  run(c++ ${WORK}/documents.cpp -o ${WORK}/by_documents ${flags})
  run(${WORK}/by_documents)
  if(NOT out MATCHES "^>a\nMKVLAAGIVGLP\n>b\n[A-Z-]+\n$")
    message(FATAL_ERROR "the example of docs/cpp.md aligns\n${out}")
  endif()
endif()

find_program(BASH NAMES bash)
run(${BASH} -n ${prefix}/share/bash-completion/completions/accord)
# What the completion offers for the beginning of an option. (A file, since run() would take a
# semicolon for the end of an argument.)
file(WRITE ${WORK}/complete.sh
  "source '${prefix}/share/bash-completion/completions/accord'
compopt() { return 0\n}
COMP_WORDS=(accord align fam.fa --tree)
COMP_CWORD=3
_accord
echo \"\${COMPREPLY[*]}\"
")
run(${BASH} ${WORK}/complete.sh)
if(NOT out STREQUAL "--tree-out --tree\n")
  message(FATAL_ERROR "the completion of 'accord align fam.fa --tree' is '${out}'")
endif()
find_program(ZSH NAMES zsh)
if(ZSH)
  run(${ZSH} -n ${prefix}/share/zsh/site-functions/_accord)
endif()
find_program(FISH NAMES fish)
if(FISH)
  run(${FISH} -n ${prefix}/share/fish/vendor_completions.d/accord.fish)
endif()
message(STATUS "installed and used: ${version}")
