// Prefetching into the L1: an example of a prefetcher, and runs with prefetchers on whole chips.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "device/ptx_text.h"
#include "gpu/chip_run.h"
#include "gpu/timing/probe.h"
#include "gpu/workload_on_chip.h"
#include "sm/memory/prefetch/prefetcher.h"

namespace heddle::gpu::test {
namespace {

/// Proposes the line that lies `behind` lines before one that missed.
struct LineBehindParameters {
  std::uint32_t behind = 1;

  void declare(config::Declarations& parameters) {
    parameters.number("behind", behind, {.unit = "lines", .least = 1, .most = 9},
                      "distance from the line that missed");
  }
};

class LineBehind final : public sm::Prefetcher {
 public:
  explicit LineBehind(std::uint32_t behind) : behind_(behind) {}

  void observe(const sm::DemandAccess& access, sm::ProposedLines& proposed) override {
    ++observed_;
    if (access.outcome == sm::DemandAccess::Outcome::miss) {
      proposed.push_back(access.line - behind_);
    }
  }
  void declare(CounterList& counters) override {
    counters.add("observed", observed_, "accesses", "of loads to the L1");
  }

 private:
  std::uint32_t behind_;
  std::uint64_t observed_ = 0;
};

const sm::PrefetchRegistry::Entry line_behind_entry{
    "line-behind", "the line before one that missed",
    [](const LineBehindParameters& own, const sm::PrefetchDescription&) {
      return std::make_unique<LineBehind>(own.behind);
    }};

constexpr std::uint32_t kAddress = 2;
constexpr std::uint32_t kL1 = 20;

/// Loads line 8 of the data, then line 40, which gives a prefetch time to arrive, and then line 6.
/// Each value is used before the next load.
ProbeRun three_loads(const Settings& settings) {
  std::string body;
  int number = 0;
  for (const int line : {8, 40, 6}) {
    const std::string n = std::to_string(number);
    body += clock(number++) + "ld.global.u32 %r" + n + ", [%data+" + std::to_string(line * 128) +
            "];\nadd.u32 %r1" + n + ", %r" + n + ", 5;\n";
  }
  return ProbeRun(
      {.body = body + clock(3), .stamps = 4, .keep = registers("%r", 3) + registers("%r", 3, 10)},
      Settings{"lsu.address_cycles=2", "l1.latency=20"} + settings);
}

TEST(PrefetchTiming, LoadHitsLineThatPrefetcherProposed) {
  const ProbeRun without = three_loads({});
  EXPECT_GT(without.cycles(2), 100U);
  const ProbeRun with = three_loads({"l1.prefetch.policy=line-behind", "l1.prefetch.behind=2"});
  EXPECT_EQ(with.cycles(2), 1 + kAddress + kL1 + 1);
  EXPECT_EQ(with.cycles(0), without.cycles(0)) << "a prefetch does not delay the miss before it";
  EXPECT_EQ(with.counter("l1.prefetch.useful"), 1U);
  EXPECT_EQ(with.counter("l1.prefetch.observed"), with.counter("l1.accesses"));
}

TEST(PrefetchTiming, LineAtOtherDistanceDoesNotHelp) {
  const ProbeRun with = three_loads({"l1.prefetch.policy=line-behind", "l1.prefetch.behind=3"});
  EXPECT_GT(with.cycles(2), 100U);
  EXPECT_EQ(with.counter("l1.prefetch.useful"), 0U);
}

/// Each lane copies a word from `from` to `to`.
const std::string kCopy = device::test::module_of(R"(
.visible .entry copy(.param .u64 from, .param .u64 to)
{
  .reg .b32 %r<4>;
  .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [from];
  ld.param.u64 %rd2, [to];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.u64 %rd4, %rd1, %rd3;
  ld.global.u32 %r2, [%rd4];
  add.u64 %rd5, %rd2, %rd3;
  st.global.u32 [%rd5], %r2;
  ret;
}
)");

TEST(Prefetch, MayFetchLinesBehindAllocatedMemory) {
  for (const char* const dram : {"dram.policy=fixed", "dram.policy=fr-fcfs"}) {
    ChipRun chip(kCopy, {"chip.sms=1", dram, "l1.prefetch.policy=next-line",
                         "l1.prefetch.degree=16", "l1.prefetch.queue=16"});
    const device::DevicePointer to = chip.zeros<std::uint32_t>(32);
    const std::vector<std::uint32_t> words(32, 77);
    const device::DevicePointer from = chip.upload(words);  // The last allocation.
    chip.launch("copy", {1, 1, 1}, {32, 1, 1}, from, to);
    EXPECT_EQ(chip.download<std::uint32_t>(to, 32), words);
    EXPECT_EQ(chip.counter("l1.prefetch.issued"), 16U) << dram;
  }
}

TEST(Prefetch, ChangesNoResultAndGivesSameRunForAnyNumberOfHostThreads) {
  for (const char* const policy : {"next-line", "stride"}) {
    const Machine machine =
        load_machine("preexec", {"l1.prefetch.policy=" + std::string(policy),
                                 "l1.prefetch.degree=2", "l1.prefetch.confidence=1"});
    std::uint64_t issued = 0;
    for (const char* const workload : {"matrix-multiply", "reduction", "scan"}) {
      SCOPED_TRACE(std::string(policy) + " in " + workload);
      const WorkloadOnChip first = run_on_chip(machine, workload);
      EXPECT_TRUE(first.result.check.passed());
      issued += counter_of(first.runs.front(), first.counters, "l1.prefetch.issued");
      for (const std::uint32_t threads : {2U, 3U}) {
        const WorkloadOnChip again = run_on_chip(machine, workload, {.threads = threads});
        EXPECT_EQ(difference(first.runs, again.runs, first.counters), "");
      }
    }
    EXPECT_GT(issued, 0U) << policy;
  }
}

}  // namespace
}  // namespace heddle::gpu::test
