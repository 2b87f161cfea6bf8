// SPDX-License-Identifier: Apache-2.0
// The program on machines with a broken OpenCL, or none.
#include <doctest/doctest.h>

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "cli/program.hpp"
#include "support/paths.hpp"

namespace accord::testing {
namespace {

/// True if the dynamic linker was asked for libOpenCL during the run of a script.
bool loads_opencl(const Program& program, const std::string& script) {
  const Outcome outcome = program.shell("LD_DEBUG=files " + script);
  REQUIRE(outcome.exit_code == 0);
  REQUIRE(has(outcome.err, "calling init"));  // the linker did report
  return has(outcome.err, "libOpenCL");
}

/// Checks that accord says what is wrong, and computes on the host unless a device is named.
void check_without_opencl(const std::string& environment, const std::string& problem,
                          const std::string& hint) {
  CAPTURE(environment);
  const Program program;
  const Outcome list = program.shell(environment + " $accord devices");
  CHECK(list.exit_code == 0);
  CHECK(has(list.out, "auto takes none"));
  CHECK(has(list.out, problem));
  CHECK(has(list.out, hint));
  const Outcome host = program.run({"dist", example_path(), "--device", "none"});
  // Of unknown size: auto leaves a small file to the host.
  const Outcome found = program.shell(environment + " $accord dist - < " + example_path());
  CHECK(found.exit_code == 0);
  CHECK(found.out == host.out);
  const Outcome named = program.shell(environment + " $accord " + example_path() + " -d cpu0");
  CHECK(named.exit_code == 69);
  CHECK(named.out.empty());
  CHECK(has(named.err, problem));
  CHECK(has(named.err, hint));
}

TEST_CASE("cli devices: libOpenCL is loaded only if a device is considered") {
  const Program program;
  CHECK(!loads_opencl(program, "$accord --version"));
  CHECK(!loads_opencl(program, "$accord " + example_path() + " --device none > out.fa"));
  CHECK(loads_opencl(program, "$accord devices > out.txt"));
  // What auto takes depends on the size of the input.
  CHECK(!loads_opencl(program, "$accord " + example_path() + " > out.fa"));
  CHECK(!loads_opencl(program, "$accord tree " + example_path() + " > out.dnd"));
  CHECK(!loads_opencl(program, "$accord - < " + example_path() + " > out.fa"));
  CHECK(loads_opencl(program, "$accord dist - < " + example_path() + " > out.phy"));
  program.directory().write("large.fa", random_fasta(2, 9000));
  CHECK(loads_opencl(program, "$accord dist large.fa -j 1 > out.phy"));
}

TEST_CASE("cli devices: a library that is preloaded is used, as simulators need it") {
  const Program program;
  const Outcome plain = program.shell("$accord devices");
  const Outcome preloaded = program.shell("LD_PRELOAD=libOpenCL.so.1 $accord devices");
  CHECK(preloaded.exit_code == 0);
  // Without the line of the host, whose instruction set is chosen by a measurement.
  const auto devices_of = [](const Outcome& outcome) {
    return outcome.out.substr(0, outcome.out.find("none  host"));
  };
  CHECK(devices_of(preloaded) == devices_of(plain));
}

TEST_CASE("cli devices: no library") {
  check_without_opencl("ACCORD_OPENCL_LIB=/nowhere/libOpenCL.so.1", "/nowhere/libOpenCL.so.1",
                       "install it");
}

TEST_CASE("cli devices: a library that is no OpenCL") {
  check_without_opencl("ACCORD_OPENCL_LIB=libz.so.1", "lacks cl", "install another one");
}

TEST_CASE("cli devices: no driver is registered, or one that is not there") {
  const ScratchDirectory empty, broken;
  check_without_opencl("OCL_ICD_VENDORS=" + empty.path(""), "no OpenCL platform found",
                       "https://portablecl.org");
  broken.write("gone.icd", "/nowhere/libgone.so\n");
  check_without_opencl("OCL_ICD_VENDORS=" + broken.path(""), "no OpenCL platform found",
                       "gone.icd");
}

TEST_CASE("cli devices: auto ends without a driver that never gets ready") {
  const Program program;
  program.directory().write("stuck.icd", binary_dir() + "/tests/libaccord_stuck_driver.so\n");
  program.directory().write("large.fa", random_fasta(3, 9000));  // about a second for the host
  const Outcome outcome =
      program.shell("OCL_ICD_VENDORS=$PWD $accord large.fa -j 1 --report r.json");
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == program.run({"large.fa", "-d", "none", "-j", "1"}).out);
  const auto report = nlohmann::json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["compute"]["devices"].size() == 1);
}

