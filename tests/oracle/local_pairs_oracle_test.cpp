// SPDX-License-Identifier: Apache-2.0
// Local alignments of pairs against the definition of their score: every gap looked at in every
// cell, in 64-bit integers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "engine/host/host_backend.hpp"
#include "engine/host/kernels.hpp"
#include "engine/scheduler.hpp"
#include "stages/local_pairs/local_pairs_call.hpp"
#include "stages/local_pairs/local_pairs_request.hpp"
#include "support/align_cases.hpp"
#include "support/fake_backends.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using Codes = std::span<const std::uint8_t>;

std::int64_t gap_cost(const accord_local_scores& s, std::size_t length) {
  return s.open + static_cast<std::int64_t>(length) * s.extend;
}

/// The best score, straight from the recursion of local_pairs/cell.h.
std::int64_t oracle_score(Codes x, Codes y, const accord_local_scores& s) {
  std::vector<std::vector<std::int64_t>> p(x.size(), std::vector<std::int64_t>(y.size()));
  std::int64_t best = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < y.size(); ++j) {
      std::int64_t from = 0;
      if (i > 0 && j > 0) from = std::max(from, p[i - 1][j - 1]);
      for (std::size_t k = 0; j > 0 && k + 1 < i; ++k) {
        from = std::max(from, p[k][j - 1] - gap_cost(s, i - 1 - k));
      }
      for (std::size_t k = 0; i > 0 && k + 1 < j; ++k) {
        from = std::max(from, p[i - 1][k] - gap_cost(s, j - 1 - k));
      }
      for (std::size_t k = 0; k + 1 < i; ++k) {
        for (std::size_t l = 0; l + 1 < j; ++l) from = std::max(from, p[k][l] - s.jump);
      }
      p[i][j] = from + s.score[x[i] * ACCORD_SYMBOLS + y[j]];
      best = std::max(best, p[i][j]);
    }
  }
  return best;
}

/// The score of a given alignment; checks that it is one.
std::int64_t score_of(const LocalAlignment& alignment, Codes x, Codes y,
                      const accord_local_scores& s) {
  std::int64_t score = 0;
  for (std::size_t k = 0; k < alignment.segments.size(); ++k) {
    const LocalSegment& segment = alignment.segments[k];
    REQUIRE(segment.length > 0);
    REQUIRE(segment.x + segment.length <= x.size());
    REQUIRE(segment.y + segment.length <= y.size());
    for (std::uint32_t r = 0; r < segment.length; ++r) {
      score += s.score[x[segment.x + r] * ACCORD_SYMBOLS + y[segment.y + r]];
    }
    if (k == 0) continue;
    const LocalSegment& last = alignment.segments[k - 1];
    REQUIRE(segment.x >= last.x + last.length);
    REQUIRE(segment.y >= last.y + last.length);
    const std::size_t in_x = segment.x - last.x - last.length;
    const std::size_t in_y = segment.y - last.y - last.length;
    REQUIRE(in_x + in_y > 0);
    score -= in_x > 0 && in_y > 0 ? s.jump : gap_cost(s, in_x + in_y);
  }
  return score;
}

/// Pieces of a common ancestor in unrelated sequence, repeats, single residues.
SequenceSet family_of(std::uint32_t seed, ResidueType type) {
  Random random(seed);
  const std::string letters = type == ResidueType::protein ? "ACDEFGHIKLMNPQRSTVWYXBZJ" : "ACGTNR";
  const auto any = [&](std::uint32_t length) {
    std::string text;
    for (std::uint32_t k = 0; k < length; ++k) {
      text += letters[draw(random, 0, static_cast<std::uint32_t>(letters.size()) - 1)];
    }
    return text;
  };
  const std::string motif = any(12), other = any(9);
  std::vector<SequenceRecord> records;
  for (std::uint32_t k = 0; k < 19; ++k) {
    std::string text = any(draw(random, 0, 12)) + motif.substr(draw(random, 0, 3)) +
                       any(draw(random, 0, 14)) + other + any(draw(random, 0, 9));
    if (k == 0) text += motif + motif + other;
    if (k == 1) text = any(1);
    if (k == 2) text = std::string(20, 'X');
    if (k == 3) text = any(3);
    records.push_back({std::to_string(k), text});
  }
  return SequenceSet(std::move(records), type);
}

void check_family(const SequenceSet& set, const accord_local_scores& scores) {
  HostBackend host;
  const std::vector<LocalAlignment> found = local_alignments(host, set.coded(), scores);
  std::size_t pair = 0;
  for (std::uint32_t y = 1; y < set.size(); ++y) {
    for (std::uint32_t x = 0; x < y; ++x, ++pair) {
      CAPTURE(x);
      CAPTURE(y);
      const Codes a = set.coded().codes(x), b = set.coded().codes(y);
      CHECK(found[pair].score == oracle_score(a, b, scores));
      CHECK(score_of(found[pair], a, b, scores) == found[pair].score);
    }
  }
  // Other instruction sets, and blocks of rows, give the same alignments.
  for (const host::Kernels* kernels : host::available_kernels()) {
    HostBackend other(kernels);
    for (const std::size_t bytes : {SIZE_MAX, std::size_t{1}}) {
      CAPTURE(kernels->name);
      CHECK(local_alignments(other, set.coded(), scores, bytes) == found);
    }
  }
}

}  // namespace

