// SPDX-License-Identifier: Apache-2.0
// Progress of long runs on a terminal, in a file and for programs; stdout stays clean.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <thread>

#include "cli/program.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// A pseudo terminal; what is written to path() is read here.
class Terminal {
 public:
  Terminal() : master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    REQUIRE(master_ >= 0);
    REQUIRE(::grantpt(master_) == 0);
    REQUIRE(::unlockpt(master_) == 0);
    path_ = ::ptsname(master_);
    // An open end keeps the terminal alive until everything was read.
    keeper_ = ::open(path_.c_str(), O_RDWR | O_NOCTTY);
    reader_ = std::thread([this] {
      char chunk[4096];
      for (ssize_t got = 0; (got = ::read(master_, chunk, sizeof chunk)) > 0;) {
        text_.append(chunk, static_cast<std::size_t>(got));
      }
    });
  }
  ~Terminal() {
    if (reader_.joinable()) finish();
    ::close(master_);
  }
  const std::string& path() const { return path_; }

  /// All that was written.
  std::string finish() {
    ::close(keeper_);
    reader_.join();
    return text_;
  }

 private:
  int master_, keeper_ = -1;
  std::string path_, text_;
  std::thread reader_;
};

/// Its posteriors take well over a second, after which the first line is drawn, also on a machine
/// several times as fast as today's.
std::string long_family() { return random_fasta(47, 1400); }
const std::string kQuick = "-d none -j 1 --consistency 0 --refine 0";

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("progress: a bar on a terminal, which the end takes away; warnings stand above it") {
  const Program program;
  program.directory().write("in.fa", long_family() + ">s0\nMK\n");
  Terminal terminal;
  const Outcome outcome =
      program.shell("TERM=xterm $accord in.fa " + kQuick + " -o out.fa 2>" + terminal.path());
  const std::string shown = terminal.finish();
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.empty());
  CAPTURE(shown);
  CHECK(shown.find("\r\033[Kposteriors [") != std::string::npos);
  CHECK(shown.find("/1128 pairs  ") != std::string::npos);
  CHECK(shown.find(" left") != std::string::npos);
  CHECK(shown.ends_with("\r\033[K"));
  CHECK(count_of(shown, "warning: ") == 2);  // a name occurs twice, and what it becomes
}

TEST_CASE("progress: nothing for a short run, nothing on a terminal that cannot draw in a second") {
  const Program program;
  for (const char* terminal_type : {"xterm", "dumb"}) {
    Terminal terminal;
    const Outcome outcome = program.shell("TERM=" + std::string(terminal_type) + " $accord " +
                                          example_path() + " -d none 2>" + terminal.path());
    CHECK(outcome.exit_code == 0);
    CHECK(terminal.finish().empty());
  }
}

TEST_CASE("progress: json is an object a line, none is nothing, stdout is the alignment alone") {
  const Program program;
  program.directory().write("in.fa", long_family());
  const Outcome json = program.shell("$accord in.fa --progress json " + kQuick);
  CHECK(json.exit_code == 0);
  CHECK(is_alignment(parse_rows(json.out)));
  std::size_t lines = 0;
  for (std::size_t at = 0; at < json.err.size(); ++lines) {
    const std::size_t end = json.err.find('\n', at);
    REQUIRE(end != std::string::npos);
    const auto state = nlohmann::json::parse(json.err.substr(at, end - at));
    CHECK(state.contains("stage"));
    CHECK(state["elapsed_s"] >= 0);
    at = end + 1;
  }
  CHECK(lines >= 1);
  const Outcome none = program.shell("$accord in.fa --progress=none " + kQuick);
  CHECK(none.err.empty());
  CHECK(none.out == json.out);
  CHECK(program.run({"in.fa", "--progress", "loud"}).exit_code == 2);
}

TEST_CASE("progress: a batch shows its families") {
  const Program program;
  program.shell("mkdir in");
  for (int k = 0; k < 2; ++k) {
    program.directory().write("in/f" + std::to_string(k) + ".fa", long_family());
  }
  const Outcome outcome = program.shell("$accord batch in -O out --progress json " + kQuick);
  CHECK(outcome.exit_code == 0);
  const auto first = nlohmann::json::parse(outcome.err.substr(0, outcome.err.find('\n')));
  CHECK(first["stage"] == "batch");
  CHECK(first["unit"] == "families");
  CHECK(first["total"] == 2);
  CHECK(outcome.out.empty());
}

TEST_CASE("progress: a signal leaves the bar above its message") {
  const Program program;
  program.directory().write("long.fa", random_fasta(2, 60'000));
  Terminal terminal;
  CHECK(
      program
          .shell("TERM=xterm $accord long.fa -o out.fa -d none --time-limit 4 2>" + terminal.path())
          .exit_code == 124);
  const std::string shown = terminal.finish();
  CAPTURE(shown);
  // How much is done by then is up to the machine.
  const std::regex line(
      R"(posteriors \[[#.]{20}\] +[0-9]{1,2} %  0/1 pairs  ([0-9:]+ left|for 0:0[0-9]))");
  CHECK(std::regex_search(shown, line));
  CHECK(shown.find("\r\naccord: error: the time limit") != std::string::npos);
}
