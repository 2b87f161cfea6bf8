# SPDX-License-Identifier: Apache-2.0
# Script: writes a C++ source with a function that returns the text of a file, which the header
# declares: std::string_view accord::FUNCTION().
#   cmake -D FILE=<file> -D HEADER=<header> -D FUNCTION=<name> -D OUTPUT=<file.cpp> \
#     -P embed_file.cmake
file(READ ${FILE} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE ${OUTPUT} "// Generated from ${FILE}.
#include \"${HEADER}\"

namespace accord {
namespace {
constexpr char kText[] = {
${bytes} 0};
}  // namespace

std::string_view ${FUNCTION}() { return {kText, sizeof kText - 1}; }

}  // namespace accord
")