TEST_CASE("local pairs: scores and alignments are those of the definition") {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    CAPTURE(seed);
    const ResidueType type = seed % 3 == 0 ? ResidueType::dna : ResidueType::protein;
    const SequenceSet set = family_of(seed, type);
    for (const LocalGaps gaps : {LocalGaps::affine, LocalGaps::generalised}) {
      accord_local_scores scores = local_scores(type, gaps);
      check_family(set, scores);
      scores.open = 150;  // many gaps
      scores.extend = seed % 2 == 0 ? 10 : 60;
      if (gaps == LocalGaps::generalised) scores.jump = 250;
      check_family(set, scores);
    }
  }
}

TEST_CASE("local pairs: blocks of rows are walked back through") {
  Random random(5);
  std::vector<SequenceRecord> records(2);
  for (int k = 0; k < 320; ++k) {
    const char letter = "ACDEFGHIKLMNPQRSTVWY"[draw(random, 0, 19)];
    records[0].letters += letter;
    if (k % 47 != 0) records[1].letters += letter;
    if (k % 75 == 74) records[1].letters += "WWPP";
  }
  const SequenceSet set(std::move(records), ResidueType::protein);
  HostBackend host;
  for (const LocalGaps gaps : {LocalGaps::affine, LocalGaps::generalised}) {
    const accord_local_scores scores = local_scores(ResidueType::protein, gaps);
    const auto whole = local_alignments(host, set.coded(), scores);
    CHECK(whole[0].segments.size() > 5);
    CHECK(whole[0].score == oracle_score(set.coded().codes(0), set.coded().codes(1), scores));
    CHECK(local_alignments(host, set.coded(), scores, 1) == whole);
  }
}

TEST_CASE("local pairs: unknown residues and empty sequences align with nothing") {
  const SequenceSet set({{"a", "XXXXXXXX"}, {"b", "XXXX"}, {"c", ""}}, ResidueType::protein);
  const accord_local_scores scores = local_scores(ResidueType::protein, LocalGaps::affine);
  HostBackend host;
  for (const LocalAlignment& alignment : local_alignments(host, set.coded(), scores)) {
    CHECK(alignment.score == 0);
    CHECK(alignment.segments.empty());
  }
}

TEST_CASE("local pairs: scores that could leave 32 bits are refused") {
  const SequenceSet set({{"a", std::string(300, 'W')}, {"b", std::string(300, 'W')}},
                        ResidueType::protein);
  accord_local_scores scores = local_scores(ResidueType::protein, LocalGaps::affine);
  for (std::int32_t& score : scores.score) score = 1 << 20;
  HostBackend host;
  CHECK_THROWS_AS(local_alignments(host, set.coded(), scores), Error);
}

TEST_CASE("local pairs: a device that fails is replaced, any threads and batches give the same") {
  const SequenceSet set = family_of(9, ResidueType::protein);
  const accord_local_scores scores = local_scores(ResidueType::protein, LocalGaps::generalised);
  HostBackend host;
  const std::vector<LocalAlignment> expected = local_alignments(host, set.coded(), scores);
  for (const int threads : {1, 3}) {
    const ThreadCount scope(threads);
    FakeDevice device("device");
    make_fail_once(device, 0, ErrorKind::device_failed);
    Scheduler scheduler({&device}, host, HostRole::standby);
    CHECK(request_local_pairs(set, scores, scheduler) == expected);
    CHECK(scheduler.faults().faults == 1);
  }
  FakeDevice without("without the stage");
  without.missing = {BackendStage::local_pairs};
  Scheduler scheduler({&without}, host, HostRole::standby);
  CHECK(request_local_pairs(set, scores, scheduler) == expected);
  CHECK(without.calls_made() == 0);
  struct Throwing : ProgressListener {
    void begin(const std::string&, const std::string&, std::uint64_t, std::uint64_t) override {}
    void advance(std::uint64_t, std::uint64_t) override {
      throw Error(ErrorKind::device_failed, "the listener fails");
    }
  } throwing;
  CHECK_THROWS_WITH_AS(request_local_pairs(set, scores, scheduler, &throwing), "the listener fails",
                       Error);
  CHECK(scheduler.faults().faults == 0);
}

TEST_CASE("local pairs: the self-test finds a wrong alignment") {
  HostBackend host;
  CHECK(LocalPairsCall::self_test(host, host) == "");
  struct Tampering : HostBackend {
    using Backend::compute;
    void compute(const StageCall& call, std::uint32_t parts) override {
      const auto* pairs = call.get_if<LocalPairsCall>();
      if (pairs == nullptr) return HostBackend::compute(call, parts);
      const PairSink<LocalAlignment> sink = [&](std::uint32_t x, std::uint32_t y,
                                                LocalAlignment alignment) {
        if (y == 7 && x == 2) ++alignment.score;
        pairs->sink(x, y, std::move(alignment));
      };
      HostBackend::compute(LocalPairsCall{pairs->sequences, pairs->blocks, pairs->scores, sink,
                                          pairs->most_task_bytes},
                           parts);
    }
  } tampering;
  CHECK(LocalPairsCall::self_test(tampering, host).find("wrong local alignment") == 0);
}
