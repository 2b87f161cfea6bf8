// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>

#include "cli/program.hpp"
#include "support/paths.hpp"

extern char** environ;  // POSIX leaves the declaration to the program

namespace accord::testing {
namespace {

const std::string kProgram = binary_dir() + "/accord";

/// Waits for a process, and puts the most memory that it, or a child of it, took into `peak_bytes`.
int wait_for(pid_t child, std::size_t& peak_bytes) {
  int status = 0;
  struct rusage usage {};
  while (::wait4(child, &status, 0, &usage) < 0) {
    if (errno != EINTR) return -1;
  }
#ifdef __APPLE__
  constexpr std::size_t kUnit = 1;
#else
  constexpr std::size_t kUnit = 1024;
#endif
  peak_bytes = kUnit * static_cast<std::size_t>(usage.ru_maxrss);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// Whatever a test runs into: every error comes with a hint.
void check_hints(const std::string& err) {
  const std::string text = "\n" + err, mark = "\naccord: error: ";
  for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at + 1)) {
    const std::size_t next = text.find(mark, at + 1);
    const std::string message = text.substr(at, next == text.npos ? text.npos : next - at);
    CAPTURE(message);
    CHECK(message.find("\n  hint: ") != std::string::npos);
  }
}

}  // namespace

Outcome Program::run(const std::vector<std::string>& arguments, const std::string& input) const {
  std::vector<std::string> command = {kProgram};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return spawn(command, input);
}

Outcome Program::shell(const std::string& script) const {
  return spawn({"timeout", "1800", "bash", "-c", "accord='" + kProgram + "'\n" + script},
               "/dev/null");
}

Outcome Program::spawn(const std::vector<std::string>& command, const std::string& input) const {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const std::string out = capture_.path("out"), err = capture_.path("err");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  constexpr int kNewFile = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), kNewFile, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), kNewFile, 0600);
  posix_spawn_file_actions_addchdir_np(&actions, work_.path("").c_str());
  pid_t child = 0;
  const int error = ::posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  REQUIRE(error == 0);
  std::size_t peak_bytes = 0;
  const int exit_code = wait_for(child, peak_bytes);
  Outcome outcome{exit_code, file_bytes(out), file_bytes(err), peak_bytes};
  check_hints(outcome.err);
  return outcome;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void check_refused(const Outcome& outcome, int code, const std::string& part) {
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == code);
  CHECK(outcome.out == "");
  CHECK(has(outcome.err, part));
  CHECK(std::ranges::count(outcome.err, '\n') <= 2);  // the line and its hint
}

std::string example_path() { return source_dir() + "/datasets/example.fa"; }

std::string random_fasta(std::size_t sequences, std::size_t length) {
  const std::string letters = "ARNDCQEGHILKMFPSTWYV";
  std::mt19937 random(20261121);
  std::string fasta;
  for (std::size_t x = 0; x < sequences; ++x) {
    fasta += ">s" + std::to_string(x) + "\n";
    for (std::size_t i = 0; i < length; ++i) fasta += letters[random() % letters.size()];
    fasta += '\n';
  }
  return fasta;
}

FastaRows parse_rows(const std::string& fasta) {
  FastaRows rows;
  for (std::size_t at = 0; at < fasta.size();) {
    const std::size_t end = std::min(fasta.find('\n', at), fasta.size());
    const std::string line = fasta.substr(at, end - at);
    if (line.starts_with('>')) {
      rows.emplace_back(line.substr(1), "");
    } else if (!rows.empty()) {
      rows.back().second += line;
    }
    at = end + 1;
  }
  return rows;
}

FastaRows degapped(FastaRows rows) {
  for (auto& row : rows) std::erase(row.second, '-');
  return rows;
}

bool is_alignment(const FastaRows& rows) {
  if (rows.empty()) return false;
  for (const auto& row : rows) {
    if (row.second.size() != rows[0].second.size()) return false;
  }
  for (std::size_t c = 0; c < rows[0].second.size(); ++c) {
    const bool is_empty = std::all_of(rows.begin(), rows.end(),
                                      [&](const auto& row) { return row.second[c] == '-'; });
    if (is_empty) return false;
  }
  return true;
}

}  // namespace accord::testing
