// SPDX-License-Identifier: Apache-2.0
// The program as a process: signals, outputs that appear together or not at all, thread counts.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "io/files/packing.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// What a shell knows of a run whose messages go to $log: it computes, or it has begun to write.
const std::string kComputes = "grep -q ^device $log";
const std::string kWrites = "ls -A | grep -q '^[.]accord-'";

/// Runs `command` until a little after the shell finds `reached` true, sends it the signal, and
/// checks that it ends before the stage that it is in, with 128 + the signal, with one error and a
/// hint, and leaves the directory as it was.
void check_ended_by(const Program& program, const std::string& signal, int exit_code,
                    const std::string& command, const std::string& reached) {
  CAPTURE(signal);
  CAPTURE(command);
  const std::vector<std::string> before = program.directory().names();
  // A signal that the shell's parent ignores would be ignored here as well.
  const Outcome outcome =
      program.shell("log=$(mktemp); env --default-signal=INT,TERM,HUP " + command +
                    " -v 2>$log & pid=$!; until " + reached +
                    " || ! kill -0 $pid; do sleep 0.02; done; sleep 0.3; kill -" + signal +
                    " $pid; wait $pid; echo $?; cat $log >&2; rm $log");
  CHECK(outcome.out == std::to_string(exit_code) + "\n");
  if (reached == kComputes) CHECK(outcome.err.find("\nposteriors") == std::string::npos);
  CHECK(outcome.err.find("accord: error: ended by SIG" + signal) != std::string::npos);
  CHECK(outcome.err.find("  hint: ") != std::string::npos);
  CHECK(program.directory().names() == before);
}

const std::string kGood = ">a\nMKVLAAGIVG\n>b\nMKVLAGIVG\n>c\nMKLAAGIG\n";

}  // namespace

TEST_CASE("process: the dynamic linker may be called with the program") {
  // That of the program, as its file names it: a system may have several.
  const Outcome outcome = Program().shell(
      "linker=$(head -c 4096 $accord | grep -aoE '/lib[0-9]*/ld-linux[-a-z0-9_.]*'); "
      "if [ -n \"$linker\" ]; then env -u GOMP_SPINCOUNT \"$linker\" $accord --version; "
      "else $accord --version; fi");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == "accord " ACCORD_VERSION "\n");
}

