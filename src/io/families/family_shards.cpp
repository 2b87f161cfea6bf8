// SPDX-License-Identifier: Apache-2.0
#include "io/families/family_shards.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/families/shard_text.hpp"
#include "io/files/json_text.hpp"

namespace accord {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Reads a number that may be unknown: JSON null is NaN.
template <class Number>
Number number_of(const Json& json) {
  return json.is_null() ? std::numeric_limits<Number>::quiet_NaN() : json.get<Number>();
}

template <class Number>
std::vector<Number> numbers_of(const Json& json) {
  std::vector<Number> numbers;
  for (const Json& value : json) numbers.push_back(number_of<Number>(value));
  return numbers;
}

Json json_of(const Confidence& confidence) {
  return {{"residue", confidence.residue},
          {"column", confidence.column},
          {"column_residues", confidence.column_residues},
          {"mean", confidence.mean},
          {"pairs", confidence.pairs}};
}

Confidence confidence_of(const Json& json) {
  Confidence confidence;
  for (const Json& row : json.at("residue")) confidence.residue.push_back(numbers_of<float>(row));
  confidence.column = numbers_of<float>(json.at("column"));
  json.at("column_residues").get_to(confidence.column_residues);
  confidence.mean = number_of<double>(json.at("mean"));
  json.at("pairs").get_to(confidence.pairs);
  return confidence;
}

Json json_of(const GuideTree& tree) {
  return {{"left", tree.left},
          {"right", tree.right},
          {"length", tree.length},
          {"has_heights", tree.has_heights}};
}

GuideTree tree_of(const Json& json, std::size_t leaves) {
  GuideTree tree;
  tree.leaves = static_cast<std::uint32_t>(leaves);
  json.at("left").get_to(tree.left);
  json.at("right").get_to(tree.right);
  json.at("length").get_to(tree.length);
  json.at("has_heights").get_to(tree.has_heights);
  return tree;
}

/// The options with which the family is read.
Json json_of(const FamilySource& source) {
  const ReadOptions& reading = source.reading;
  return {{"type", source.type ? Json(to_string(*source.type)) : Json(nullptr)},
          {"format", reading.format ? Json(format_name(*reading.format)) : Json(nullptr)},
          {"lenient", reading.lenient},
          {"refuse_gaps", reading.refuse_gaps}};
}

ResidueType type_of(const Json& json) {
  for (const ResidueType type : {ResidueType::protein, ResidueType::dna, ResidueType::rna}) {
    if (json == to_string(type)) return type;
  }
  throw Error(ErrorKind::bad_input, "an unknown type of residues");
}

FamilySource source_of(const Json& json) {
  FamilySource source;
  if (!json.at("type").is_null()) source.type = type_of(json.at("type"));
  source.reading.is_type_given = source.type.has_value();
  const Json& format = json.at("format");
  if (!format.is_null()) source.reading.format = format_named(format.get<std::string>());
  json.at("lenient").get_to(source.reading.lenient);
  json.at("refuse_gaps").get_to(source.reading.refuse_gaps);
  return source;
}

Json header_of(const CoreFile& core) {
  return {{"kind", "core"},
          {"accord", ACCORD_VERSION},
          {"family", core.family},
          {"sequences", core.sequences},
          {"family_sha256", core.family_sha256},
          {"type", to_string(core.type)},
          {"reading", json_of(core.source)},
          {"settings_sha256", core.settings_sha256},
          {"method", core.method},
          {"members", core.members.size()},
          {"columns", core.msa.columns},
          {"nearest", core.nearest},
          {"places", core.places},
          {"copies", core.copies},
          {"tree", json_of(core.tree)},
          {"confidence", core.confidence ? json_of(*core.confidence) : Json(nullptr)},
          {"posterior_cells", core.posterior_cells},
          {"posterior_bytes", core.posterior_bytes}};
}

CoreFile core_of(const Json& header) {
  CoreFile core;
  header.at("family").get_to(core.family);
  header.at("sequences").get_to(core.sequences);
  header.at("family_sha256").get_to(core.family_sha256);
  core.type = type_of(header.at("type"));
  core.source = source_of(header.at("reading"));
  header.at("settings_sha256").get_to(core.settings_sha256);
  header.at("method").get_to(core.method);
  header.at("columns").get_to(core.msa.columns);
  header.at("nearest").get_to(core.nearest);
  header.at("places").get_to(core.places);
  header.at("copies").get_to(core.copies);
  core.tree = tree_of(header.at("tree"), header.at("members").get<std::size_t>());
  if (!header.at("confidence").is_null()) core.confidence = confidence_of(header.at("confidence"));
  header.at("posterior_cells").get_to(core.posterior_cells);
  header.at("posterior_bytes").get_to(core.posterior_bytes);
  return core;
}

/// Whether each node of a tree comes before its parent, and is a child exactly once.
bool is_tree(const GuideTree& tree) {
  const std::size_t joins = tree.leaves - std::size_t{1};
  if (tree.left.size() != joins || tree.right.size() != joins ||
      tree.length.size() != tree.leaves + joins) {
    return false;
  }
  std::vector<bool> is_child(tree.leaves + joins, false);
  for (std::size_t k = 0; k < joins; ++k) {
    for (const std::uint32_t child : {tree.left[k], tree.right[k]}) {
      if (child >= tree.leaves + k || is_child[child]) return false;
      is_child[child] = true;
    }
  }
  return true;
}

/// Whether a confidence has a value for each residue and column of the members.
bool fits(const Confidence& confidence, const CoreFile& core) {
  const bool has_rows = std::ranges::equal(confidence.residue, core.members,
                                           [](const std::vector<float>& row, const auto& member) {
                                             return row.size() == member.letters.size();
                                           });
  return has_rows && confidence.column.size() == core.msa.columns &&
         confidence.column_residues.size() == core.msa.columns;
}

/// Whether the values of the first line fit the family and its members.
bool fits(const CoreFile& core) {
  const auto is_place = [&](std::size_t place) { return place < core.sequences; };
  return std::ranges::all_of(core.places, is_place) && std::ranges::all_of(core.copies, is_place) &&
         is_tree(core.tree) && (!core.confidence || fits(*core.confidence, core));
}

/// Parses the first line by `read`.
template <class Read>
auto read_header(const ShardText& text, const Read& read) -> std::decay_t<decltype(read(Json()))> {
  try {
    return read(parse_json(text.header(), text.file().path, kAgain));
  } catch (const Json::exception& error) {
    throw text.error("the first line is damaged: " + json_problem(error), kAgain);
  }
}

}  // namespace

