// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>

namespace accord {

/// What went wrong, as far as a caller or a workflow engine can act on it.
enum class ErrorKind {
  internal,            ///< a bug in accord
  usage,               ///< the command line makes no sense
  bad_input,           ///< an input file was read but its content is wrong
  no_input,            ///< an input file cannot be opened or read
  device_unavailable,  ///< the requested device or the OpenCL runtime is not there
  device_failed,       ///< a device was there and failed
  cannot_create,       ///< an output cannot be created
  write_failed,        ///< an output could not be written to its end
  closed_pipe,         ///< the reader of an output went away
  out_of_memory,       ///< host or device memory would be exceeded
  batch_incomplete,    ///< some families of a batch failed
};

/// Process exit code of an error kind (the sysexits numbers; 137 for memory, so that
/// workflow engines retry with more).
int exit_code(ErrorKind kind);

/// The one exception type of accord.
///
/// `what()` is one line: what was attempted, on what, and what went wrong, without a prefix.
/// `hint()` is what the user can try next; may be empty. Code of accord writes options in a hint as
/// `{name}` or `{name=value}`; the program and accord::api replace these by their words.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& text, std::string hint = {})
      : std::runtime_error(text), kind_(kind), hint_(std::move(hint)) {}

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& hint() const noexcept { return hint_; }

 private:
  ErrorKind kind_;
  std::string hint_;
};

}  // namespace accord
