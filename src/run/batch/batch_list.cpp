// SPDX-License-Identifier: Apache-2.0
#include "run/batch/batch_list.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <queue>
#include <string_view>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include "io/families/family_shards.hpp"
#include "io/families/input_files.hpp"
#include "io/files/output_file.hpp"
#include "io/files/packing.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/formats.hpp"
#include "run/batch/batch_directory.hpp"
#include "run/estimate/estimate.hpp"

namespace accord {
namespace {

constexpr const char* kLineHint =
    "a line is IN, ID<tab>IN, ID<tab>IN<tab>OUT, these and CELLS, or these and TRACK";

/// The fields of a line, without blanks around them.
std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  for (const std::string_view field : split(line, '\t')) fields.emplace_back(trimmed(field));
  return fields;
}

/// Whether a line describes a family, so is neither blank nor a comment.
bool is_of_family(std::string_view line) { return !is_blank(line) && trimmed(line)[0] != '#'; }

const std::string& input_of(const std::vector<std::string>& fields) {
  return fields.size() == 1 ? fields[0] : fields[1];
}

/// The format of a text that has sequences; no value for a manifest.
std::optional<AlignmentFormat> format_of_sequences(const std::string& text) {
  const std::optional<AlignmentFormat> format = detect_format(text);
  // In these formats, the first line would be a comment in a manifest.
  for (const auto marked :
       {AlignmentFormat::stockholm, AlignmentFormat::a3m, AlignmentFormat::nexus}) {
    if (format == marked) return format;
  }
  std::string without_comments;
  bool is_first = true;
  for (LineReader reader(text); reader.next();) {
    if (!is_of_family(reader.line()) && !is_blank(reader.line())) continue;
    without_comments.append(reader.line()) += '\n';
    if (is_blank(reader.line()) || !std::exchange(is_first, false)) continue;
    if (path_exists(input_of(fields_of(reader.line())))) return std::nullopt;
  }
  return detect_format(without_comments);
}

/// The name of the file or the folder of a path.
std::string name_of(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return file_name(path);
}

/// Reads a number of at least 0.
bool is_number(const std::string& text, double& number) {
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec == std::errc() && read.ptr == end && number >= 0 && std::isfinite(number);
}

bool may_be_id(const std::string& id) {
  return !id.empty() && id.find('/') == id.npos && id[0] != '.';
}

std::vector<BatchFamily> families_of_manifest(const std::string& source, const std::string& text) {
  const std::string label = input_label(source);
  std::vector<BatchFamily> families;
  for (LineReader reader(text); reader.next();) {
    if (!is_of_family(reader.line())) continue;
    const std::vector<std::string> fields = fields_of(reader.line());
    const auto bad = [&](const std::string& what) {
      return line_error(label, reader.number(), what, kLineHint);
    };
    // The system takes the NUL for the end of a path.
    if (reader.line().find('\0') != std::string_view::npos) throw bad("a NUL byte");
    if (fields.size() > 5) throw bad("more than five fields");
    BatchFamily family;
    family.input = input_of(fields);
    if (family.input.empty()) throw bad("no input file");
    family.id = fields.size() > 1 ? fields[0] : id_of_file(name_of(family.input));
    if (fields.size() > 2) family.output = fields[2];
    family.listed_output = family.output;
    if (fields.size() > 4) family.track = fields[4];
    const bool has_cells = fields.size() == 4 || (fields.size() > 4 && !fields[3].empty());
    if (has_cells && !is_number(fields[3], family.cells)) {
      throw bad(quote(fields[3]) + " is no number of cells");
    }
    if (!may_be_id(family.id)) throw bad(quote(family.id) + " cannot be the name of a file");
    families.push_back(family);
  }
  if (families.empty())
    throw Error(ErrorKind::bad_input, label + ": the manifest has no family", kLineHint);
  return families;
}

/// The family of a file, or of a folder of structures, that the user names.
std::vector<BatchFamily> family_of_input(const std::string& input) {
  const InputFile first = files_of_inputs({input}).front();
  if (!path_exists(first.path)) {
    throw Error(ErrorKind::no_input, "cannot read " + input + ": there is no such file");
  }
  const std::string id = id_of_file(name_of(input));
  if (!may_be_id(id)) {
    throw Error(ErrorKind::bad_input, input + ": " + quote(id) + " cannot be the name of a family",
                kLineHint);
  }
  return {{id, input, {}}};
}

/// Whether the first line of a text that is no comment names a file or a folder.
bool names_a_file(const std::string& text) {
  for (LineReader reader(text); reader.next();) {
    if (is_of_family(reader.line())) return path_exists(input_of(fields_of(reader.line())));
  }
  return false;
}

/// The families of a source. A text that begins as no format is a manifest, or, among several
/// sources (`is_one_of_several`), if it names no file, a family that will fail.
std::vector<BatchFamily> families_of_source(const std::string& source, const std::string& directory,
                                            bool is_one_of_several) {
  if (source != "-" && is_directory(source)) {
    if (is_one_of_several && is_structure_folder(source)) return family_of_input(source);
    return families_of_directory(source, directory);
  }
  const bool is_known = content_of_suffix(source) != FileContent::unknown;
  if (is_one_of_several && (is_known || (source != "-" && !path_exists(source)))) {
    return family_of_input(source);
  }
  const std::string text = read_text(source);
  if (const std::optional<AlignmentFormat> format = format_of_sequences(text)) {
    if (source != "-") return family_of_input(source);
    throw Error(ErrorKind::bad_input,
                "stdin: sequences (" + std::string(format_name(*format)) + "), not a manifest",
                "'accord align' aligns them; a manifest has a line for each file");
  }
  if (is_one_of_several && source != "-" && !names_a_file(text)) return family_of_input(source);
  return families_of_manifest(source, text);
}

/// Throws if two families share an id or an output, or if an output is an input.
void check_names(const std::vector<BatchFamily>& families) {
  std::map<std::string, const BatchFamily*> ids, outputs, inputs;
  for (const BatchFamily& family : families) {
    const auto [other, is_new] = ids.emplace(family.id, &family);
    if (!is_new) {
      throw Error(ErrorKind::bad_input,
                  "two families are called " + family.id + ": " + other->second->input + " and " +
                      family.input,
                  "a manifest can give each its own name: ID<tab>IN");
    }
    const std::string output = file_identity(family.output);
    if (!output.empty() && !outputs.emplace(output, &family).second) {
      throw Error(ErrorKind::bad_input, "two families are written to " + family.output,
                  "give each its own OUT in the manifest");
    }
    inputs.emplace(file_identity(family.input), &family);
  }
  for (const auto& [path, family] : outputs) {
    const auto input = inputs.find(path);
    if (input == inputs.end()) continue;
    throw Error(
        ErrorKind::bad_input,
        "the alignment of " + family->id + " would overwrite the input " + input->second->input,
        "choose another output directory (-O)");
  }
}

/// Whether a name leads out of the directory that it is put into: an absolute path, or one that
/// goes up by "..".
bool leads_outside(const std::string& name) {
  constexpr std::string_view kInside = "d/";
  const std::string joined = joined_path("d", name);
  if (!joined.starts_with(kInside)) return true;
  std::ptrdiff_t depth = 0;
  for (const std::string_view part : split(std::string_view(joined).substr(kInside.size()), '/')) {
    if (part == "..") {
      if (--depth < 0) return true;
    } else if (!part.empty() && part != ".") {
      ++depth;
    }
  }
  return false;
}

}  // namespace