TEST_CASE("process: a signal in the middle of a kernel ends it at once, without any output") {
  const Program program;
  program.directory().write("long.fa", random_fasta(2, 60'000));
  const std::string align = "$accord long.fa -o out.fa -d ";
  check_ended_by(program, "TERM", 143, align + "none -j 2", kComputes);
  check_ended_by(program, "INT", 130, align + "none -j 1", kComputes);
  check_ended_by(program, "HUP", 129, align + "none", kComputes);
  if (program.shell("$accord devices | grep -q cpu0").exit_code == 0) {
    program.directory().write("many.fa", random_fasta(12, 10'000));
    check_ended_by(program, "TERM", 143, "$accord many.fa -o out.fa -d cpu0", kComputes);
  }
}

TEST_CASE("process: partial output is removed while another output waits for its reader") {
  const Program program;
  program.directory().write("in.fa", kGood);
  program.shell("mkfifo pipe");
  check_ended_by(program, "TERM", 143, "$accord in.fa -o out.fa --report pipe", kWrites);
  check_ended_by(program, "INT", 130, "$accord in.fa -o pipe --dist-out d.phy", kWrites);
}

TEST_CASE("process: an ignored signal stays ignored") {
  const Program program;
  program.directory().write("in.fa", kGood);
  CHECK(program
            .shell("trap '' INT HUP; mkfifo p; $accord in.fa -o p & sleep 0.3; kill -INT $!; "
                   "kill -HUP $!; cat p >got; wait $!; echo $?; wc -l <got")
            .out == "0\n6\n");
}

TEST_CASE("process: an alignment is not left behind as a success when another output fails") {
  const Program program;
  program.directory().write("in.fa", kGood);
  for (const std::string option : {"--report", "--tree-out", "--dist-out"}) {
    CAPTURE(option);
    const Outcome file = program.run({"in.fa", "-o", "out.fa", option, "/dev/full"});
    CHECK(file.exit_code == 74);
    CHECK(program.directory().names() == std::vector<std::string>{"in.fa"});
    const Outcome out = program.run({"in.fa", option, "/dev/full"});
    CHECK(out.exit_code == 74);
    CHECK(out.out.empty());
  }
  CHECK(program.run({"in.fa", "-o", "/dev/full", "--report", "r.json"}).exit_code == 74);
  CHECK(program.directory().names().size() == 2);  // and the report, which says why
  CHECK(has(file_bytes(program.directory().path("r.json")), "\"exit_code\": 74"));
}

TEST_CASE("process: two outputs to one place are refused") {
  const Program program;
  program.directory().write("in.fa", kGood);
  program.shell("ln -s out.fa link");
  for (const std::vector<std::string>& outputs :
       {std::vector<std::string>{"--report", "-"},
        {"--report", "/dev/stdout"},
        {"-o", "out.fa", "--report", "out.fa"},
        {"-o", "out.fa", "--report", "./out.fa"},
        {"-o", "out.fa", "--tree-out", "link"},
        {"-o", "x", "--tree-out", "y", "--dist-out", "y"}}) {
    CAPTURE(outputs.back());
    std::vector<std::string> line = {"in.fa"};
    line.insert(line.end(), outputs.begin(), outputs.end());
    CHECK(program.run(line).exit_code == 2);
  }
  // A device may be named twice.
  CHECK(program.run({"in.fa", "-o", "/dev/null", "--report", "/dev/null"}).exit_code == 0);
}

TEST_CASE("process: a reader that goes away ends the program as SIGPIPE does") {
  const Program program;
  program.directory().write("in.fa", kGood);
  const std::string kGone = "exec 3> >(true); wait $!; ";  // the reader of 3 has ended
  const Outcome ignored =
      program.shell("trap '' PIPE; " + kGone + "$accord in.fa >&3; echo $? >&2");
  CHECK(ignored.err.find("went away") != std::string::npos);
  CHECK(ignored.err.ends_with("74\n"));
  const Outcome silent =
      program.shell(kGone + "env --default-signal=PIPE $accord in.fa >&3; echo $? >&2");
  CHECK(silent.err.ends_with("141\n"));
  CHECK(silent.err.find("accord: error") == std::string::npos);
}

TEST_CASE("process: an output named .gz is packed, the same bytes each time") {
  const Program program;
  program.directory().write("in.fa", kGood);
  CHECK(program.run({"in.fa", "-o", "a.fa.gz", "--dist-out", "d.phy.gz"}).exit_code == 0);
  CHECK(program.run({"in.fa", "-o", "b.fa.gz", "--dist-out", "d.phy"}).exit_code == 0);
  const auto bytes = [&](const char* name) { return file_bytes(program.directory().path(name)); };
  CHECK(bytes("a.fa.gz") == bytes("b.fa.gz"));
  CHECK(unpack(Packing::gzip, bytes("a.fa.gz"), "a") == program.run({"in.fa"}).out);
  CHECK(unpack(Packing::gzip, bytes("d.phy.gz"), "d") == bytes("d.phy"));
  CHECK(program.run({"a.fa.gz", "-q"}).out == program.run({"in.fa"}).out);
}

TEST_CASE("process: threads follow the option, then the environment, then what is allowed") {
  const Program program;
  program.directory().write("in.fa", kGood);
  const auto threads = [&](const std::string& environment, const std::string& options) {
    const Outcome outcome =
        program.shell("unset OMP_NUM_THREADS SLURM_CPUS_PER_TASK ACCORD_THREADS; " + environment +
                      " $accord in.fa -o out.fa --report r.json " + options);
    REQUIRE(outcome.exit_code == 0);
    return nlohmann::json::parse(
               file_bytes(program.directory().path("r.json")))["compute"]["threads"]
        .get<int>();
  };
  CHECK(threads("taskset -c 0", "") == 1);
  CHECK(threads("OMP_NUM_THREADS=1", "") == 1);
  CHECK(threads("OMP_NUM_THREADS=1,4", "") == 1);
  CHECK(threads("SLURM_CPUS_PER_TASK=1", "") == 1);
  CHECK(threads("OMP_NUM_THREADS=1", "-j 3") == 3);
  CHECK(threads("OMP_NUM_THREADS=1 ACCORD_THREADS=5", "") == 5);
  CHECK(threads("ACCORD_THREADS=5", "-j 2") == 2);
  CHECK(threads("OMP_NUM_THREADS=rubbish SLURM_CPUS_PER_TASK=-4", "") == threads("", ""));
  CHECK(program.shell("ACCORD_THREADS=many $accord in.fa").exit_code == 2);
}

TEST_CASE("process: no output replaces an input, or another output, however they are named") {
  const Program program;
  program.directory().write("in.fa", kGood);
  program.shell(
      "ln in.fa hard.fa; ln -s in.fa soft.fa; mkdir d; ln -s d e; "
      "printf '(a:1,(b:1,c:1):1);' >t.nwk");
  const auto refused = [&](const std::string& line) {
    CAPTURE(line);
    CHECK(program.shell(line).exit_code == 2);
    CHECK(file_bytes(program.directory().path("in.fa")) == kGood);
  };
  for (const std::string name : {"in.fa", "./in.fa", "hard.fa", "soft.fa", "d/../in.fa"}) {
    refused("$accord in.fa -o " + name);
    refused("$accord - -o " + name + " <in.fa");
    refused("$accord in.fa -o out.fa --report " + name);
    refused("$accord convert in.fa -o " + name);
    refused("$accord dist in.fa -o " + name);
    refused("$accord tree in.fa -o " + name);
    refused("$accord check in.fa --log " + name);
    refused("$accord stats hard.fa --log " + name);
    refused("$accord in.fa >>" + name);
  }
  refused("$accord in.fa -o e/x.fa --tree-out d/x.fa");
  refused("$accord in.fa --tree t.nwk -o ./t.nwk");
  CHECK(program.shell("$accord in.fa -o d/x.fa --tree-out e/y.nwk").exit_code == 0);
}

TEST_CASE("process: a file that may not grow as it should is an error of the output") {
  const Program program;
  program.directory().write("long.fa", random_fasta(3, 3000));
  const Outcome outcome = program.shell("ulimit -f 4; $accord long.fa -o out.fa -d none");
  CHECK(outcome.exit_code == 74);
  CHECK(outcome.err.find("accord: error: cannot write out.fa: ") != std::string::npos);
  CHECK(program.directory().names() == std::vector<std::string>{"long.fa"});
}

TEST_CASE("process: the time limit ends it") {
  const Program program;
  program.directory().write("long.fa", random_fasta(2, 60'000));
  const Outcome outcome = program.shell("$accord long.fa -d none --time-limit 0.2 2>&1 >/dev/null");
  CHECK(outcome.exit_code == 124);
  CHECK(outcome.out.find("the time limit is reached") != std::string::npos);
}

TEST_CASE("process: fewer threads than wanted do the same with a warning") {
  const Program program;
  const std::string family = random_fasta(6, 300);
  program.directory().write("in.fa", family);
  const std::string whole = program.run({"in.fa", "-d", "none"}).out;
  // Root has no such limit; nobody else runs as this user. Files are opened before.
  const std::string user = program.shell("id -u").out == "0\n"
                               ? "setpriv --reuid=65534 --regid=65534 --clear-groups "
                               : "";
  const std::string limited = user + "bash -c 'ulimit -u $1; shift; exec \"$@\"' - ";
  if (user.empty() || program.shell(limited + "1 $accord --version").exit_code != 0) return;
  for (const std::string threads : {"1", "2", "3", "12"}) {
    CAPTURE(threads);
    const Outcome outcome = program.shell("ACCORD_CACHE_DIR=off " + limited + threads +
                                          " $accord - -d none -j 4 <in.fa");
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == whole);
    const bool is_warned = outcome.err.find("the system gives no ") != std::string::npos;
    CHECK(is_warned == (threads != "12"));
    CHECK(outcome.err.find("terminate") == std::string::npos);
    CHECK(outcome.err.find("libgomp") == std::string::npos);
  }
  // Whatever a driver of OpenCL needs.
  for (const std::string threads : {"1", "2", "3", "5", "9"}) {
    CAPTURE(threads);
    const Outcome outcome = program.shell("ACCORD_CACHE_DIR=off " + limited + threads +
                                          " $accord - -d cpu0 -j 2 <in.fa");
    // The device is not there, or fails where its driver gets no threads of its own.
    CHECK((outcome.exit_code == 0 || outcome.exit_code == 69 || outcome.exit_code == 70 ||
           outcome.exit_code == 137));
    CHECK(outcome.err.find("terminate") == std::string::npos);
  }
  const Outcome limit = program.shell(limited + "1 $accord - -d none --time-limit 1h <in.fa");
  CHECK(limit.exit_code == 137);
  CHECK(limit.err.find("accord: error: OutOfMemory: ") != std::string::npos);
}

TEST_CASE("process: however little memory there is, it ends with a code that help names") {
  const Program program;
  program.directory().write("in.fa", random_fasta(6, 300));
  const std::string whole = program.run({"in.fa", "-d", "none"}).out;
  // A sanitizer reserves more than there is.
  if (program.shell("ulimit -v 4000000; $accord --version").exit_code != 0) return;
  for (const std::string kibibytes : {"20000", "25000", "30000", "40000", "50000", "60000", "80000",
                                      "120000", "200000", "400000", "1000000", "4000000"}) {
    CAPTURE(kibibytes);
    const Outcome loaded = program.shell("ulimit -v " + kibibytes + "; $accord --version");
    // The system cannot load the program (127), a library ends the process before main() begins (by
    // a signal), or main() finds too little memory (137).
    if (loaded.exit_code != 0) {
      CAPTURE(loaded.err);
      CHECK(loaded.exit_code >= 127);
      CHECK(loaded.out.empty());
      continue;
    }
    const Outcome outcome =
        program.shell("ulimit -v " + kibibytes + "; $accord in.fa -d none -j 8");
    CAPTURE(outcome.err);
    CHECK((outcome.exit_code == 0 || outcome.exit_code == 137));
    if (outcome.exit_code == 0) CHECK(outcome.out == whole);
    if (outcome.exit_code == 137) {
      CHECK(outcome.err.find("OutOfMemory") != std::string::npos);
    }
    CHECK(outcome.err.find("terminate") == std::string::npos);
  }
}
