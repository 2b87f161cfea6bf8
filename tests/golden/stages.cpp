// SPDX-License-Identifier: Apache-2.0
#include "golden/stages.hpp"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>
#include <string_view>

#include "io/formats/formats.hpp"
#include "io/trees/newick.hpp"
#include "method/align_family.hpp"
#include "method/align_result.hpp"
#include "method/intermediates.hpp"
#include "method/sequence_weights.hpp"
#include "method/settings.hpp"
#include "stages/consistency/consistency_request.hpp"
#include "stages/neighbor_joining/tree_of_joins.hpp"
#include "support/hash.hpp"
#include "support/host_cells.hpp"
#include "support/paths.hpp"
#include "support/sequence_files.hpp"

namespace accord::testing {
namespace {

namespace fs = std::filesystem;

const fs::path kDirectory = fs::path(source_dir()) / "datasets" / "simulated";

using PairCells = std::vector<std::vector<PosteriorCell>>;

std::string hash_of(const PairCells& all) {
  Hash hash;
  for (const auto& cells : all) {
    hash.add(static_cast<std::uint32_t>(cells.size()));
    for (const PosteriorCell& cell : cells) {
      hash.add(cell.row);
      hash.add(cell.column);
      hash.add(cell.probability);
    }
  }
  return hash.hex();
}

std::string hash_of(const PosteriorSet& set) {
  Hash hash;
  for (std::size_t y = 1; y < set.sequences(); ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      for (const std::uint32_t begin : set.at(x, y).row_begin()) hash.add(begin);
      for (const std::uint32_t cell : set.at(x, y).packed()) hash.add(cell);
    }
  }
  return hash.hex();
}

std::string hash_of(const DistanceMatrix& distances) {
  Hash hash;
  for (std::size_t y = 1; y < distances.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) hash.add(distances.at(x, y));
  }
  return hash.hex();
}

std::string hash_of(std::string_view text) {
  Hash hash;
  hash.add(text);
  return hash.hex();
}

/// A tree as Newick with 9 digits a length, which tell numbers of single precision apart; no name
/// has a colon.
std::string tree_text(const GuideTree& tree, const SequenceSet& set) {
  const std::string text = format_newick(tree, set);
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    result += text[at];
    if (text[at++] != ':') continue;
    const std::size_t end = text.find_first_of(",);", at);
    char digits[32];
    const auto written =
        std::to_chars(digits, digits + sizeof digits, std::stof(text.substr(at, end - at)),
                      std::chars_format::general, 9);
    result.append(digits, written.ptr);
    at = end;
  }
  return result;
}

}  // namespace

std::vector<std::string> simulated_families() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kDirectory)) {
    const fs::path stem = entry.path().stem();
    if (entry.path().extension() == ".fa" && stem.extension().empty()) {
      names.push_back(stem.string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string simulated_path(const std::string& name, const std::string& suffix) {
  return (kDirectory / (name + suffix)).string();
}

SequenceSet read_simulated(const std::string& name) {
  std::vector<SequenceRecord> records = read_sequences(simulated_path(name));
  std::vector<std::string_view> letters;
  for (const SequenceRecord& record : records) letters.push_back(record.letters);
  const ResidueType type = guess_residue_type(letters).type;
  return SequenceSet(std::move(records), type);
}

AlignSettings settings_of(const SequenceSet& set) {
  AlignSettings settings;
  settings.parameters = default_parameters(set.type());
  return settings;
}

std::vector<AlignSettings> settings_of_modes(const SequenceSet& set) {
  std::vector<AlignSettings> modes(3, settings_of(set));
  modes[1].mode = AlignMode::local;
  modes[2].mode = AlignMode::motifs;
  return modes;
}

std::string aligned_fasta(const SequenceSet& set, const AlignSettings& settings, Backend& backend) {
  Scheduler scheduler(backend);
  return format_alignment(make_alignment_text(set, align_family(set, settings, scheduler).msa),
                          AlignmentFormat::fasta);
}

std::vector<StageHash> hash_stages(const SequenceSet& set, const Parameters& parameters,
                                   Backend& backend) {
  std::vector<StageHash> hashes;
  const auto add = [&](const std::string& stage, const auto& value) {
    hashes.emplace_back(stage, hash_of(value));
  };
  const PosteriorModel model = build_posterior_model(parameters, set.type());
  add("posteriors", host_cells(with_contexts(set), model.tables));

  AlignSettings settings;
  settings.parameters = parameters;
  Scheduler scheduler(backend);
  PosteriorSet direct;
  DistanceMatrix distances(set.size());
  int rounds = 0;
  RunListener listener;
  listener.on_value = [&](const std::string& stage, RunListener::Value value) {
    if (stage == "posteriors") {
      direct = *std::get<const PosteriorSet*>(value);
      add("kept", direct);
    } else if (stage == "distances") {
      distances = *std::get<const DistanceMatrix*>(value);
      add("distances", distances);
    } else if (stage == "tree") {
      GuideTree tree = *std::get<const GuideTree*>(value);
      tree.has_heights = false;  // written as they stand
      add("upgma", tree_text(tree, set));
      add("nj", tree_text(neighbor_joining(distances), set));
      // The families are so small that the program goes through all of their sequences.
      const ConsistencyParams& params = parameters.consistency;
      const ConsistencyWeights some(sequence_weights(tree, parameters.weights),
                                    params.self_weight_for(set.size()),
                                    select_intermediates(distances, 5));
      add("consistency_some",
          request_consistency(direct, direct.pairs(), some, params.cutoff, scheduler));
    } else if (stage == "consistency") {
      add("consistency_" + std::to_string(++rounds), *std::get<const PosteriorSet*>(value));
    } else {
      const Msa& msa = *std::get<const Msa*>(value);
      add(stage == "align" ? "progressive" : "refined",
          format_alignment(make_alignment_text(set, msa), AlignmentFormat::fasta));
    }
  };
  align_family(set, settings, scheduler, listener);
  return hashes;
}

}  // namespace accord::testing