std::vector<BatchFamily> list_families(const std::vector<std::string>& sources,
                                       const std::string& directory, const std::string& suffix) {
  std::vector<BatchFamily> families;
  for (const std::string& source : sources) {
    std::ranges::move(families_of_source(source, directory, sources.size() > 1),
                      std::back_inserter(families));
  }
  for (BatchFamily& family : families) {
    if (family.output.empty()) family.output = family.id + suffix;
    family.output = joined_path(directory, family.output);
    for (const InputFile& file : files_of_inputs({family.input})) {
      family.bytes += file_size(file.path).value_or(0);
    }
  }
  check_names(families);
  std::sort(families.begin(), families.end(), [](const BatchFamily& a, const BatchFamily& b) {
    const double work_a = expected_work(a), work_b = expected_work(b);
    return work_a != work_b ? work_a > work_b : a.id < b.id;
  });
  return families;
}

void name_tracks(std::vector<BatchFamily>& families, const std::string& of_families) {
  if (of_families.empty()) return;
  constexpr std::string_view kPlace = "{}";
  std::map<std::string, std::string> files;  // of a folder, by id
  const bool is_folder = of_families.find(kPlace) == of_families.npos;
  if (is_folder) {
    for (BatchFamily& track : tracks_of_directory(of_families)) {
      const auto [other, is_new] = files.emplace(track.id, track.input);
      if (is_new) continue;
      throw Error(ErrorKind::bad_input,
                  "two files of tracks for the family " + track.id + ": " + other->second +
                      " and " + track.input,
                  "leave one of the two out");
    }
  }
  for (BatchFamily& family : families) {
    if (family.track) continue;
    const auto found = files.find(family.id);
    std::string path = found != files.end() ? found->second
                       : is_folder          ? joined_path(of_families, family.id + ".fa")
                                            : of_families;
    for (std::size_t at = is_folder ? path.npos : path.find(kPlace); at != path.npos;
         at = path.find(kPlace, at + family.id.size())) {
      path.replace(at, kPlace.size(), family.id);
    }
    family.track = std::move(path);
  }
}

