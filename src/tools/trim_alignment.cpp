// SPDX-License-Identifier: Apache-2.0
#include "tools/trim_alignment.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <string_view>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "tools/range_names.hpp"

namespace accord {
namespace {

/// Parses the number of a column, at least 1; an empty text gives `missing`.
std::optional<std::size_t> column_number(std::string_view text, std::size_t missing) {
  if (text.empty()) return missing;
  std::size_t number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec != std::errc() || parsed.ptr != end || number == 0) return std::nullopt;
  return number;
}

std::string name_of(const AlignedFamily& aligned, std::size_t row) {
  return std::string(aligned.set.name(aligned.set.from_input(row)));
}

/// The row with a name; 'first' is the first row.
const std::string& row_named(const std::string& name, const AlignedFamily& aligned) {
  for (std::size_t r = 0; r < aligned.rows.size(); ++r) {
    if (name_of(aligned, r) == name) return aligned.rows[r];
  }
  if (name == "first") return aligned.rows.front();
  throw Error(ErrorKind::usage, aligned.label + " has no row of the name " + quote(name),
              "{by-row} takes the first word of a row, or 'first'");
}

/// For each column, whether the user selected it by a range or a row.
std::vector<bool> selected_columns(const TrimRequest& request, const AlignedFamily& aligned) {
  for (const ColumnRange& range : request.ranges) {
    const bool is_open = range.end == static_cast<std::size_t>(-1);
    const std::size_t last = is_open ? range.first + 1 : range.end;
    if (last <= aligned.columns()) continue;
    throw Error(ErrorKind::usage, aligned.label + " has no column " + std::to_string(last),
                "it has " + counted(aligned.columns(), "column"));
  }
  std::vector<bool> selected = columns_in(request.ranges, aligned.columns());
  if (request.row.empty()) return selected;
  const std::string& row = row_named(request.row, aligned);
  for (std::size_t c = 0; c < selected.size(); ++c) {
    selected[c] = selected[c] && row[c] != '-';
  }
  return selected;
}

/// Removes and returns the rows with too many gaps in the selected columns.
std::vector<RowLeftOut> leave_rows_out(const TrimRequest& request, AlignedFamily& aligned,
                                       const std::vector<bool>& selected) {
  std::vector<RowLeftOut> left_out;
  if (!request.most_row_gaps) return left_out;
  const std::vector<double> shares = row_gap_shares(aligned.rows, selected);
  std::vector<bool> kept;
  for (std::size_t r = 0; r < shares.size(); ++r) {
    kept.push_back(shares[r] <= *request.most_row_gaps);
    if (kept[r]) continue;
    left_out.push_back(
        {name_of(aligned, r), aligned.set.length(aligned.set.from_input(r)), shares[r]});
  }
  if (left_out.size() == shares.size()) {
    throw Error(ErrorKind::bad_input,
                aligned.label + ": every row has more gaps than allowed, so no row is left",
                "use a larger number with {max-row-gaps}");
  }
  if (!left_out.empty()) keep_rows(aligned, kept);
  return left_out;
}

void check_codons(const AlignedFamily& aligned) {
  if (aligned.set.type() == ResidueType::protein) {
    throw Error(ErrorKind::bad_input, aligned.label + ": proteins have no codons",
                "leave out {codons}");
  }
  if (aligned.columns() % 3 == 0) return;
  throw Error(ErrorKind::bad_input,
              aligned.label + ": " + counted(aligned.columns(), "column is", "columns are") +
                  " not whole codons",
              "align with 'accord codon'");
}

}  // namespace

std::vector<ColumnRange> parse_columns(const std::string& text) {
  std::vector<ColumnRange> ranges;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    const std::size_t dash = part.find('-');
    const auto first = column_number(part.substr(0, dash), dash == part.npos ? 0 : 1);
    const auto last = dash == part.npos ? first
                                        : column_number(part.substr(dash + 1),
                                                        std::numeric_limits<std::size_t>::max());
    if (!first || !last || *first == 0 || *last < *first || part == "-") {
      throw Error(ErrorKind::usage,
                  "columns " + text + ": " + std::string(part) + " is not a range of columns",
                  "use ranges such as 5-90, 7 or 120-, with commas between them");
    }
    ranges.push_back({*first - 1, *last});
  }
  return ranges;
}

TrimRules TrimRequest::rules() const {
  constexpr double kMostGaps = 0.9;  // chosen on simulated families: docs/lab/2026-11/accuracy.md
  const bool selects =
      !ranges.empty() || !row.empty() || most_row_gaps || least_confidence || least_consistency;
  return {{.most_gaps = most_gaps.value_or(selects ? 1 : kMostGaps),
           .least_confidence = least_confidence,
           .least_consistency = least_consistency},
          ends_only,
          whole_codons};
}

AlignedRows named_rows(const AlignedFamily& aligned) {
  return {whole_names(aligned.set), aligned.rows, {}, aligned.label};
}

TrimmedAlignment trim_alignment(AlignedFamily aligned, const TrimRequest& request,
                                const std::vector<AlignedRows>& others,
                                const JudgeAlignment& judge) {
  if (request.least_consistency && others.empty()) {
    throw Error(ErrorKind::usage, "consistency is with other alignments, and none is given",
                "name them with {among}");
  }
  if (request.whole_codons) check_codons(aligned);
  const std::vector<bool> selected = selected_columns(request, aligned);
  TrimmedAlignment trimmed;
  trimmed.rows = leave_rows_out(request, aligned, selected);
  if (!others.empty()) trimmed.consistency = column_consistency(named_rows(aligned), others);
  if (judge) {
    const Confidence confidence = judge(aligned);
    trimmed.whole = text_of(aligned, {request.upper_case}, &confidence);
    if (request.mask) mask_residues(trimmed.whole, aligned.set, confidence, *request.mask);
  } else if (request.needs_confidence()) {
    throw Error(ErrorKind::internal,
                "an alignment is trimmed by a confidence that was not computed");
  } else {
    trimmed.whole = text_of(aligned, {request.upper_case});
  }
  trimmed.columns = plan_trim(trimmed.whole, selected, request.rules(), trimmed.consistency);
  const std::vector<bool> kept = kept_columns(trimmed.columns);
  const std::vector<KeptResidues> residues = kept_residues(trimmed.whole.rows, kept);
  trimmed.set = std::move(aligned.set);
  trimmed.keeps_names = request.keeps_names;
  trimmed.text = trimmed.whole;
  keep_columns(trimmed.text, kept);
  if (!request.keeps_names) {
    renumber_rows(trimmed.text, trimmed.set, residues, "{keep-names} keeps all names");
  }
  if (trimmed.text.columns == 0) {
    log_warning("no column is left", "see {max-gaps} and {min-confidence}");
  } else {
    warn_of_empty_rows(trimmed.text.names, residues, "{max-row-gaps} leaves out rows");
  }
  return trimmed;
}

AlignmentText complement_of(const TrimmedAlignment& trimmed) {
  std::vector<bool> gone = kept_columns(trimmed.columns);
  gone.flip();
  const std::vector<KeptResidues> residues = kept_residues(trimmed.whole.rows, gone);
  AlignmentText complement = trimmed.whole;
  keep_columns(complement, gone);
  if (!trimmed.keeps_names) renumber_rows(complement, trimmed.set, residues);
  return complement;
}

}  // namespace accord
