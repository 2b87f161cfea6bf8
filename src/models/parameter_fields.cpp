// SPDX-License-Identifier: Apache-2.0
#include "models/parameter_fields.hpp"

namespace accord {

constinit const std::array<std::pair<const char*, const char*>, 8> kSections = {
    {{"pair_hmm", "pair-HMM of a match state and one to three pairs of insert states"},
     {"partition_function",
      "alignments with affine gaps, end gaps free; scores s weigh exp(s / T)"},
     {"gap_openings", "factors of opening a gap, in both models"},
     {"mixture",
      "P and Q of these models become (1 - r) (h P + (1 - h) Q) + r sqrt(h P^2 + (1 - h) Q^2)"},
     {"sparsity", "which cells of a pair are kept"},
     {"consistency", "the consistency transform"},
     {"sequence_weights", "how much a sequence counts, by its place in the guide tree"},
     {"refinement", "groups of the alignment are aligned with each other again"}}};

constinit const std::array<GapField, 3> kGapFields = {
    {{"open", 1e-7, 0.25, &GapClass::open, "probability of going from a match to either state"},
     {"stay", 0, 0.917, &GapClass::stay, "probability of staying"},
     {"start", 0, 0.5, &GapClass::start, "probability of beginning in either state"}}};

namespace {

constexpr auto kNumberFields = std::to_array<NumberField>(
    {{"pair_hmm", "start_match", 1e-6, 1, false,
      [](Parameters& p, double value) { p.hmm.start_match = value; },
      "probability of beginning in a match"},
     {"pair_hmm", "vtml200_share", 0, 1, false,
      [](Parameters& p, double value) { p.hmm.emissions.vtml200_share = value; },
      "log odds of two residues between those of ProbCons (0) and of VTML200 (1); nucleotides: 0"},
     {"pair_hmm", "sharpness", 0.1, 1.5, false,
      [](Parameters& p, double value) { p.hmm.emissions.sharpness = value; },
      "factor of the log odds"},
     {"pair_hmm", "context_share", 0, 2, false,
      [](Parameters& p, double value) { p.hmm.emissions.context_share = value; },
      "factor of the log odds of contexts (protein_context.json); 0: none; nucleotides: 0"},
     {"partition_function", "vtml200_share", 0, 1, false,
      [](Parameters& p, double value) { p.partition.vtml200_share = value; },
      "scores between Gonnet160 (0) and VTML200 (1); nucleotides (HOXD70): 0"},
     {"partition_function", "gap_open", -2000, 0, false,
      [](Parameters& p, double value) { p.partition.gap_open = value; },
      "score of the first residue of a gap"},
     {"partition_function", "gap_extend", -2000, 0, false,
      [](Parameters& p, double value) { p.partition.gap_extend = value; },
      "score of each further residue"},
     {"partition_function", "temperature", 0.5, 2000, false,
      [](Parameters& p, double value) { p.partition.temperature = value; }, "T"},
     {"partition_function", "context_share", 0, 2, false,
      [](Parameters& p, double value) { p.partition.context_share = value; }, "as in pair_hmm"},
     {"gap_openings", "context_share", 0, 2, false,
      [](Parameters& p, double value) { p.gap_openings.context_share = value; },
      "factor of their logarithms by letters and contexts (protein_context.json); nucleotides: 0"},
     {"mixture", "hmm_share", 0, 1, false,
      [](Parameters& p, double value) { p.mixture.hmm_share = value; },
      "h; 0 and 1 leave a model out"},
     {"mixture", "square_share", 0, 1, false,
      [](Parameters& p, double value) { p.mixture.square_share = value; },
      "r; 0: the mean, 1: the root mean square"},
     {"mixture", "calibration", 0.2, 5, false,
      [](Parameters& p, double value) { p.mixture.calibration = value; },
      "kept posteriors are raised to this power"},
     {"sparsity", "cutoff", 0.0001, 0.5, false,
      [](Parameters& p, double value) { p.cutoff = static_cast<float>(value); },
      "keep cells of at least this posterior"},
     {"consistency", "rounds", 0, 10, true,
      [](Parameters& p, double value) { p.consistency.rounds = static_cast<int>(value); },
      "rounds"},
     {"consistency", "rounds_of_large", 0, 10, true,
      [](Parameters& p, double value) { p.consistency.rounds_of_large = static_cast<int>(value); },
      "rounds of large families"},
     {"consistency", "large_from", 3, 1e6, true,
      [](Parameters& p, double value) { p.consistency.large_from = static_cast<int>(value); },
      "families of at least this many sequences are large"},
     {"consistency", "intermediates", 0, 1e6, true,
      [](Parameters& p, double value) { p.consistency.intermediates = static_cast<int>(value); },
      "largest number of intermediates; 0: all"},
     {"consistency", "cutoff", 0, 0.5, false,
      [](Parameters& p, double value) { p.consistency.cutoff = static_cast<float>(value); },
      "keep cells of at least this value between rounds"},
     {"consistency", "final_cutoff", 0, 0.5, false,
      [](Parameters& p, double value) { p.consistency.final_cutoff = static_cast<float>(value); },
      "keep cells of at least this value after the last round"},
     {"consistency", "self_weight", 0.05, 50, false,
      [](Parameters& p, double value) { p.consistency.self_weight = value; },
      "factor of the direct evidence in a family of ten sequences"},
     {"consistency", "self_weight_power", -1, 2, false,
      [](Parameters& p, double value) { p.consistency.self_weight_power = value; },
      "for n sequences the factor is self_weight (n / 10)^this, from 0.05 to 50"},
     {"sequence_weights", "exponent", 0, 2, false,
      [](Parameters& p, double value) { p.weights.exponent = value; },
      "power of each sequence's share of the tree; 0: all weights are equal"},
     {"sequence_weights", "total", 100, 20000, true,
      [](Parameters& p, double value) { p.weights.total = static_cast<int>(value); },
      "weights are whole numbers of at least 1 with about this sum"},
     {"refinement", "iterations", 0, 100000, true,
      [](Parameters& p, double value) { p.refine_iterations = static_cast<int>(value); },
      "largest number of splits into two groups"}});

}  // namespace

std::span<const NumberField> number_fields() { return kNumberFields; }

}  // namespace accord
