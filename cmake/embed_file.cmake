# SPDX-License-Identifier: Apache-2.0
# Script: writes a C++ source with a function that returns the text of a file, which the header
# declares: std::string_view accord::FUNCTION().
#   cmake -D FILE=<file> -D HEADER=<header> -D FUNCTION=<name> -D OUTPUT=<file.cpp> \
#     -P embed_file.cmake
file(READ ${FILE} text)
file(WRITE ${OUTPUT} "// Generated from ${FILE}.
#include \"${HEADER}\"

#pragma GCC diagnostic ignored \"-Woverlength-strings\"

namespace accord {

std::string_view ${FUNCTION}() {
  static constexpr char kText[] = R\"accord(${text})accord\";
  return {kText, sizeof kText - 1};
}

}  // namespace accord
")