TEST_CASE("cli devices: ACCORD_DEVICE, which the option beats") {
  const Program program;
  const std::string align = " $accord " + example_path() + " > out.fa";
  const Outcome missing = program.shell("ACCORD_DEVICE=gpu99" + align);
  CHECK(missing.exit_code == 69);
  CHECK(has(missing.err, "gpu99"));
  CHECK(program.shell("ACCORD_DEVICE=gpu99" + align + " --device none").exit_code == 0);
  CHECK(program.shell("ACCORD_DEVICE=" + align).exit_code == 0);
  CHECK(!loads_opencl(program, "env ACCORD_DEVICE=none" + align));
}

TEST_CASE("cli devices: the first run says that it compiles, and compiles only what it needs") {
  const Program program;
  program.directory().write("two.fa", ">a\nMKVLITRRTG\n>b\nMKLITRTG\n");
  const std::string cache = "ACCORD_CACHE_DIR=" + program.directory().path("cache") + " ";
  if (program.shell("$accord two.fa -d cpu0 > out.fa").exit_code == 69) return;  // no such device
  const Outcome first = program.shell(cache + "$accord two.fa -d cpu0 > first.fa");
  CHECK(first.exit_code == 0);
  // Once; how long it has taken so far is said besides where that is long.
  const std::string compiles = "accord: compiling kernels for cpu0";
  CHECK(has(first.err, compiles));
  CHECK(first.err.find(compiles) == first.err.rfind(compiles));
  const Outcome second = program.shell(cache + "$accord two.fa -d cpu0 > second.fa");
  CHECK(second.err.empty());
  CHECK(
      program
          .shell("$accord two.fa -d none > host.fa; cmp host.fa first.fa && cmp host.fa second.fa")
          .exit_code == 0);
  // The self-test needs every program, the second run only those of posteriors.
  const Outcome counted =
      program.shell(cache + "ACCORD_OPENCL_FAULT=count $accord two.fa -d cpu0 > out.fa");
  CHECK(has(counted.err, "clCreateProgramWithBinary 2\n"));
  CHECK(!has(counted.err, "clCreateProgramWithSource"));
  const Outcome quiet = program.shell("ACCORD_CACHE_DIR=off $accord two.fa -q -d cpu0 > out.fa");
  CHECK(quiet.exit_code == 0);
  CHECK(quiet.err.empty());
  const Outcome nowhere = program.shell("ACCORD_CACHE_DIR=/dev/null/x $accord two.fa -d cpu0");
  CHECK(nowhere.exit_code == 0);
  CHECK(!has(nowhere.err, "warning"));
}

TEST_CASE("cli devices: --kernel-dir replaces kernel files one by one") {
  const Program program;
  const std::string align = "$accord " + example_path() + " -d cpu0 --kernel-dir ";
  if (program.shell("$accord " + example_path() + " -d cpu0 > out.fa").exit_code == 69) return;
  program.shell("mkdir -p some/posteriors none; touch file");
  CHECK(program.shell(align + "missing").exit_code == 66);
  CHECK(program.shell(align + "file").exit_code == 66);
  const Outcome none = program.shell(align + "none");
  CHECK(none.exit_code == 66);
  CHECK(has(none.err, "none: has no kernel file"));
  const Outcome all =
      program.shell(align + source_dir() + "/kernels > all.fa && cmp all.fa out.fa");
  CHECK(all.exit_code == 0);
  program.directory().write("some/posteriors/scaling.h", "\n#error this is the other file\n");
  const Outcome broken = program.shell(align + "some");
  CHECK(broken.exit_code == 70);
  CHECK(has(broken.err, "kernels/posteriors/scaling.h:2"));
}

