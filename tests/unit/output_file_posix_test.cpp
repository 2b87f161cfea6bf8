// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <utility>

#include "io/files/output_file.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

mode_t mode_of(const std::string& path) {
  struct stat found {};
  REQUIRE(::stat(path.c_str(), &found) == 0);
  return found.st_mode & 07777;
}

/// Runs a call while standard output is another file.
template <class F>
void with_stdout(const std::string& path, int flags, F&& call) {
  const int saved = ::dup(STDOUT_FILENO);
  const int file = ::open(path.c_str(), flags | O_CREAT, 0666);
  REQUIRE(file >= 0);
  ::dup2(file, STDOUT_FILENO);
  ::close(file);
  call();
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
}

ErrorKind kind_of_write(const std::string& path, std::string_view text = "text") {
  return error_of([&] { write_output(path, std::string(text)); }).kind();
}

ErrorKind kind_of_check(const std::string& path) {
  return error_of([&] { check_output_writable(path); }).kind();
}

/// Root may do everything: while this lives, the process is a user without rights, who owns a
/// directory. For other users nothing changes.
class PlainUser {
 public:
  explicit PlainUser(const std::string& directory) {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() != 0) return;
    REQUIRE(::chown(directory.c_str(), kNobody, static_cast<gid_t>(-1)) == 0);
    was_root_ = ::setresuid(kNobody, kNobody, 0) == 0;
    REQUIRE(was_root_);
  }
  PlainUser(const PlainUser&) = delete;
  PlainUser& operator=(const PlainUser&) = delete;
  ~PlainUser() {
    if (was_root_ && ::setresuid(0, 0, 0) != 0) std::abort();
  }

 private:
  bool was_root_ = false;
};

}  // namespace

TEST_CASE("a new file gets the permissions of the umask") {
  const ScratchDirectory scratch;
  const mode_t old = ::umask(027);
  write_output(scratch.path("out"), "some text");
  ::umask(old);
  CHECK(file_bytes(scratch.path("out")) == "some text");
  CHECK(mode_of(scratch.path("out")) == 0640);
  CHECK(scratch.names().size() == 1);
}

TEST_CASE("an existing file is replaced and keeps its permissions") {
  const ScratchDirectory scratch;
  const std::string path = scratch.write("out", "a longer text than the new one");
  REQUIRE(::chmod(path.c_str(), 0604) == 0);
  const int old_reader = ::open(path.c_str(), O_RDONLY);
  write_output(path, "new");
  CHECK(file_bytes(path) == "new");
  CHECK(mode_of(path) == 0604);
  CHECK(scratch.names().size() == 1);
  char byte = 0;
  CHECK(::read(old_reader, &byte, 1) == 1);  // who has it open still sees the old text, whole
  CHECK(byte == 'a');
  ::close(old_reader);
}

TEST_CASE("symbolic links are followed, also to a file that does not exist yet") {
  const ScratchDirectory scratch;
  std::filesystem::create_directory(scratch.path("directory"));
  std::filesystem::create_symlink("directory/target", scratch.path("link"));
  for (const char* text : {"first", "second"}) {
    check_output_writable(scratch.path("link"));
    write_output(scratch.path("link"), text);
    CHECK(std::filesystem::is_symlink(scratch.path("link")));
    CHECK(file_bytes(scratch.path("directory/target")) == text);
  }
  CHECK(scratch.names().size() == 2);
}

TEST_CASE("an empty text makes an empty file") {
  const ScratchDirectory scratch;
  write_output(scratch.path("out"), "");
  CHECK(std::filesystem::file_size(scratch.path("out")) == 0);
}

TEST_CASE("a relative path without a directory works") {
  const ScratchDirectory scratch;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(scratch.path(""));
  check_output_writable("out");
  CHECK(scratch.names().empty());
  write_output("out", "text");
  std::filesystem::current_path(before);
  CHECK(file_bytes(scratch.path("out")) == "text");
}

TEST_CASE("a FIFO is written directly") {
  const ScratchDirectory scratch;
  const std::string path = scratch.path("fifo");
  REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
  check_output_writable(path);  // must not wait for a reader
  const std::string text(1'000'000, 'x');
  std::string received;
  std::thread reader([&] { received = file_bytes(path); });
  write_output(path, text);
  reader.join();
  CHECK(received == text);
  CHECK(std::filesystem::is_fifo(path));
  CHECK(scratch.names().size() == 1);
}

