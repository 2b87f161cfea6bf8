# SPDX-License-Identifier: Apache-2.0
# Script: writes the page of an alignment as one file, with its style, the table that its
# scripts draw by, DRAWING, and its scripts in it.
#   cmake -D PAGE=<page.html> -D STYLE=<file.css> -D DRAWING=<file.json> \
#     "-D SCRIPTS=<a.js> <b.js> ..." -D OUTPUT=<file.html> -P join_page.cmake
cmake_policy(VERSION 3.20)  # else @STYLE@ stands for a variable
file(READ ${PAGE} page)
file(READ ${STYLE} style)
separate_arguments(SCRIPTS UNIX_COMMAND "${SCRIPTS}")
file(READ ${DRAWING} drawing)
set(script "const DRAWING = ${drawing};\n")
foreach(file IN LISTS SCRIPTS)
  file(READ ${file} text)
  string(APPEND script "${text}")
endforeach()
string(REPLACE "@STYLE@" "${style}" page "${page}")
string(REPLACE "@SCRIPT@" "${script}" page "${page}")
file(WRITE ${OUTPUT} "${page}")
