# SPDX-License-Identifier: Apache-2.0
# Script: writes a C++ source that holds the page of --html as a byte array.
#   cmake -D PAGE=<file.html> -D OUTPUT=<file.cpp> -P embed_page.cmake
file(READ ${PAGE} bytes HEX)
string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${bytes}")
file(WRITE ${OUTPUT} "// Generated from the page of --html.
#include \"accord/app/html_page.hpp\"

namespace accord {
namespace {
constexpr char kPage[] = {
${bytes} 0};
}  // namespace

std::string_view alignment_page() { return {kPage, sizeof kPage - 1}; }

}  // namespace accord
")
