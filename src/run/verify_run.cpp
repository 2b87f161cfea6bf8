// SPDX-License-Identifier: Apache-2.0
#include "run/verify_run.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/alignment_text.hpp"
#include "method/align_result.hpp"
#include "method/build_tree.hpp"
#include "run/align_run.hpp"
#include "run/report/report.hpp"

namespace accord::run {
namespace {

/// A check that has failed.
VerifyCheck differs(std::string name, std::string difference) {
  return {std::move(name), false, std::move(difference)};
}

/// A check of two checksums or versions.
VerifyCheck compared(const std::string& name, const std::string& recorded, const std::string& here,
                     const std::string& what) {
  if (recorded == here) return {name, true, here};
  return differs(name, what + " is " + here + ", and " + recorded + " in the report");
}

/// The sequences of the input by all the names that a row may have in some format.
std::map<std::string, std::set<std::size_t>> sequences_by_name(const SequenceSet& set) {
  std::map<std::string, std::set<std::size_t>> by_name;
  const std::vector<std::string> unique = unique_names(set), whole = whole_names(set);
  for (std::size_t k = 0; k < set.size(); ++k) {
    for (const std::string& name :
         {unique[k], whole[k], std::string(set.name(set.from_input(k)))}) {
      by_name[name].insert(k);
    }
  }
  return by_name;
}

/// The first difference between a row and its sequence; empty if there is none but case.
std::string row_difference(const std::string& name, const std::string& row,
                           const std::string& letters, const std::string& input) {
  const std::string found = lower_case(row), wanted = lower_case(letters);
  std::size_t residue = 0;
  for (std::size_t c = 0; c < row.size(); ++c) {
    if (row[c] == '-') continue;
    if (residue >= wanted.size() || found[c] != wanted[residue]) {
      const std::string place = "row " + quote(name) + ": residue " + std::to_string(residue + 1) +
                                ", in column " + std::to_string(c + 1) + ", is " + row[c];
      return residue < letters.size() ? place + ", and " + letters[residue] + " in " + input
                                      : place + ", and the sequence in " + input + " has no more";
    }
    ++residue;
  }
  if (residue == wanted.size()) return {};
  return "row " + quote(name) + " has " + counted(residue, "residue") + " of " +
         std::to_string(wanted.size()) + " in " + input;
}

/// The row of each sequence.
struct RowsOfInput {
  std::vector<std::size_t> row_of;  ///< [canonical index of the sequence]
  std::string difference;           ///< the first one; empty: each row is a sequence
};

RowsOfInput match_rows(const SequenceSet& set, const AlignedFamily& aligned,
                       const std::string& input) {
  RowsOfInput match{std::vector<std::size_t>(set.size()), {}};
  std::map<std::string, std::set<std::size_t>> free = sequences_by_name(set);
  std::vector<bool> is_taken(set.size());
  for (std::size_t r = 0; r < aligned.rows.size(); ++r) {
    const std::string name(aligned.set.name(aligned.set.from_input(r)));
    std::optional<std::size_t> taken;
    for (const std::size_t k : free[name]) {
      if (is_taken[k]) continue;
      const std::string difference =
          row_difference(name, aligned.rows[r], set.letters(set.from_input(k)), input);
      if (difference.empty()) {
        taken = k;
        break;
      }
      if (match.difference.empty()) match.difference = difference;
    }
    if (!taken) {
      if (match.difference.empty()) {
        match.difference = "row " + quote(name) + " is no sequence of " + input;
      }
      return match;
    }
    match.difference.clear();  // of another sequence with the name
    is_taken[*taken] = true;
    match.row_of[set.from_input(*taken)] = r;
  }
  const auto missing = std::ranges::find(is_taken, false);
  if (missing != is_taken.end()) {
    const auto k = static_cast<std::size_t>(missing - is_taken.begin());
    match.difference = "sequence " + quote(set.name(set.from_input(k))) + " of " + input +
                       " has no row in " + aligned.label;
  }
  return match;
}

/// The alignment as accord makes it: of the sequences of the input.
Msa msa_of_rows(const SequenceSet& set, const AlignedFamily& aligned,
                const std::vector<std::size_t>& row_of) {
  Msa msa{static_cast<std::uint32_t>(aligned.columns()), {}};
  msa.column_of.resize(set.size());
  for (std::size_t x = 0; x < set.size(); ++x) {
    const std::string& row = aligned.rows[row_of[x]];
    for (std::uint32_t c = 0; c < msa.columns; ++c) {
      if (row[c] != '-') msa.column_of[x].push_back(c);
    }
  }
  return msa;
}

VerifyCheck check_input(const FamilyInput& input, const RecordedRun& recorded) {
  if (recorded.files.size() != input.files.size()) {
    return differs("input", "the report has " + counted(recorded.files.size(), "input file") +
                                ", not " + std::to_string(input.files.size()));
  }
  for (std::size_t k = 0; k < input.files.size(); ++k) {
    const FileDigest& file = input.files[k];
    VerifyCheck check = compared("input", recorded.files[k].sha256, file.sha256,
                                 "SHA-256 of " + input_label(file.path));
    if (!check.is_equal || k + 1 == input.files.size()) return check;
  }
  return {"input", true, "no file"};
}

/// The place of the first difference from the alignment that accord makes; empty if there is none.
std::string place_of_difference(const SequenceSet& set, const Msa& stated, const Msa& made) {
  for (std::size_t k = 0; k < set.size(); ++k) {
    const std::size_t x = set.from_input(k);
    for (std::size_t i = 0; i < stated.column_of[x].size(); ++i) {
      const std::uint32_t there = stated.column_of[x][i], here = made.column_of[x][i];
      if (there == here) continue;
      return "row " + quote(set.name(x)) + ": residue " + std::to_string(i + 1) + " (" +
             set.letters(x)[i] + ") is in column " + std::to_string(there + 1) + ", not " +
             std::to_string(here + 1);
    }
  }
  if (stated.columns == made.columns) return {};
  return "the alignment has " + counted(stated.columns, "column") + ", and accord makes " +
         std::to_string(made.columns);
}

VerifyCheck check_again(const PreparedFamily& family, const Msa& msa, const RunContext& context) {
  const AlignResult made = align(family, context);
  const std::string place = place_of_difference(family.set(), msa, made.msa);
  return {"again", place.empty(), place.empty() ? "the same rows" : place};
}

VerifyCheck check_parameters(const PreparedFamily& family, const RecordedRun& recorded) {
  const std::string tree_sha256 =
      family.settings.tree == TreeMethod::file
          ? tree_checksum(family, tree_of_file(family.set(), family.settings))
          : "";
  const std::string difference =
      parameter_difference(recorded.parameters, reported_parameters(family, tree_sha256));
  if (!difference.empty()) return differs("parameters", difference);
  return {"parameters", true, recorded.parameters_sha256};
}

/// The comparisons with the report; true if this program has the version of the report.
bool compare_with_report(const StatedAlignment& stated, const Msa& msa,
                         std::vector<VerifyCheck>& checks) {
  const RecordedRun& recorded = *stated.recorded;
  checks.push_back({"report", true, recorded.label});
  if (!recorded.files.empty()) checks.push_back(check_input(stated.family.input, recorded));
  checks.push_back(compared("version", recorded.version, ACCORD_VERSION, "accord"));
  const bool is_version = checks.back().is_equal;
  if (is_version) checks.push_back(check_parameters(stated.family, recorded));
  checks.push_back(compared("alignment", recorded.result_sha256,
                            result_rows(make_alignment_text(stated.family.set(), msa)).sha256,
                            "SHA-256 of the alignment"));
  return is_version;
}

/// The first difference. Where the checksum of the alignment alone has one, the alignment that was
/// made again shows the place.
std::string first_difference(const std::vector<VerifyCheck>& checks) {
  const auto failed = std::ranges::find(checks, false, &VerifyCheck::is_equal);
  if (failed == checks.end()) return {};
  const VerifyCheck& last = checks.back();
  return failed->name == "alignment" && !last.is_equal ? last.detail : failed->detail;
}

}  // namespace

StatedAlignment read_stated_alignment(const std::vector<std::string>& inputs,
                                      const std::string& alignment, const std::string& report,
                                      const MethodOptions& method, const TrackSource& track) {
  StatedAlignment stated;
  MethodOptions chosen = method;
  FamilySource source;
  source.shows_names = false;
  if (!report.empty()) {
    stated.recorded = parse_report(read_text(report), input_label(report));
    source = stated.recorded->source;
    if (stated.recorded->version == ACCORD_VERSION) {
      chosen = method_of(*stated.recorded, method);
    }
    if (stated.recorded->has_tracks && !track.file && track.tag.empty()) {
      throw Error(ErrorKind::usage,
                  stated.recorded->label + ": the run had tracks, which a report does not contain",
                  "name them with {track} FILE and {track-matrix}");
    }
  }
  const std::optional<double> recorded_weight = source.track.weight;
  source.track = track;
  if (!track.weight) source.track.weight = recorded_weight;
  source.takes_track = true;
  source.files = inputs;
  stated.family = prepare_family(read_family(source, true), chosen, false);
  FamilySource rows;
  rows.shows_names = false;
  rows.type = stated.family.set().type();
  stated.aligned = read_aligned(alignment, rows);
  return stated;
}

Verification verify(const StatedAlignment& stated, const RunContext* again) {
  const SequenceSet& set = stated.family.set();
  const RowsOfInput match = match_rows(set, stated.aligned, stated.family.input.label);
  Verification found;
  if (!match.difference.empty()) {
    found.checks.push_back(differs("rows", match.difference));
    found.difference = match.difference;
    return found;
  }
  const Msa msa = msa_of_rows(set, stated.aligned, match.row_of);
  found.checks.push_back(
      {"rows", true, counted(set.size(), "sequence") + ", " + counted(msa.columns, "column")});
  bool is_version = true;
  if (stated.recorded) {
    is_version = compare_with_report(stated, msa, found.checks);
  } else if (again == nullptr) {
    found.checks.push_back(
        differs("report", "there is no report of the run that made " + stated.aligned.label));
  }
  if (again != nullptr && is_version) {
    found.checks.push_back(check_again(stated.family, msa, *again));
  }
  found.difference = first_difference(found.checks);
  return found;
}

}  // namespace accord::run