Output core_output(const CoreFile& core, const std::string& path) {
  return {path, [&core](TextSink& out) {
            ShardTextWriter writer(out, text_of(header_of(core)));
            for (std::size_t m = 0; m < core.members.size(); ++m) {
              writer.add(core.members[m], format_columns(core.msa.column_of[m], core.msa.columns));
            }
            writer.finish();
          }};
}

CoreFile read_core(const std::string& path) {
  ShardText text(path, "core");
  CoreFile core = read_header(text, core_of);
  core.checksum = text.checksum();
  core.file = text.file();
  SequenceRecord record;
  for (std::string_view note; text.next(record, note);) {
    core.msa.column_of.push_back(
        parse_columns(note, record.letters.size(), core.msa.columns, text));
    core.members.push_back(std::move(record));
  }
  const std::size_t members = core.members.size();
  if (members == 0 || members != core.places.size() || members != core.tree.leaves ||
      core.nearest == 0) {
    throw text.error("the members of the core are not all there", kAgain);
  }
  if (!fits(core)) throw text.error("the first line does not fit the members", kAgain);
  return core;
}

std::size_t part_size(std::size_t sequences, std::size_t number, std::size_t count) {
  return (sequences + count - number) / count;
}

Output part_output(const PartFile& part, std::uint32_t columns) {
  return {part.path, [&part, columns](TextSink& out) {
            const Json header = {{"kind", "part"},
                                 {"accord", ACCORD_VERSION},
                                 {"core", part.core},
                                 {"number", part.number},
                                 {"count", part.count}};
            ShardTextWriter writer(out, text_of(header));
            for (std::size_t k = 0; k < part.records.size(); ++k) {
              writer.add(part.records[k],
                         part.placed[k] ? format_placement(*part.placed[k], columns) : "");
            }
            writer.finish();
          }};
}

