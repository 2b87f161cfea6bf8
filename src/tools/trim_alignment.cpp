// SPDX-License-Identifier: Apache-2.0
#include "tools/trim_alignment.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "tools/agreement.hpp"
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

/// For each row, the share of the `selected` columns in which it has a gap; 1 if no column is
/// selected.
std::vector<double> row_gap_shares(const std::vector<std::string>& rows,
                                   const std::vector<bool>& selected) {
  const auto columns = std::count(selected.begin(), selected.end(), true);
  std::vector<double> shares;
  for (const std::string& row : rows) {
    std::size_t gaps = 0;
    for (std::size_t c = 0; c < row.size(); ++c) gaps += selected[c] && row[c] == '-';
    shares.push_back(columns == 0 ? 1 : static_cast<double>(gaps) / static_cast<double>(columns));
  }
  return shares;
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

constexpr std::size_t kCodon = 3;

/// Calls `body` with the first column of each codon.
template <class Body>
void for_codons(std::size_t columns, const Body& body) {
  for (std::size_t c = 0; c + kCodon <= columns; c += kCodon) body(c);
}

/// The columns with a residue; with `whole_codons`, all columns of codons with a residue.
std::vector<bool> columns_with_residue(const AlignmentText& alignment, bool whole_codons) {
  std::vector<bool> used(alignment.columns);
  for (const std::string& row : alignment.rows) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (row[c] != '-') used[c] = true;
    }
  }
  if (!whole_codons) return used;
  for_codons(used.size(), [&](std::size_t c) {
    const bool any = used[c] || used[c + 1] || used[c + 2];
    for (std::size_t k = 0; k < kCodon; ++k) used[c + k] = any;
  });
  return used;
}

/// Keeps the columns that the filter removed between the first and the last kept column.
void keep_inside(std::vector<ColumnFate>& fates) {
  const auto is_kept = [](ColumnFate fate) { return fate == ColumnFate::kept; };
  const auto first = std::find_if(fates.begin(), fates.end(), is_kept);
  const auto last = std::find_if(fates.rbegin(), fates.rend(), is_kept).base();
  if (first == fates.end()) return;
  for (auto fate = first; fate != last; ++fate) {
    if (*fate > ColumnFate::no_residue) *fate = ColumnFate::kept;
  }
}

/// Returns, for each column of an alignment, the share of its residue pairs that another alignment
/// of the same sequences has, as the mean over `others` (see ColumnAgreement). A column with fewer
/// than two residues has NaN. `others` has at least one alignment.
/// Throws  as compare_alignments.
/// Reference  Capella-Gutierrez et al. 2009, Bioinformatics 25:1972.
std::vector<double> column_consistency(const AlignedRows& alignment,
                                       const std::vector<AlignedRows>& others) {
  std::vector<double> values(alignment.rows.empty() ? 0 : alignment.rows[0].size(),
                             std::numeric_limits<double>::quiet_NaN());
  compare_alignments(alignment, others, [&](const ColumnAgreement& column) {
    values[column.column] = column.agreement();
  });
  return values;
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
    trimmed.whole = text_of(aligned, {request.letter_case}, &confidence);
    if (request.mask) mask_residues(trimmed.whole, aligned.set, confidence, *request.mask);
  } else if (request.needs_confidence()) {
    throw Error(ErrorKind::internal,
                "an alignment is trimmed by a confidence that was not computed");
  } else {
    trimmed.whole = text_of(aligned, {request.letter_case});
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

std::vector<bool> columns_in(const std::vector<ColumnRange>& ranges, std::size_t columns) {
  std::vector<bool> selected(columns, ranges.empty());
  for (const ColumnRange& range : ranges) {
    for (std::size_t c = range.first; c < std::min(range.end, columns); ++c) selected[c] = true;
  }
  return selected;
}

std::vector<ColumnFate> plan_trim(const AlignmentText& alignment, const std::vector<bool>& selected,
                                  const TrimRules& rules, const std::vector<double>& consistency) {
  std::vector<ColumnFate> fates = judge_columns(alignment, rules.filter, consistency);
  const std::vector<bool> used = columns_with_residue(alignment, rules.whole_codons);
  for (std::size_t c = 0; c < fates.size(); ++c) {
    if (!selected[c]) {
      fates[c] = ColumnFate::not_selected;
    } else if (!used[c]) {
      fates[c] = ColumnFate::no_residue;
    }
  }
  if (rules.whole_codons) {
    for_codons(fates.size(), [&](std::size_t c) {
      bool is_selected = true, is_kept = true;
      for (std::size_t k = 0; k < kCodon; ++k) {
        is_selected = is_selected && selected[c + k];
        is_kept = is_kept && fates[c + k] == ColumnFate::kept;
      }
      for (std::size_t k = 0; k < kCodon; ++k) {
        if (!is_selected) {
          fates[c + k] = ColumnFate::not_selected;
        } else if (!is_kept && fates[c + k] == ColumnFate::kept) {
          fates[c + k] = ColumnFate::codon;
        }
      }
    });
  }
  if (rules.ends_only) keep_inside(fates);
  return fates;
}

std::string format_left_out(const std::vector<RowLeftOut>& rows,
                            const std::vector<ColumnFate>& fates) {
  std::string text = "what\tname\tcount\twhy\n";
  for (const RowLeftOut& row : rows) {
    text += "row\t" + row.name + '\t' + std::to_string(row.residues) +
            formatted("\tgaps %.4f\n", row.gaps);
  }
  for (std::size_t c = 0, end = 0; c < fates.size(); c = end) {
    while (end < fates.size() && fates[end] == fates[c]) ++end;
    if (fates[c] == ColumnFate::kept) continue;
    text += "columns\t" + std::to_string(c + 1) + '-' + std::to_string(end) + '\t' +
            std::to_string(end - c) + '\t';
    text.append(fate_name(fates[c])) += '\n';
  }
  return text;
}

std::string counted_fates(const std::vector<ColumnFate>& fates) {
  std::map<ColumnFate, std::size_t> counts;
  for (const ColumnFate fate : fates) ++counts[fate];
  std::string text =
      std::to_string(counts[ColumnFate::kept]) + " of " + counted(fates.size(), "column");
  for (const auto& [fate, count] : counts) {
    if (fate == ColumnFate::kept) continue;
    text.append(", ").append(std::to_string(count)).append(" by ").append(fate_name(fate));
  }
  return text;
}

}  // namespace accord
