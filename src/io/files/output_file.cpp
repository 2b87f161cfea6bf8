// SPDX-License-Identifier: Apache-2.0
#include "io/files/output_file.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <system_error>
#include <utility>

#include "accord/base/error.hpp"
#include "base/paths.hpp"
#include "base/system.hpp"
#include "base/temporary_file.hpp"
#include "base/timeline.hpp"
#include "io/files/packing.hpp"
#include "io/files/sha256.hpp"

namespace accord {
namespace {

Error cannot_create(const std::string& path, int error) {
  const std::string hint = error == ENOENT   ? "the directory does not exist"
                           : error == EISDIR ? "name a file in it"
                                             : "";
  return Error(ErrorKind::cannot_create, "cannot create " + path + ": " + std::strerror(error),
               hint);
}

Error write_failed(const std::string& path, int error) {
  if (error == EPIPE) {
    return Error(ErrorKind::closed_pipe, "cannot write " + path + ": its reader went away",
                 "nothing reads the other end of the pipe any more");
  }
  return Error(ErrorKind::write_failed, "cannot write " + path + ": " + std::strerror(error));
}

/// The descriptor of this process that a path names, if it names one. Opening the path again would
/// lose the position and the append mode of a redirected output, and fails for a socket.
std::optional<int> inherited_descriptor(const std::string& path) {
  if (path.empty() || path == "-" || path == "/dev/stdout") return kStandardOutput;
  if (path == "/dev/stderr") return kStandardError;
  for (const std::string_view directory : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(directory)) continue;
    int number = -1;
    const char* end = path.data() + path.size();
    const auto parsed = std::from_chars(path.data() + directory.size(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end && number >= 0) return number;
  }
  return std::nullopt;
}

std::string output_label(const std::string& path) {
  return path.empty() || path == "-" ? "standard output" : path;
}

/// A descriptor that is written and closed. Keeps the first failure, since some file systems report
/// a full disk only on close.
class OpenFile {
 public:
  OpenFile(int descriptor, const std::string& label) : descriptor_(descriptor), label_(label) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) close_descriptor(descriptor_);
  }