std::vector<BatchFamily> shard_of(const std::vector<BatchFamily>& families, const Shard& shard) {
  using Load = std::pair<double, std::size_t>;  // work so far, number of the shard
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  // Shards beyond the number of families stay empty.
  const std::size_t used = std::min(shard.count, families.size());
  for (std::size_t number = 1; number <= used; ++number) loads.push({0, number});
  std::vector<BatchFamily> part;
  for (const BatchFamily& family : families) {
    const auto [work, number] = loads.top();
    loads.pop();
    loads.push({work + expected_work(family), number});
    if (number == shard.number) part.push_back(family);
  }
  return part;
}

std::string format_plan(const std::vector<BatchFamily>& families, const FamilySource& source,
                        const MethodOptions& method) {
  std::string text;
  for (const BatchFamily& family : families) {
    FamilySource of_family = source;
    of_family.files.clear();
    for (InputFile& file : files_of_inputs({family.input})) {
      of_family.files.push_back(std::move(file.path));
    }
    std::vector<std::uint32_t> lengths;
    const auto take = [&](SequenceRecord&& record) {
      lengths.push_back(static_cast<std::uint32_t>(record.letters.size()));
    };
    text += family.id + '\t' + family.input + '\t' + family.listed_output;
    std::string cells;
    try {
      for_each_sequence(of_family, take);
      cells = formatted("\t%.4g", predicted_cells(lengths, method));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::bad_input && error.kind() != ErrorKind::no_input) throw;
      log_warning("no cells of family " + family.id + ": " + error.what(), error.hint());
    }
    text += cells;
    const TrackSource& track = source.track;
    const std::string of_batch = track.tag.empty() ? "" : track.lines_option();
    if (family.track || !of_batch.empty()) {
      text += (cells.empty() ? "\t\t" : "\t") + family.track.value_or(of_batch);
    }
    text += '\n';
  }
  return text;
}

double expected_work(const BatchFamily& family) {
  if (family.cells > 0) return 2 * family.cells;
  return file_work(file_letters(family.input, family.bytes));
}

double expected_work(const std::vector<BatchFamily>& families) {
  double work = 0;
  for (const BatchFamily& family : families) work += expected_work(family);
  return work;
}

int cpus_for(double work, double open_work, int cpus) {
  if (!(open_work > 0)) return 1;
  const double part = std::clamp(work / open_work, 0.0, 1.0);
  return std::clamp(static_cast<int>(std::lround(2 * part * cpus)), 1, std::max(1, cpus));
}

void check_outputs_inside(const std::vector<BatchFamily>& families) {
  for (const BatchFamily& family : families) {
    const bool is_listed = !family.listed_output.empty();
    const std::string& name = is_listed ? family.listed_output : family.id;
    if (!leads_outside(name)) continue;
    throw Error(ErrorKind::bad_input,
                "the alignment of the family " + family.id + " would be written to " + name +
                    ", outside the directory -O",
                "{allow-outside} writes it there, if you trust the manifest");
  }
}

}  // namespace accord
