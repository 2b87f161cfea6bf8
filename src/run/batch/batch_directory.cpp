// SPDX-License-Identifier: Apache-2.0
#include "run/batch/batch_directory.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include "io/families/input_files.hpp"
#include "io/files/packing.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/formats.hpp"
#include "run/batch/batch_record.hpp"

namespace accord {
namespace {

constexpr const char* kHint =
    "files of sequences end with .fa, .fasta, .faa, ... ('accord help formats') and perhaps .gz, "
    ".bz2, .xz or .zst; name other files one by one, or in a manifest";

/// The entries of a directory that are not hidden.
std::vector<DirectoryEntry> entries_of(const std::string& directory) {
  std::error_code error;
  std::vector<DirectoryEntry> entries = directory_entries(directory, error);
  if (error) {
    throw Error(ErrorKind::no_input,
                "cannot read the directory " + directory + ": " + error.message(),
                "see the permissions of the directory");
  }
  std::ranges::sort(entries, {}, &DirectoryEntry::name);
  return entries;
}

/// Whether a file begins as FASTA; false if it cannot be read.
bool begins_as_fasta(const std::string& path) {
  constexpr std::size_t kHead = 4096;
  struct Enough {};
  std::string head;
  try {
    if (packing_of_suffix(path) != Packing::none) {
      head = read_text(path);
    } else {
      read_in_parts(path, [&](std::string_view part) {
        head += part;
        if (head.size() >= kHead) throw Enough{};
      });
    }
  } catch (const Enough&) {
  } catch (const Error&) {
    return false;
  }
  for (LineReader reader(head); reader.next();) {
    if (!is_blank(reader.line())) return reader.line().starts_with('>');
  }
  return false;
}

/// Whether a file may have any content, by its name: the name has no suffix, or .txt.
bool may_be_anything(const std::string& name) {
  const std::string suffix = lower_case(unknown_suffix(name));
  return suffix == ".txt" || (suffix.empty() && content_of_suffix(name) == FileContent::unknown &&
                              !format_of_suffix(name));
}

bool holds_structures(const std::string& directory) {
  try {
    return is_structure_folder(directory);
  } catch (const Error&) {
    return false;
  }
}

/// The entries of a directory by what they are.
struct Sorted {
  std::vector<BatchFamily> families, alignments;
  std::vector<std::string> structures, folders, others;  ///< names
  bool has_record = false;                               ///< that of a batch
};

Sorted sorted_entries(const std::string& directory, const std::string& out) {
  Sorted sorted;
  const std::string out_path = resolved_path(out);
  for (DirectoryEntry& entry : entries_of(directory)) {
    sorted.has_record |= BatchRecord::is_record(entry.name);
    if (entry.name.starts_with('.')) continue;
    if (entry.is_directory) {
      if (resolved_path(entry.path) == out_path) continue;
      if (holds_structures(entry.path)) {
        sorted.families.push_back({entry.name, entry.path, {}});
      } else {
        sorted.folders.push_back(std::move(entry.name));
      }
      continue;
    }
    // A FIFO or a device is not opened.
    const FileContent content =
        entry.is_special ? FileContent::unknown : content_of_suffix(entry.name);
    BatchFamily family{id_of_file(entry.name), entry.path, {}};
    if (content == FileContent::sequences ||
        (!entry.is_special && may_be_anything(entry.name) && begins_as_fasta(entry.path))) {
      // A file that cannot be read, such as a broken link, is reported when it is read.
      sorted.families.push_back(std::move(family));
    } else if (content == FileContent::alignment) {
      sorted.alignments.push_back(std::move(family));
    } else if (content == FileContent::structure) {
      sorted.structures.push_back(std::move(entry.name));
    } else {
      sorted.others.push_back(std::move(entry.name));
    }
  }
  return sorted;
}

/// "2 alignments (a.aln, b.sto), 1 folder (old)"; empty if nothing is left out.
std::string left_out_of(const Sorted& sorted) {
  constexpr std::size_t kShown = 3;
  std::string text;
  const auto add = [&](const std::vector<std::string>& names, const char* one) {
    if (names.empty()) return;
    text += (text.empty() ? "" : ", ") + counted(names.size(), one) + " (";
    for (std::size_t k = 0; k < std::min(kShown, names.size()); ++k) {
      text += (k > 0 ? ", " : "") + names[k];
    }
    text += names.size() > kShown ? ", ...)" : ")";
  };
  std::vector<std::string> alignments;
  for (const BatchFamily& family : sorted.alignments) alignments.push_back(file_name(family.input));
  add(alignments, "alignment");
  add(sorted.structures, "structure");
  add(sorted.folders, "folder");
  add(sorted.others, "other file");
  return text;
}

Error no_family(const std::string& directory, const std::string& left_out,
                const std::string& hint) {
  return Error(
      ErrorKind::bad_input,
      directory + ": no family in this directory" + (left_out.empty() ? "" : ", but " + left_out),
      hint);
}

}  // namespace

std::string id_of_file(const std::string& name) {
  std::string_view stem = without_known_suffix(name);
  if (const std::string suffix = unknown_suffix(stem); lower_case(suffix) == ".txt") {
    stem = without_known_suffix(stem.substr(0, stem.size() - suffix.size()));
  }
  return std::string(stem);
}

std::vector<BatchFamily> families_of_directory(const std::string& directory,
                                               const std::string& out) {
  Sorted sorted = sorted_entries(directory, out);
  if (sorted.families.empty() && !sorted.alignments.empty()) {
    if (sorted.has_record || resolved_path(directory) == resolved_path(out)) {
      throw no_family(directory, left_out_of(sorted) + ", which may be results",
                      "name them one by one to align them anew, and another {out-dir}");
    }
    sorted.families = std::exchange(sorted.alignments, {});
  }
  const std::string left_out = left_out_of(sorted);
  if (sorted.families.empty()) {
    throw no_family(directory, left_out,
                    sorted.structures.empty()
                        ? kHint
                        : "'accord align' aligns a folder of structures as one family");
  }
  if (!left_out.empty()) log_warning(directory + ": left out " + left_out, kHint);
  return std::move(sorted.families);
}

std::vector<BatchFamily> tracks_of_directory(const std::string& directory) {
  std::vector<BatchFamily> tracks;
  for (const DirectoryEntry& entry : entries_of(directory)) {
    if (entry.name.starts_with('.') || entry.is_directory || entry.is_special) continue;
    if (content_of_suffix(entry.name) != FileContent::sequences ||
        format_of_suffix(entry.name) != AlignmentFormat::fasta) {
      continue;
    }
    tracks.push_back({id_of_file(entry.name), entry.path, {}});
  }
  if (tracks.empty()) {
    throw Error(ErrorKind::bad_input, directory + ": no FASTA file in this directory", kHint);
  }
  return tracks;
}

}  // namespace accord
