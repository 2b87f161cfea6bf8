// SPDX-License-Identifier: Apache-2.0
#include "run/report/content_policy.hpp"

#include <string_view>

#include "accord/base/error.hpp"
#include "io/files/sha256.hpp"

namespace accord {
namespace {

/// A directive with the checksums of the texts of all elements `<NAME>` without attributes; empty
/// if there are none.
std::string directive_of(std::string_view page, const std::string& name) {
  const std::string begin = "<" + name + ">", end = "</" + name + ">";
  std::string sources;
  for (std::size_t at = page.find(begin); at != page.npos; at = page.find(begin, at)) {
    at += begin.size();
    const std::string_view text = page.substr(at, page.find(end, at) - at);
    sources += " 'sha256-" + sha256_base64(text) + "'";
  }
  return sources.empty() ? "" : "; " + name + "-src" + sources;
}

}  // namespace

std::string with_content_policy(std::string page) {
  constexpr std::string_view kPlace = "@POLICY@";
  const std::size_t at = page.find(kPlace);
  if (at == page.npos) throw Error(ErrorKind::internal, "the page has no place for its policy");
  const std::string policy = "default-src 'none'" + directive_of(page, "script") +
                             directive_of(page, "style") + "; base-uri 'none'; form-action 'none'";
  return page.replace(at, kPlace.size(), policy);
}

}  // namespace accord