/// A directory of kernel files in which one text of a file is another.
void change_kernel(const Program& program, const std::string& directory, const std::string& file,
                   const std::string& from, const std::string& to) {
  std::string text = file_bytes(source_dir() + "/kernels/" + file);
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  REQUIRE(program.shell("mkdir -p $(dirname " + directory + "/" + file + ")").exit_code == 0);
  program.directory().write(directory + "/" + file, text);
}

TEST_CASE("cli devices: a device that computes wrong is found and not used") {
  const Program program;
  if (program.shell("$accord " + example_path() + " -d cpu0 > out.fa").exit_code == 69) return;
  change_kernel(program, "root", "posteriors/combine.h", "1.5f", "1.4999f");
  // In files that few kernels include: the others come from the cache of compiled kernels.
  change_kernel(program, "sum", "consistency/transform.h", "sum * inverse_total",
                "sum * inverse_total + 0.0001f");
  const std::pair<const char*, const char*> wrong[] = {{"root", "wrong posteriors of sequences"},
                                                       {"sum", "wrong consistency of"}};
  for (const auto& directory_and_problem : wrong) {
    const std::string directory = directory_and_problem.first,
                      problem = directory_and_problem.second;
    CAPTURE(directory);
    const std::string kernels = " --kernel-dir " + directory;
    const Outcome named = program.shell("$accord " + example_path() + " -d cpu0" + kernels);
    CHECK(named.exit_code == 70);
    CHECK(named.out.empty());
    CHECK(has(named.err, "cpu0"));
    CHECK(has(named.err, "failed its self-test: " + problem));
    const Outcome untested =
        program.shell("ACCORD_SELF_TEST=off $accord " + example_path() + " -d cpu0" + kernels);
    CHECK(untested.exit_code == 0);
    for (const char* option : {"", " --json"}) {
      const Outcome check = program.shell("$accord devices --check" + kernels + option);
      CHECK(check.exit_code == 70);
      CHECK(has(check.out, "FAILED"));
      CHECK(has(check.out, problem));
      CHECK(has(check.out, "none"));
    }
  }
}

#ifdef __linux__
TEST_CASE("cli devices: kernels are compiled by other processes into the cache, if it is on") {
  const Program program;
  const std::string run = "$accord " + example_path() + " -d cpu0 -v";
  const std::string by_another = "compiled by another process", by_this = ", compiled\n";
  const std::string cache = "ACCORD_CACHE_DIR=" + program.directory().path("cache") + " ";
  const Outcome first = program.shell(cache + run);
  if (first.exit_code == 69) return;  // no OpenCL device
  REQUIRE(first.exit_code == 0);
  CHECK(has(first.err, by_another));
  CHECK(!has(first.err, by_this));
  const Outcome second = program.shell(cache + run);
  CHECK(has(second.err, "from the cache"));
  CHECK(!has(second.err, by_another));
  CHECK(second.out == first.out);
  const Outcome without_cache = program.shell("ACCORD_CACHE_DIR=off " + run);
  CHECK(has(without_cache.err, by_this));
  CHECK(!has(without_cache.err, by_another));
  CHECK(without_cache.out == first.out);
}

TEST_CASE("cli devices: a process that cannot compile a kernel fails in silence") {
  const Program program;
  for (const char* kernel : {"gpu99 posteriors/pack_cells.cl pack_cells '' 1 ''",
                             "cpu0 posteriors/pack_cells.cl nothing '' 1 ''"}) {
    CAPTURE(kernel);
    CHECK(program.shell(std::string("$accord compile-kernel ") + kernel).exit_code != 0);
  }
  // Not the arguments of such a process, but the input of a user.
  check_refused(program.run({"compile-kernel"}), 66, "compile-kernel");
}
#endif

