// SPDX-License-Identifier: Apache-2.0
#include "accord/base/error.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace accord;

TEST_CASE("errors: exit codes are those that scripts and workflow engines know") {
  CHECK(exit_code(ErrorKind::internal) == 1);
  CHECK(exit_code(ErrorKind::usage) == 2);
  CHECK(exit_code(ErrorKind::bad_input) == 65);
  CHECK(exit_code(ErrorKind::no_input) == 66);
  CHECK(exit_code(ErrorKind::device_unavailable) == 69);
  CHECK(exit_code(ErrorKind::device_failed) == 70);
  CHECK(exit_code(ErrorKind::cannot_create) == 73);
  CHECK(exit_code(ErrorKind::write_failed) == 74);
  CHECK(exit_code(ErrorKind::out_of_memory) == 137);
  CHECK(exit_code(ErrorKind::batch_incomplete) == 4);
}

TEST_CASE("errors: kind, text and hint are kept") {
  const Error error(ErrorKind::bad_input, "a.fa:3: '7' is not a letter", "use letters");
  CHECK(error.kind() == ErrorKind::bad_input);
  CHECK(std::string(error.what()) == "a.fa:3: '7' is not a letter");
  CHECK(error.hint() == "use letters");
  CHECK(Error(ErrorKind::internal, "x").hint().empty());
}
