// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "accord/app/commands.hpp"
#include "accord/app/options.hpp"
#include "accord/base/error.hpp"
#include "accord/io/output_file.hpp"

namespace {

void run(const std::vector<std::string>& arguments) {
  const accord::Options options = accord::parse_options(arguments);
  switch (options.command) {
    case accord::Command::align: accord::run_align(options); break;
    case accord::Command::score: accord::run_score(options); break;
    case accord::Command::devices: accord::run_devices(); break;
    case accord::Command::version: accord::write_output("-", "accord " ACCORD_VERSION "\n"); break;
    case accord::Command::help: accord::write_output("-", options.help); break;
  }
}

/// What can be tried after an error that does not say so itself.
std::string usual_hint(accord::ErrorKind kind) {
  switch (kind) {
    case accord::ErrorKind::bad_input:
      return "sequences are read as FASTA, guide trees as Newick; see 'accord --help'";
    case accord::ErrorKind::no_input: return "check the name; '-' is standard input";
    case accord::ErrorKind::cannot_create: return "choose another place; '-' is standard output";
    case accord::ErrorKind::write_failed: return "is there room left on the disk?";
    default: return {};
  }
}

int fail(const std::string& text, const std::string& hint, accord::ErrorKind kind) {
  const std::string shown = hint.empty() ? usual_hint(kind) : hint;
  std::fprintf(stderr, "accord: error: %s\n", text.c_str());
  if (!shown.empty()) std::fprintf(stderr, "  hint: %s\n", shown.c_str());
  return accord::exit_code(kind);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(std::vector<std::string>(argv + 1, argv + argc));
    return 0;
  } catch (const accord::Error& error) {
    return fail(error.what(), error.hint(), error.kind());
  } catch (const std::bad_alloc&) {
    return fail("OutOfMemory: the system has no memory left",
                "use fewer threads (-j), or a machine with more memory",
                accord::ErrorKind::out_of_memory);
  } catch (const std::exception& error) {
    return fail(std::string("internal error: ") + error.what(),
                "this is a bug in accord " ACCORD_VERSION "; please report it",
                accord::ErrorKind::internal);
  }
}