TEST_CASE("cli devices: the self-test runs once, and 'devices' knows its result") {
  const Program program;
  const std::string cache = "ACCORD_CACHE_DIR=" + program.directory().path("cache") + " ";
  const auto list = [&](const std::string& options) {
    const Outcome outcome = program.shell(cache + "$accord devices --json" + options);
    REQUIRE(outcome.exit_code == 0);
    nlohmann::json parsed = nlohmann::json::parse(outcome.out);
    CHECK(parsed["devices"].back()["name"] == "none");
    // It names the host's kernels, which every start measures anew and may choose otherwise.
    CHECK(parsed["devices"].back().erase("description") == 1);
    return parsed;
  };
  const nlohmann::json before = list("");
  const std::string checked = list(" --check").dump();
  const nlohmann::json after = list("");
  REQUIRE(before["devices"].size() == after["devices"].size());
  for (std::size_t k = 0; k + 1 < before["devices"].size(); ++k) {
    const nlohmann::json& device = after["devices"][k];
    CHECK(device["number"] == k);
    if (device["self_test"] == "unusable") continue;
    CHECK(before["devices"][k]["self_test"] == "not run");
    CHECK(device["self_test"] == "ok");
    CHECK(device["memory_bytes"].get<std::uint64_t>() >
          device["budget_bytes"].get<std::uint64_t>());
    for (const char* text : {"description", "vendor", "platform", "driver", "type"}) {
      CHECK(!device[text].get<std::string>().empty());
    }
  }
  CHECK(after.dump() == checked);
}

TEST_CASE("cli devices: little device memory gives the same alignment, or says what is missing") {
  const Program program;
  const std::string align = "$accord " + example_path() + " -d cpu0 ";
  if (program.shell(align + "> out.fa").exit_code == 69) return;
  CHECK(program.shell(align + "--device-memory 4M > small.fa && cmp out.fa small.fa").exit_code ==
        0);
}

TEST_CASE("cli devices: fault injection counts calls, and refuses what it cannot read") {
  const Program program;
  const Outcome counted = program.shell("ACCORD_OPENCL_FAULT=count $accord devices");
  CHECK(counted.exit_code == 0);
  CHECK(has(counted.err, "accord: opencl calls clGetPlatformIDs "));
  CHECK(has(counted.err, "accord: opencl calls all "));
  for (const char* rules :
       {"clNothing:1:-5", "clFlush:0:-5", "3", "3:0", "count,", "clFlush:x:-5"}) {
    CAPTURE(rules);
    const Outcome outcome =
        program.shell("ACCORD_OPENCL_FAULT=" + std::string(rules) + " $accord devices");
    CHECK(outcome.exit_code == 2);
    CHECK(has(outcome.err, std::string("ACCORD_OPENCL_FAULT=") + rules));
  }
}

TEST_CASE("cli devices: several, and one that fails: the same alignment, one warning, a report") {
  const Program program;
  if (program.shell("$accord devices | grep -q cpu0").exit_code != 0) return;
  // The self-test has passed, and is remembered, before the device fails.
  const std::string align =
      " ACCORD_CACHE_DIR=cache $accord " + example_path() + " --report report.json -d ";
  const std::string expected = program.shell(align + "none").out;
  // The kernels are not compiled yet: the host does not wait.
  const Outcome both = program.shell(align + "cpu0,none");
  CHECK(both.exit_code == 0);
  CHECK(both.out == expected);
  CHECK(has(file_bytes(program.directory().path("report.json")), "\"id\": \"none\""));
  CHECK(program.shell(align + "none,gpu99").exit_code == 69);
  CHECK(program.shell(align + "cpu0").out == expected);
  CHECK(has(file_bytes(program.directory().path("report.json")), "\"retired\": []"));

  const Outcome lost =
      program.shell("ACCORD_OPENCL_FAULT='clEnqueueNDRangeKernel:1+:-36'" + align + "cpu0");
  CHECK(lost.exit_code == 0);
  CHECK(lost.out == expected);
  const std::string warning = "accord: warning: a device failed: cpu0";
  CHECK(has(lost.err, warning));
  CHECK(lost.err.find(warning) == lost.err.rfind("accord: warning:"));
  CHECK(has(lost.err, "CL_INVALID_COMMAND_QUEUE"));
  CHECK(has(file_bytes(program.directory().path("report.json")), "\"faults\": 3"));
}

