// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <string>

#include "app/cli/process_guard.hpp"

using namespace accord;

TEST_CASE("process guard: a run that stands still ends with code 70 and says who waits for what") {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    end_at_standstill("consistency: 1 request");
  }
  close(ends[1]);
  std::string text;
  std::array<char, 256> part{};
  for (ssize_t n; (n = read(ends[0], part.data(), part.size())) > 0;) {
    text.append(part.data(), static_cast<std::size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 70);
  CHECK(text.find("error: the run stands still: consistency: 1 request, partial output was") !=
        std::string::npos);
  CHECK(text.find("hint: ") != std::string::npos);
}
