// SPDX-License-Identifier: Apache-2.0
// One input, one alignment: the same bytes for any number of threads, any instruction set, any
// batch plan and any order of the records.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "backends/opencl_devices.hpp"
#include "engine/host/host_backend.hpp"
#include "engine/host/kernels.hpp"
#include "engine/opencl/opencl_backend.hpp"
#include "golden/stages.hpp"
#include "stages/posteriors/posterior_call.hpp"
#include "support/align_cases.hpp"
#include "support/scratch.hpp"
#include "support/sequence_files.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

constexpr const char* kSample[] = {"moderate_12", "remote_16",     "repeats_12",     "swapped_6",
                                   "fragments_8", "duplicates_12", "odd_letters_10", "dna_gaps_12"};

/// How the host backend gets its posteriors.
struct CallPlan {
  std::size_t task_bytes, blocks;  // of a call
};

/// The host backend with other tasks, and several calls for one.
class RecutHost : public HostBackend {
 public:
  explicit RecutHost(CallPlan plan) : plan_(plan) {}
  using Backend::compute;
  void compute(const StageCall& call, std::uint32_t memory_parts) override {
    const auto* posteriors = call.get_if<PosteriorCall>();
    if (posteriors == nullptr) return HostBackend::compute(call, memory_parts);
    for (std::size_t first = 0; first < posteriors->blocks.size(); first += plan_.blocks) {
      PosteriorCall part{posteriors->sequences,
                         posteriors->blocks.subspan(
                             first, std::min(plan_.blocks, posteriors->blocks.size() - first)),
                         posteriors->model, posteriors->sink, plan_.task_bytes};
      HostBackend::compute(part, memory_parts);
    }
  }

 private:
  CallPlan plan_;
};

/// Calls `check` with each family of the sample, in each mode, and the alignment that all must
/// give.
void for_each_family(const std::function<void(const SequenceSet&, const AlignSettings&,
                                              const std::string&)>& check) {
  const WarningCatcher quiet;
  for (const char* family : kSample) {
    CAPTURE(family);
    const SequenceSet set = read_simulated(family);
    for (const AlignSettings& settings : settings_of_modes(set)) {
      const ThreadCount threads(1);
      HostBackend backend;
      check(set, settings, aligned_fasta(set, settings, backend));
    }
  }
}

/// Records of a FASTA text by header, then row.
std::vector<std::pair<std::string, std::string>> sorted_rows(const std::string& fasta) {
  std::vector<std::pair<std::string, std::string>> rows;
  std::string::size_type at = 0;
  while (at < fasta.size()) {
    const auto end = std::min(fasta.find('\n', at), fasta.size());
    const std::string line = fasta.substr(at, end - at);
    if (line.starts_with('>')) {
      rows.emplace_back(line, "");
    } else {
      rows.back().second += line;
    }
    at = end + 1;
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

}  // namespace

TEST_CASE("invariance: 1, 2 and 4 threads") {
  for_each_family(
      [](const SequenceSet& set, const AlignSettings& settings, const std::string& expected) {
        for (const int count : {2, 4}) {
          CAPTURE(count);
          const ThreadCount threads(count);
          HostBackend backend;
          CHECK(aligned_fasta(set, settings, backend) == expected);
        }
      });
}

TEST_CASE("invariance: every instruction set of the host") {
  for_each_family(
      [](const SequenceSet& set, const AlignSettings& settings, const std::string& expected) {
        for (const host::Kernels* kernels : host::available_kernels()) {
          CAPTURE(kernels->name);
          HostBackend backend(kernels);
          CHECK(aligned_fasta(set, settings, backend) == expected);
        }
      });
}

TEST_CASE("invariance: batch plans") {
  for_each_family(
      [](const SequenceSet& set, const AlignSettings& settings, const std::string& expected) {
        for (const CallPlan plan : {CallPlan{0, 1}, CallPlan{0, 1000}, CallPlan{SIZE_MAX, 3},
                                    CallPlan{100'000, 1}, CallPlan{SIZE_MAX, 1000}}) {
          CAPTURE(plan.task_bytes);
          CAPTURE(plan.blocks);
          RecutHost backend(plan);
          CHECK(aligned_fasta(set, settings, backend) == expected);
        }
      });
}

TEST_CASE("invariance: every OpenCL device, in both kernel layouts") {
  const WarningCatcher quiet;
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    CAPTURE(ocl::format_device(device));
    for (const char* layout : {"lanes", "group"}) {
      CAPTURE(layout);
      const ForcedLayout forced(layout);
      OpenClBackend backend(device);
      HostBackend host;
      for (const char* family : kSample) {
        CAPTURE(family);
        const SequenceSet set = read_simulated(family);
        for (const AlignSettings& settings : settings_of_modes(set)) {
          CHECK(aligned_fasta(set, settings, backend) == aligned_fasta(set, settings, host));
        }
      }
    }
  }
}

TEST_CASE("invariance: the order of the records") {
  constexpr unsigned kSeed = 51;
  CAPTURE(kSeed);
  Random random(kSeed);
  const WarningCatcher quiet;
  HostBackend backend;
  for (const char* family : kSample) {
    CAPTURE(family);
    const SequenceSet set = read_simulated(family);
    for (const AlignSettings& settings : settings_of_modes(set)) {
      const auto expected = sorted_rows(aligned_fasta(set, settings, backend));
      std::vector<SequenceRecord> records = read_sequences(simulated_path(family));
      for (int k = 0; k < 3; ++k) {
        if (k == 0) {
          std::reverse(records.begin(), records.end());
        } else {
          std::shuffle(records.begin(), records.end(), random);
        }
        const SequenceSet shuffled(records, set.type());
        CHECK(sorted_rows(aligned_fasta(shuffled, settings, backend)) == expected);
      }
    }
  }
}