  void write(std::string_view bytes) {
    while (!bytes.empty()) {
      const std::ptrdiff_t written = write_some(descriptor_, bytes);
      if (written < 0) throw write_failed(label_, errno);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void close() {
    if (close_descriptor(std::exchange(descriptor_, -1)) != 0) throw write_failed(label_, errno);
  }

 private:
  int descriptor_;
  std::string label_;
};

/// Writes an output to `taker`, packed as its path says.
void write_bytes(const Output& output, const ByteTaker& taker) {
  TimelineSpan span(SpanKind::step, "write");
  span.add("file", output_label(output.path));
  pack(packing_of_suffix(output.path), output.write, taker);
}

/// The path with symbolic links followed, even if the target does not exist yet.
std::string followed(std::string path) {
  constexpr int kMostLinks = 40;  // as in the kernel
  for (int hop = 0; hop < kMostLinks; ++hop) {
    std::optional<std::string> target = link_target(path);
    if (!target) break;
    path = std::move(*target);
  }
  return path;
}

/// The status of the file at a path; none if there is no file.
/// Throws  if the path cannot be written or created.
std::optional<FileStatus> inspect(const std::string& path) {
  const std::optional<FileStatus> found = status_of(path);
  if (!found) {
    if (errno != ENOENT) throw cannot_create(path, errno);
    if (path.ends_with('/')) throw cannot_create(path, EISDIR);
    return std::nullopt;
  }
  if (found->is_directory) throw cannot_create(path, EISDIR);
  if (!may_write(path)) throw cannot_create(path, errno);
  return found;
}

/// Whether an existing file may still be overwritten although its directory forbids new files.
bool may_write_in_place(const std::optional<FileStatus>& existing, int error) {
  return existing && (error == EACCES || error == EPERM);
}

/// Writes directly: to a FIFO, a device or a descriptor of this process, to a file whose directory
/// forbids new files, or while the process ends.
void write_in_place(const Output& output) {
  const std::string& path = output.path;
  int descriptor = -1;
  if (const std::optional<int> inherited = inherited_descriptor(path)) {
    // A duplicate is written and closed, because close reports late errors.
    descriptor = duplicate(*inherited);
  } else {
    descriptor = open_to_overwrite(path);
    if (descriptor < 0 && errno == ENOENT) descriptor = open_new_file(followed(path));
  }
  if (descriptor < 0) throw cannot_create(output_label(path), errno);
  OpenFile file(descriptor, output_label(path));
  write_bytes(output, [&](std::string_view bytes) { file.write(bytes); });
  file.close();
}

}  // namespace

/// A complete file that waits to be renamed.
struct OutputFiles::StagedFile {
  std::string path;    ///< as the user wrote it
  std::string target;  ///< the path with links followed
  TemporaryFile file;
};

OutputFiles::OutputFiles() = default;
OutputFiles::~OutputFiles() = default;

/// Writes an output under a temporary name. Returns false if it must be written directly.
bool OutputFiles::stage(const Output& output, const ByteTaker& watcher) {
  if (inherited_descriptor(output.path)) return false;
  const std::optional<FileStatus> existing = inspect(output.path);
  if (existing && !existing->is_regular) return false;
  const std::string target = followed(output.path);
  StagedFile staged{output.path, target, TemporaryFile(target)};
  if (const int error = staged.file.error(); error != 0) {
    if (may_write_in_place(existing, error)) return false;
    throw cannot_create(output.path, error);
  }
  if (existing) copy_attributes(*existing, staged.file.descriptor());
  OpenFile file(staged.file.release(), output.path);
  write_bytes(output, [&](std::string_view bytes) {
    if (watcher) watcher(bytes);
    file.write(bytes);
  });
  file.close();
  staged_.push_back(std::move(staged));
  return true;
}

void OutputFiles::add(Output output) {
  if (!stage(output, nullptr)) in_place_.push_back(std::move(output));
}

WrittenBytes OutputFiles::add_with_checksum(Output output) {
  Sha256 hash;
  WrittenBytes written;
  const auto watcher = [&](std::string_view bytes) {
    hash.add(bytes);
    written.bytes += bytes.size();
  };
  if (!stage(output, watcher)) {
    write_bytes(output, watcher);
    in_place_.push_back(std::move(output));
  }
  written.sha256 = hash.digits();
  return written;
}

void OutputFiles::finish() {
  for (auto output = in_place_.rbegin(); output != in_place_.rend(); ++output) {
    write_in_place(*output);
  }
  std::string done;
  for (auto file = staged_.rbegin(); file != staged_.rend(); ++file) {
    if (const int error = file->file.rename_to(file->target); error != 0) {
      const Error failure = write_failed(file->path, error);
      throw Error(failure.kind(),
                  failure.what() + (done.empty() ? "" : "; written before it: " + done),
                  failure.hint());
    }
    done += (done.empty() ? "" : ", ") + file->path;
  }
}

Output make_output(const std::string& path, std::string text) {
  return {path, [text = std::move(text)](TextSink& out) { out << text; }};
}

void write_outputs(std::vector<Output> outputs) {
  OutputFiles files;
  for (auto output = outputs.rbegin(); output != outputs.rend(); ++output) {
    files.add(std::move(*output));
  }
  files.finish();
}

void write_output(const std::string& path, std::string text) {
  OutputFiles files;
  files.add(make_output(path, std::move(text)));
  files.finish();
}

void write_output_in_place(const std::string& path, std::string text) {
  write_in_place(make_output(path, std::move(text)));
}

void make_directory(const std::string& path) {
  if (path.empty()) return;
  if (const std::error_code error = make_directories(path)) {
    throw Error(ErrorKind::cannot_create,
                "cannot create the directory " + path + ": " + error.message());
  }
}

void check_output_writable(const std::string& path) {
  if (const std::optional<int> descriptor = inherited_descriptor(path)) {
    if (!is_open_for_writing(*descriptor)) throw cannot_create(output_label(path), errno);
    return;
  }
  const std::optional<FileStatus> existing = inspect(path);
  if (existing && !existing->is_regular) return;
  const TemporaryFile probe(followed(path));
  if (probe.error() != 0 && !may_write_in_place(existing, probe.error())) {
    throw cannot_create(path, probe.error());
  }
}

std::string file_identity(const std::string& path) {
  const std::optional<int> inherited = inherited_descriptor(path);
  std::optional<FileStatus> found = inherited ? status_of(*inherited) : status_of(path);
  if (inherited) {
    if (!found || !found->is_regular) return "descriptor " + std::to_string(*inherited);
  } else if (!found) {
    std::string place = resolved_path(followed(path));
    found = status_of(place);
    if (!found) return place;
  }
  if (!found->is_regular) return {};
  return std::to_string(found->device) + ":" + std::to_string(found->number);
}

bool may_wait_for_reader(const std::string& path) {
  const std::string identity = file_identity(path);
  return identity.empty() || identity.starts_with("descriptor ");
}

}  // namespace accord
