// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "accord/base/error.hpp"
#include "app/all_commands.hpp"
#include "app/cli/command.hpp"
#include "app/cli/failure_report.hpp"
#include "app/cli/messages.hpp"
#include "app/cli/process_guard.hpp"
#include "app/cli/timeline_file.hpp"
#include "base/system.hpp"
#include "base/text.hpp"
#include "engine/opencl/kernel_compiler.hpp"
#include "io/files/reading_memory.hpp"
#include "run/devices/run_devices.hpp"

namespace {

/// The hint for an error that has none.
std::string usual_hint(accord::ErrorKind kind) {
  switch (kind) {
    case accord::ErrorKind::bad_input:
      return "'accord help formats' lists how sequences and alignments are read";
    case accord::ErrorKind::no_input:
      return "check the name; '-' is standard input";
    case accord::ErrorKind::cannot_create:
      return "choose another place, or see the permissions of this one";
    case accord::ErrorKind::write_failed:
      return "is there room left on the disk, and for a file of this size (ulimit -f)?";
    default:
      return {};
  }
}

int fail(const std::string& text, const std::string& hint, accord::ErrorKind kind) {
  const std::string shown = hint.empty() ? usual_hint(kind) : hint;
  // Schedulers of jobs look for this word, and try again with more memory.
  constexpr const char* kWord = "OutOfMemory";
  const bool lacks_word =
      kind == accord::ErrorKind::out_of_memory && text.find(kWord) == std::string::npos;
  const std::string error = (lacks_word ? std::string(kWord) + ": " : std::string()) + text;
  accord::print_error(error, shown);
  accord::write_failure_report({.exit_code = accord::failure_code(kind),
                                .text = error,
                                .hint = accord::command_line_hint(shown)});
  return accord::failure_code(kind);
}

int fail_without_memory() {
  return fail("OutOfMemory: the system has no memory left",
              "use fewer threads (-j), or a machine with more memory",
              accord::ErrorKind::out_of_memory);
}

/// Whether there is memory for the least that a run needs. With less, exceptions find no memory
/// either, and end the process without a message.
bool has_least_memory() {
  constexpr std::size_t kLeastBytes = std::size_t{4} << 20;
  void* const bytes = ::operator new(kLeastBytes, std::nothrow);
  ::operator delete(bytes);
  return bytes != nullptr;
}

/// Runs the command of the arguments.
/// Returns  the exit code.
int run(int argc, char** argv) {
  if (!has_least_memory()) return fail_without_memory();
  try {
    accord::settle_runtime(argv);
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    if (const auto code = accord::ocl::serve_compile_apart(arguments)) return *code;
    accord::start_process_guard();
    accord::show_messages();
    const accord::ReadingScope reading;  // all inputs of the run together have the limit
    accord::run_command_line(accord::all_commands(), arguments);
    accord::write_timeline_file();
    return 0;
  } catch (const accord::Error& error) {
    if (error.kind() == accord::ErrorKind::closed_pipe) {
      accord::write_failure_report({.exit_code = accord::failure_code(error.kind()),
                                    .text = error.what(),
                                    .hint = accord::command_line_hint(error.hint())});
      accord::end_by_closed_pipe();
    }
    return fail(error.what(), error.hint(), error.kind());
  } catch (const std::bad_alloc&) {
    return fail_without_memory();
  } catch (const std::exception& error) {
    const auto* system = dynamic_cast<const std::system_error*>(&error);
    if (system && system->code() == std::errc::resource_unavailable_try_again) {
      return fail(
          std::string("OutOfMemory: the system gives no more threads: ") + error.what(),
          "use fewer threads (-j), or raise the limits of the system (ulimit -u, ulimit -v)",
          accord::ErrorKind::out_of_memory);
    }
    return fail(std::string("internal error: ") + error.what(),
                "this is a bug in accord " ACCORD_VERSION "; please report it",
                accord::ErrorKind::internal);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int code = run(argc, argv);
  if (accord::has_left_devices()) accord::end_at_once(code);
  return code;
}