TEST_CASE("cli devices: PoCL is there without a home that can be written, and the hint names why") {
  const Program program;
  if (!has(program.run({"devices"}).out, "cpu0")) return;
  // A file is no directory for anybody, root included.
  program.directory().write("file", "");
  const std::string home =
      "env -u POCL_CACHE_DIR -u XDG_CACHE_HOME -u ACCORD_CACHE_DIR HOME=file/x ";
  program.shell("mkdir tmp own");
  const Outcome outcome = program.shell(home + "TMPDIR=$PWD/tmp $accord devices");
  CHECK(has(outcome.out, "cpu0"));
  const Outcome cache =
      program.shell(home + "TMPDIR=$PWD/file ACCORD_CACHE_DIR=$PWD/own $accord devices");
  CHECK(has(cache.out, "cpu0"));
  CHECK(program.shell("ls own").out.starts_with("pocl"));
  for (const std::string& line :
       {home + "TMPDIR=$PWD/file ", std::string("env POCL_CACHE_DIR=$PWD/file/x ")}) {
    const Outcome none = program.shell(line + "$accord devices");
    CAPTURE(none.out);
    CHECK(none.exit_code == 0);
    if (!has(none.out, "cpu0")) {
      CHECK(has(none.out, "hint: PoCL has no place for its compiled kernels"));
      CHECK(has(none.out, "POCL_CACHE_DIR"));
      CHECK(!has(none.out, "check that the device is there"));
    }
  }
}

TEST_CASE("cli devices: PoCL whose kernels could not be run is refused with a hint") {
  const Program program;
  if (!has(program.run({"devices"}).out, "cpu0")) return;
  program.directory().write("in.fa", ">a\nMKVLAAGIVGLP\n>b\nMKVLAGIVGP\n");
  program.shell("mkdir tmp");
  // The second where / is no mount point, in a chroot.
  const std::string mounted =
      "export accord; unshare --mount true 2>/dev/null && unshare='unshare --mount' || "
      "unshare='unshare --mount --propagation unchanged'; "
      "$unshare sh -c 'mount -t tmpfs -o noexec none tmp || exit 99; ";
  const auto in = [&](const std::string& command) {
    return program.shell(mounted + command + "; status=$?; umount tmp; exit $status'");
  };
  if (in("true").exit_code != 0) {
    MESSAGE("not tested: nothing can be mounted here");
    return;
  }
  const Outcome refused = in("POCL_CACHE_DIR=$PWD/tmp/x $accord in.fa --device cpu");
  CAPTURE(refused.err);
  CHECK(refused.exit_code == 70);
  CHECK(has(refused.err, "tmp/x is on a file system from which no program runs (noexec)"));
  CHECK(has(refused.err, "set POCL_CACHE_DIR"));
  CHECK(has(in("POCL_CACHE_DIR=$PWD/tmp/x $accord devices").out, "unusable"));
  // A usual directory like that is given up for another by itself.
  const Outcome moved =
      in("env -u POCL_CACHE_DIR XDG_CACHE_HOME=$PWD/tmp ACCORD_CACHE_DIR=$PWD/own $accord devices");
  CHECK(!has(moved.out, "unusable"));
  CHECK(program.shell("ls own").out.starts_with("pocl"));
}

}  // namespace
}  // namespace accord::testing
