// Injected faults: where they strike, what the hardware notices, and what they do to the program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "device/ptx_text.h"
#include "exec/fault/fault.h"
#include "gpu/chip_run.h"
#include "gpu/workload_on_chip.h"
#include "sm/redundancy/fault.h"

namespace heddle::gpu::test {
namespace {

using sm::Fault;
using sm::FaultFate;
using sm::FaultInjection;
using sm::FaultSite;

constexpr std::uint32_t kBit = 3;

/// The last three arithmetic instructions are a product in all lanes, a sum that is the same in all
/// lanes (32 times the number of warps), and a maximum in all lanes.
const std::string kKernel = device::test::kernel_of(R"(
  mul.lo.u32 %r5, %r4, 3;
  add.u32 %r6, %r2, %r3;
  max.u32 %r7, %r5, %r6;
  st.global.u32 [%rd2], %r7;
  ret;
)");

Machine machine_with(const Settings& settings = {}) {
  return machine_of(Settings{"chip.sms=1", "isa.scheduling=no", "redundancy.policy=token",
                             "redundancy.detect_errors=yes"} +
                    settings);
}

/// A run of the kernel with one block.
struct Outcome {
  FaultInjection injection;
  std::vector<std::uint32_t> words;  ///< Empty if the run did not come to its end.
  std::map<std::string, std::uint64_t> counters;
};

Outcome run_kernel(const Machine& machine, std::uint32_t threads, std::optional<Fault> fault,
                   const std::string& kernel = kKernel) {
  Outcome outcome{.injection = {.fault = fault}, .words = {}, .counters = {}};
  ChipRun run(kernel, machine, {.injection = &outcome.injection});
  const device::DevicePointer out = run.zeros<std::uint32_t>(threads);
  try {
    run.launch("k", {1}, {threads}, out);
    outcome.words = run.download<std::uint32_t>(out, threads);
  } catch (const sm::FaultSettled&) {
    return outcome;
  } catch (const exec::SimulatedFault&) {
    return outcome;
  }
  for (const CounterName& counter : run.chip().counters()) {
    if (counter.name.starts_with("redundancy.")) {
      outcome.counters[counter.name] = run.counter(counter.name);
    }
  }
  return outcome;
}

/// How often each fate occurs if a fault strikes at each moment of a site.
std::map<FaultFate, std::uint64_t> fates_of_all_moments(const Machine& machine,
                                                        std::uint32_t threads, FaultSite site,
                                                        std::uint64_t moments) {
  std::map<FaultFate, std::uint64_t> fates;
  for (std::uint64_t moment = 0; moment < moments; ++moment) {
    const Fault fault{.site = site, .moment = moment, .lane = 5, .bit = kBit};
    ++fates[run_kernel(machine, threads, fault).injection.record.fate];
  }
  return fates;
}

std::vector<std::uint32_t> words_of(std::uint32_t threads) {
  std::vector<std::uint32_t> words;
  for (std::uint32_t i = 0; i < threads; ++i) words.push_back(std::max(3 * i, threads));
  return words;
}

TEST(FaultInjection, ResultOfLaneChangesWhatDependsOnIt) {
  const Machine machine = machine_with();
  const Outcome clean = run_kernel(machine, 32, std::nullopt);
  ASSERT_EQ(clean.words, words_of(32));
  const std::uint64_t operations = clean.injection.moments.front()[FaultSite::lanes];
  EXPECT_EQ(operations, clean.counters.at("redundancy.errors.operations"));
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    SCOPED_TRACE(lane);
    const auto with_fault_at = [&](std::uint64_t moment) {
      return run_kernel(machine, 32,
                        Fault{.site = FaultSite::lanes, .moment = moment, .bit = kBit});
    };
    const Outcome in_product = with_fault_at(operations - 96 + lane);
    EXPECT_EQ(in_product.injection.record.fate, FaultFate::propagates);
    EXPECT_EQ(in_product.injection.record.lane, lane);
    std::vector<std::uint32_t> words = words_of(32);
    words[lane] = std::max((3 * lane) ^ (1U << kBit), 32U);
    EXPECT_EQ(in_product.words, words);

    EXPECT_EQ(with_fault_at(operations - 64 + lane).injection.record.fate, FaultFate::detected);

    const Outcome in_maximum = with_fault_at(operations - 32 + lane);
    EXPECT_EQ(in_maximum.injection.record.fate, FaultFate::propagates);
    words = words_of(32);
    words[lane] ^= 1U << kBit;
    EXPECT_EQ(in_maximum.words, words);
  }
}

TEST(FaultInjection, EveryOperationHasTheFateThatTheCountersClaim) {
  constexpr std::uint32_t kThreads = 160;
  for (const char* policy : {"redundancy.policy=token", "redundancy.policy=scalar-file"}) {
    // With a short latency, later warps find the sum in the reuse buffer.
    const Machine machine = machine_with({policy, "units.integer.latency=1"});
    const Outcome clean = run_kernel(machine, kThreads, std::nullopt);
    const std::uint64_t operations = clean.injection.moments.front()[FaultSite::lanes];
    const std::uint64_t reused = 32 * clean.counters.at("redundancy.reuse.hits");
    const std::uint64_t all_protected = clean.counters.at("redundancy.errors.protected_operations");
    EXPECT_GT(reused, 0);
    EXPECT_GT(all_protected, reused);
    auto fates = fates_of_all_moments(machine, kThreads, FaultSite::lanes, operations);
    EXPECT_EQ(fates[FaultFate::avoided], reused);
    EXPECT_EQ(fates[FaultFate::detected], all_protected - reused);
    EXPECT_EQ(fates[FaultFate::propagates], operations - all_protected);
  }
}

TEST(FaultInjection, EveryLiveCycleHasTheFateThatTheCountersClaim) {
  const Machine machine = machine_with();
  const Outcome clean = run_kernel(machine, 32, std::nullopt);
  const sm::FaultMoments moments = clean.injection.moments.front();
  const std::uint64_t live = clean.counters.at("redundancy.errors.live_cycles");
  const std::uint64_t twice = clean.counters.at("redundancy.errors.protected_live_cycles");
  EXPECT_EQ(moments[FaultSite::registers], live);
  EXPECT_GT(twice, 0);
  EXPECT_GT(live, twice);
  auto fates = fates_of_all_moments(machine, 32, FaultSite::registers, live);
  EXPECT_EQ(fates[FaultFate::corrected], twice);
  EXPECT_EQ(fates[FaultFate::propagates], live - twice);
  // The kernel writes no register in part, so that a copy is corrected if it is live.
  fates = fates_of_all_moments(machine, 32, FaultSite::scalars, moments[FaultSite::scalars]);
  EXPECT_EQ(fates[FaultFate::corrected], twice);
  EXPECT_EQ(fates[FaultFate::erased], moments[FaultSite::scalars] - twice);
}

TEST(FaultInjection, EntryIsCorrectedWhenItIsFound) {
  const Machine machine = machine_with();
  const Outcome clean = run_kernel(machine, 64, std::nullopt);
  const std::uint64_t moments = clean.injection.moments.front()[FaultSite::entries];
  ASSERT_GT(moments, 0);
  auto fates = fates_of_all_moments(machine, 64, FaultSite::entries, moments);
  EXPECT_EQ(fates[FaultFate::corrected] + fates[FaultFate::erased], moments);
  EXPECT_GT(fates[FaultFate::corrected], 0);
}

TEST(FaultInjection, LiveRegisterPropagatesToItsReaders) {
  const Machine machine = machine_with();
  const Outcome clean = run_kernel(machine, 32, std::nullopt);
  const std::uint64_t live = clean.injection.moments.front()[FaultSite::registers];
  constexpr std::uint32_t kLane = 20;
  std::vector<std::uint32_t> product = words_of(32);
  product[kLane] = std::max((3 * kLane) ^ (1U << kBit), 32U);
  std::vector<std::uint32_t> maximum = words_of(32);
  maximum[kLane] ^= 1U << kBit;
  std::map<std::vector<std::uint32_t>, int> seen;
  for (std::uint64_t moment = 0; moment < live; ++moment) {
    const Fault fault{.site = FaultSite::registers, .moment = moment, .lane = kLane, .bit = kBit};
    const Outcome outcome = run_kernel(machine, 32, fault);
    if (outcome.injection.record.fate == FaultFate::propagates) ++seen[outcome.words];
  }
  EXPECT_GT(seen[product], 0);
  EXPECT_GT(seen[maximum], 0);
  EXPECT_EQ(seen[words_of(32)], 0);
}

// Without redundancy.convert, a uniform register that is not reused has a copy in each lane, none
// of them protected. The number of warps is read from a special register, which is never reused.
TEST(FaultInjection, DoesNotReachInstructionWhoseResultIsReused) {
  const std::string kernel = device::test::kernel_of(R"(
    mov.u32 %r6, %nwarpid;
    mul.lo.u32 %r7, %r6, 5;
    st.global.u32 [%rd2], %r7;
    ret;
  )");
  constexpr std::uint32_t kThreads = 160;
  constexpr std::uint32_t kLane = 5;
  const auto outcomes = [&](const std::string& entries) {
    const Machine machine =
        machine_with({"redundancy.convert=no", "units.integer.latency=1", entries});
    const Outcome one_warp = run_kernel(machine, 32, std::nullopt, kernel);
    const Fault in_count{.site = FaultSite::lanes,
                         .moment = one_warp.injection.moments.front()[FaultSite::lanes] - 64};
    const std::uint32_t count = run_kernel(machine, 32, in_count, kernel).injection.record.number;
    const Outcome clean = run_kernel(machine, kThreads, std::nullopt, kernel);
    EXPECT_EQ(clean.words, std::vector<std::uint32_t>(kThreads, 5 * kThreads / 32));
    std::map<std::size_t, int> count_by_wrong_words;
    const std::uint64_t live = clean.injection.moments.front()[FaultSite::registers];
    for (std::uint64_t moment = 0; moment < live; ++moment) {
      const Fault fault{.site = FaultSite::registers, .moment = moment, .lane = kLane, .bit = kBit};
      const Outcome outcome = run_kernel(machine, kThreads, fault, kernel);
      if (outcome.injection.record.number != count || outcome.words.empty()) continue;
      std::size_t wrong = 0;
      for (std::uint32_t i = 0; i < kThreads; ++i) {
        if (outcome.words[i] == clean.words[i]) continue;
        ++wrong;
        EXPECT_EQ(i % 32, kLane);
      }
      ++count_by_wrong_words[wrong];
    }
    return count_by_wrong_words;
  };
  auto without_buffer = outcomes("redundancy.reuse_entries=0");
  EXPECT_EQ(without_buffer[0], 0);
  EXPECT_GT(without_buffer[1], 0);
  auto with_buffer = outcomes("redundancy.reuse_entries=8");
  EXPECT_GT(with_buffer[0], 0);
  EXPECT_EQ(with_buffer.rbegin()->first, 1);
}

TEST(FaultInjection, IsRefusedWithoutErrorDetection) {
  FaultInjection injection;
  const auto message = [&](const Settings& settings) -> std::string {
    try {
      Chip chip(machine_of(settings), {.injection = &injection});
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_THAT(message({}), testing::HasSubstr("redundancy.policy 'none' detects no errors"));
  EXPECT_THAT(message({"redundancy.detect_errors=yes"}),
              testing::HasSubstr("redundancy.policy 'none' detects no errors"));
  EXPECT_THAT(message({"redundancy.observe=yes"}),
              testing::HasSubstr("redundancy.policy 'none' detects no errors"));
  EXPECT_THAT(message({"redundancy.policy=token"}),
              testing::HasSubstr("set redundancy.detect_errors=yes"));
  const Settings detecting{"redundancy.policy=token", "redundancy.detect_errors=yes"};
  EXPECT_EQ(message(detecting), "");
  EXPECT_EQ(message(detecting + Settings{"redundancy.observe=yes"}), "");
}

TEST(FaultInjection, MomentsOfWorkloadsAreWhatTheCountersCount) {
  for (const std::string& workload :
       tested_workloads({"bfs", "hotspot", "matrix-multiply", "reduction"})) {
    for (const char* policy : {"token", "scalar-file"}) {
      SCOPED_TRACE(workload + " " + policy);
      const Machine machine = load_machine(
          "uniform", {std::string("redundancy.policy=") + policy, "redundancy.detect_errors=yes"});
      FaultInjection injection;
      const WorkloadOnChip run = run_on_chip(machine, workload, {.injection = &injection});
      const auto sum = [&](std::string_view counter) {
        std::uint64_t result = 0;
        for (const KernelRun& each : run.runs) result += counter_of(each, run.counters, counter);
        return result;
      };
      sm::FaultMoments all{};
      for (const sm::FaultMoments& each : injection.moments) {
        for (std::size_t i = 0; i < all.size(); ++i) all.values_[i] += each.values_[i];
      }
      EXPECT_EQ(all[FaultSite::lanes], sum("redundancy.errors.operations"));
      EXPECT_EQ(all[FaultSite::registers], sum("redundancy.errors.live_cycles"));
      EXPECT_GE(all[FaultSite::scalars], sum("redundancy.errors.protected_live_cycles"));
      // Counting does not change the run.
      const WorkloadOnChip plain = run_on_chip(machine, workload);
      EXPECT_EQ(difference(run.runs, plain.runs, plain.counters), "");
    }
  }
}

}  // namespace
}  // namespace heddle::gpu::test