PartFile read_part(const std::string& path, const CoreFile& core, const std::string& core_path) {
  constexpr std::size_t kShown = 12;  // digits of a checksum in messages
  ShardText text(path, "part");
  PartFile part = read_header(text, [](const Json& header) {
    PartFile read;
    header.at("core").get_to(read.core);
    header.at("number").get_to(read.number);
    header.at("count").get_to(read.count);
    return read;
  });
  part.path = path;
  part.file = text.file();
  if (part.core != core.checksum) {
    throw text.error("placed in the core " + part.core.substr(0, kShown) + ", but " + core_path +
                         " is the core " + core.checksum.substr(0, kShown),
                     "join the parts of one core");
  }
  SequenceRecord record;
  for (std::string_view note; text.next(record, note);) {
    std::optional<PlacedSequence>& placed = part.placed.emplace_back();
    if (!note.empty()) {
      placed =
          parse_placement(note, record.letters.size(), core.msa.columns, core.members.size(), text);
      if (core.confidence && placed->residues.size() != record.letters.size()) {
        throw text.error("placements without confidence, which the core has", kAgain);
      }
      if (!core.confidence) placed->residues = {};
    }
    part.records.push_back(std::move(record));
  }
  if (part.number < 1 || part.number > part.count ||
      part.records.size() != part_size(core.sequences, part.number, part.count)) {
    throw text.error("its " + counted(part.records.size(), "sequence is", "sequences are") +
                         " not the part " + std::to_string(part.number) + "/" +
                         std::to_string(part.count) + " of " + std::to_string(core.sequences),
                     kAgain);
  }
  return part;
}

void check_parts(const std::vector<PartFile>& parts) {
  const PartFile& first = parts.front();
  std::vector<const PartFile*> by_number(first.count, nullptr);
  const auto shard_of = [](const PartFile& part) {
    return std::to_string(part.number) + "/" + std::to_string(part.count);
  };
  for (const PartFile& part : parts) {
    if (part.count != first.count) {
      throw Error(ErrorKind::bad_input,
                  part.path + " is the shard " + shard_of(part) + ", but " + first.path +
                      " the shard " + shard_of(first),
                  "join the parts of one division");
    }
    const PartFile*& other = by_number[part.number - 1];
    if (other != nullptr) {
      throw Error(ErrorKind::bad_input,
                  other->path + " and " + part.path + " are both the shard " + shard_of(part),
                  "name each part once");
    }
    other = &part;
  }
  constexpr std::size_t kShown = 5;
  std::size_t missing = 0;
  std::string names;
  for (std::size_t k = 0; k < by_number.size(); ++k) {
    if (by_number[k] != nullptr || ++missing > kShown) continue;
    names += (missing > 1 ? ", " : "") + std::to_string(k + 1) + "/" + std::to_string(first.count);
  }
  if (missing == 0) return;
  throw Error(ErrorKind::bad_input,
              std::to_string(missing) + " of " + std::to_string(first.count) + " shards" +
                  (missing == 1 ? " is" : " are") + " missing: " + names +
                  (missing > kShown ? ", ..." : ""),
              "'accord add CORE FAMILY -o PART' makes one with {shard=I/N}");
}

}  // namespace accord
