// Unified storage on a chip: launches that divide it anew, all workloads, and what banks cost.

#include <gtest/gtest.h>

#include <string>

#include "gpu/chip_run.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

/// What every launch of unified-384 divides.
constexpr std::uint64_t kBytes = 384 * 1024;
constexpr std::uint64_t kSetBytes = 512;  ///< Of the L1.

class UnifiedStorage : public testing::TestWithParam<Settings> {};

TEST_P(UnifiedStorage, RunsWorkloadsRightAndGivesAwayTheWholeMemory) {
  const Machine machine = load_machine("unified-384", GetParam());
  for (const std::string& workload : workloads_to_run()) {
    SCOPED_TRACE(workload);
    if (find_misfit("unified", workload)) continue;
    const WorkloadOnChip timed = run_on_chip(machine, workload);
    EXPECT_TRUE(timed.result.check.passed());
    for (const KernelRun& run : timed.runs) {
      const sm::StorageSizes& sizes = run.storage_by_kind.at(0);
      const std::uint64_t given =
          4 * std::uint64_t{sizes.registers} + sizes.shared_bytes + sizes.l1_bytes;
      EXPECT_LE(given, kBytes) << run.kernel;
      EXPECT_GT(given, kBytes - kSetBytes) << run.kernel;
      EXPECT_EQ(sizes.off_bytes, 0U) << run.kernel;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(, UnifiedStorage,
                         testing::Values(Settings{}, Settings{"storage.gather=yes"},
                                         Settings{"operands.policy=managed"},
                                         Settings{"residency.policy=partial-block"},
                                         Settings{"lookahead.policy=pre-execution"}));

TEST(UnifiedStorageCycles, AreThoseOfFixedStorageOfTheSameSizesIfNoBanksConflict) {
  // Both have an L1 of 64 KB, and as many blocks.
  const Machine fixed = load_machine(
      "unified", {"lsu.shared_pipe=yes", "scratchpad.banks=8", "scratchpad.bank_bytes=16"});
  const Machine apart =
      load_machine("unified-384", {"storage.most_l1=64K", "storage.conflicts=no"});
  const Machine together = load_machine("unified-384", {"storage.most_l1=64K"});
  std::uint64_t delayed = 0;
  for (const std::string workload : {"vector-add", "reduction", "histogram", "matrix-multiply"}) {
    SCOPED_TRACE(workload);
    const WorkloadOnChip first = run_on_chip(fixed, workload);
    const WorkloadOnChip second = run_on_chip(apart, workload);
    const WorkloadOnChip third = run_on_chip(together, workload);
    for (std::size_t i = 0; i < first.runs.size(); ++i) {
      ASSERT_EQ(first.runs[i].occupancy.blocks, second.runs[i].occupancy.blocks);
      EXPECT_EQ(first.runs[i].cycles, second.runs[i].cycles);
      EXPECT_EQ(counter_of(first.runs[i], first.counters, "scratchpad.conflict_cycles"),
                counter_of(third.runs[i], third.counters, "scratchpad.conflict_cycles"));
      delayed += counter_of(third.runs[i], third.counters, "banks.delayed");
    }
  }
  EXPECT_GT(delayed, 0U);
}

TEST(UnifiedStorageCycles, AreTheSameForAnyNumberOfHostThreads) {
  const Machine machine = load_machine("unified-384", {"chip.sms=4"});
  for (const std::string workload : {"histogram", "matrix-multiply"}) {
    SCOPED_TRACE(workload);
    const WorkloadOnChip one = run_on_chip(machine, workload);
    for (const std::uint32_t threads : host_threads({2, 4})) {
      const WorkloadOnChip more = run_on_chip(machine, workload, {.threads = threads});
      EXPECT_EQ(difference(one.runs, more.runs, one.counters), "");
    }
  }
}

}  // namespace
}  // namespace heddle::gpu::test