TEST_CASE("standard output by all its names, appending where it stands") {
  const ScratchDirectory scratch;
  const std::string path = scratch.write("out", "begin,");
  with_stdout(path, O_WRONLY | O_APPEND, [] {
    for (const char* name : {"-", "", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"}) {
      check_output_writable(name);
      write_output(name, "more,");
    }
  });
  CHECK(file_bytes(path) == "begin,more,more,more,more,more,");
}

TEST_CASE("a full device is noticed") {
  CHECK(kind_of_write("/dev/full") == ErrorKind::write_failed);
  CHECK(error_of([] { write_output("/dev/full", "text"); }).what() ==
        std::string("cannot write /dev/full: No space left on device"));
  ErrorKind kind{};
  with_stdout("/dev/full", O_WRONLY, [&] { kind = kind_of_write("-"); });
  CHECK(kind == ErrorKind::write_failed);
  write_output("/dev/null", "text");
}

TEST_CASE("a failed write leaves the old file and no temporary") {
  const ScratchDirectory scratch;
  const std::string path = scratch.write("out", "old");
  // A limit on the size of files stands in for a full disk.
  rlimit old_limit{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &old_limit) == 0);
  const rlimit limit{5000, old_limit.rlim_max};
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &limit) == 0);
  const ErrorKind replaced = kind_of_write(path, std::string(100'000, 'x'));
  const ErrorKind created = kind_of_write(scratch.path("new"), std::string(100'000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);
  CHECK(replaced == ErrorKind::write_failed);
  CHECK(created == ErrorKind::write_failed);
  CHECK(file_bytes(path) == "old");
  CHECK(scratch.names().size() == 1);
}

TEST_CASE("an output that cannot be created fails before the work") {
  const ScratchDirectory scratch;
  const std::string file = scratch.write("file", "");
  for (const std::string& path : {scratch.path("none/out"), scratch.path(""), scratch.path("new/"),
                                  file + "/out", scratch.path(std::string(300, 'n')),
                                  std::string("/dev/fd/987"), std::string("/proc/accord-test")}) {
    CAPTURE(path);
    CHECK(kind_of_check(path) == ErrorKind::cannot_create);
    CHECK(kind_of_write(path) == ErrorKind::cannot_create);
  }
  CHECK(scratch.names().size() == 1);
  check_output_writable(scratch.path("out"));
  check_output_writable(file);
  check_output_writable("/dev/full");
  CHECK(scratch.names().size() == 1);
}

TEST_CASE("a rename that fails says which files were written before it") {
  const ScratchDirectory directory;
  const std::string pipe = directory.path("pipe"), last = directory.path("last");
  REQUIRE(::mkfifo(pipe.c_str(), 0666) == 0);
  // The pipe is too small for the text, so that its writer waits for the reader, after the other
  // files were written under temporary names and before they are renamed.
  const std::string large(1 << 20, 'x');
  std::thread reader([&] {
    const int file = ::open(pipe.c_str(), O_RDONLY);
    std::string buffer(1 << 16, ' ');
    bool is_first = true;
    while (::read(file, buffer.data(), buffer.size()) > 0) {
      if (std::exchange(is_first, false)) std::filesystem::create_directory(last);
    }
    ::close(file);
  });
  const Error error = error_of([&] {
    write_outputs({make_output(directory.path("first"), "1"), make_output(pipe, large),
                   make_output(last, "2")});
  });
  reader.join();
  CHECK(error.kind() == ErrorKind::write_failed);
  CHECK(std::string(error.what()).find(last) != std::string::npos);
  CHECK(std::string(error.what()).find("written before it: " + directory.path("first")) !=
        std::string::npos);
  CHECK(file_bytes(directory.path("first")) == "1");
}

TEST_CASE("permissions are respected") {
  const ScratchDirectory scratch;
  const PlainUser plain(scratch.path(""));
  const std::string read_only = scratch.write("read-only", "old");
  REQUIRE(::chmod(read_only.c_str(), 0444) == 0);
  CHECK(kind_of_check(read_only) == ErrorKind::cannot_create);
  CHECK(kind_of_write(read_only) == ErrorKind::cannot_create);
  CHECK(file_bytes(read_only) == "old");

  // A directory that takes no new files still has files that can be written.
  const std::string file = scratch.write("file", "old");
  REQUIRE(::chmod(scratch.path("").c_str(), 0555) == 0);
  CHECK(kind_of_check(scratch.path("new")) == ErrorKind::cannot_create);
  check_output_writable(file);
  write_output(file, "new");
  CHECK(file_bytes(file) == "new");
  REQUIRE(::chmod(scratch.path("").c_str(), 0755) == 0);
}
