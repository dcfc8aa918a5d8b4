// Register levels are a register file with smaller, faster files or caches in front of it. Their
// access counters add up to the reads and writes of the same code in a single register file.

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "gpu/chip_run.h"
#include "gpu/workload_on_chip.h"

namespace heddle::gpu::test {
namespace {

/// Sums of `operands` counters over all launches of a workload.
class OperandCounters {
 public:
  explicit OperandCounters(const WorkloadOnChip& ran) : ran_(ran) {}

  std::uint64_t operator()(std::initializer_list<std::string> names) const {
    std::uint64_t sum = 0;
    for (const std::string& name : names) {
      for (const KernelRun& run : ran_.runs) {
        sum += counter_of(run, ran_.counters, "operands." + name);
      }
    }
    return sum;
  }

 private:
  const WorkloadOnChip& ran_;
};

const std::initializer_list<std::string> kReads{"reads", "last_reads", "operand_file_reads_private",
                                                "operand_file_reads_shared"};
const std::initializer_list<std::string> kWrites{
    "writes", "last_writes", "operand_file_writes_private", "operand_file_writes_shared"};

/// Workloads with strong divergence, with barriers, and with special functions and wide values.
const std::vector<std::string> kWorkloads{"bfs", "reduction", "n-body"};

const Settings kFile{"operands.policy=banked"};

TEST(RegisterCacheCounters, AddUpToCountersOfOneRegisterFile) {
  const Settings cache{"operands.policy=register-cache"};
  const std::vector<Settings> caches{
      {"operands.entries=1"},
      {"operands.entries=2", "operands.last_results=1"},
      {"operands.entries=6", "operands.liveness=no", "operands.replacement=lru"},
      {"operands.entries=3", "operands.active_only=no", "operands.last_results=1",
       "operands.allocate=results-and-reads", "operands.long_results_bypass=no"}};
  std::uint64_t split_reads = 0;
  for (const std::string& workload : kWorkloads) {
    const WorkloadOnChip plain = run_on_chip(load_machine("storage", kFile), workload);
    const OperandCounters file(plain);
    for (const Settings& settings : caches) {
      SCOPED_TRACE(workload + " " + settings.front());
      const WorkloadOnChip ran = run_on_chip(load_machine("storage", cache + settings), workload);
      const OperandCounters levels(ran);
      // A source is read twice (a split read) if diverged threads have it in two levels. A result
      // that is written back is written twice.
      EXPECT_EQ(levels(kReads), file({"reads"}) + levels({"split_reads"}));
      EXPECT_EQ(levels(kWrites), file({"writes"}) + levels({"written_back", "last_written_back"}));
      EXPECT_LE(levels({"fills_private", "fills_shared"}), levels({"reads"}));
      split_reads += levels({"split_reads"});
    }
  }
  EXPECT_GT(split_reads, 0U);
}

TEST(ManagedRegisterLevelCounters, AddUpToCountersOfOneRegisterFile) {
  const Settings managed{"operands.policy=managed"};
  const std::vector<Settings> files{
      {"operands.entries=1", "operands.last_results=3"},
      {"operands.entries=3", "operands.result_levels=one"},
      {"operands.entries=8", "operands.active_only=no", "operands.last_results=1"}};
  std::uint64_t duplicate = 0, fills = 0;
  for (const std::string& workload : kWorkloads) {
    const WorkloadOnChip plain = run_on_chip(load_machine("storage", kFile), workload);
    const OperandCounters file(plain);
    for (const Settings& settings : files) {
      SCOPED_TRACE(workload + " " + settings.front());
      const WorkloadOnChip ran = run_on_chip(load_machine("storage", managed + settings), workload);
      const OperandCounters levels(ran);
      EXPECT_EQ(levels(kReads), file({"reads"}));
      EXPECT_EQ(levels(kWrites), file({"writes"}) + levels({"duplicate_writes"}));
      EXPECT_LE(levels({"fills_private", "fills_shared", "last_fills"}), levels({"reads"}));
      duplicate += levels({"duplicate_writes"});
      fills += levels({"fills_private", "fills_shared", "last_fills"});
    }
  }
  EXPECT_GT(duplicate, 0U);
  EXPECT_GT(fills, 0U);
}

}  // namespace
}  // namespace heddle::gpu::test
