// Resident forms of workloads, on GPUs that hold one block or several at once. A resident form
// launches only as many blocks as the GPU holds; each block loops over its share of the work.

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "exec/engine.h"
#include "gpu/sanitized.h"
#include "workload/run.h"
#include "workload/simulated_device.h"

namespace heddle::workload {
namespace {

/// An engine without timing. It reports that the GPU holds the given number of blocks at once.
class EngineWithBlocks final : public exec::Engine {
 public:
  explicit EngineWithBlocks(std::uint64_t blocks) : blocks_(blocks) {}
  exec::GridResult run(const exec::Launch& launch) override { return exec::run_grid(launch); }
  std::uint64_t resident_blocks(const exec::Launch&) const override { return blocks_; }

 private:
  std::uint64_t blocks_;
};

RunResult run_resident(const std::string& name, std::uint64_t blocks, Size size = Size::tiny) {
  EngineWithBlocks engine(blocks);
  RunOptions options;
  options.size = size;
  options.grid = GridChoice::resident;
  options.device.engine = &engine;
  return run_workload(find_workload(name), options);
}

TEST(ResidentForms, AreCorrectOnOneBlockAndOnSeveral) {
  for (const Workload* workload : all_workloads()) {
    if (!workload->resident) continue;
    for (const std::uint64_t blocks : {1U, 3U}) {
      const RunResult result = run_resident(workload->name, blocks);
      EXPECT_TRUE(result.check.passed()) << workload->name << " on " << blocks << " blocks";
    }
  }
}

TEST(ResidentForms, StartAsManyBlocksAsFitOrHaveWork) {
  const auto launched_blocks = [](std::uint64_t resident_blocks) {
    return run_resident("black-scholes", resident_blocks).launches.front().shape.grid.count();
  };
  EXPECT_EQ(launched_blocks(3), 3U);
  EXPECT_EQ(launched_blocks(1000), 5U) << "5000 options need no more blocks";
}

TEST(ResidentForms, UseOneLaunchIfOneBlockDoesAll) {
  EXPECT_EQ(run_resident("hotspot", 1).launches.size(), 1U);
  EXPECT_EQ(run_resident("needle", 1).launches.size(), 1U);
}

TEST(ResidentForms, LaunchEachStepIfSeveralBlocksSynchronise) {
  const RunResult hotspot = run_resident("hotspot", 3);
  EXPECT_EQ(hotspot.launches.size(), 3U);
  EXPECT_EQ(hotspot.launches.front().shape.grid, Dim3{3});

  const RunResult needle = run_resident("needle", 3, Size::medium);
  EXPECT_TRUE(needle.check.passed());
  EXPECT_EQ(needle.launches.size(), 2050U + 1800U - 1) << "one launch for each diagonal";
  EXPECT_EQ(needle.launches.front().shape.grid, Dim3{2}) << "a diagonal has at most 1800 cells";
}

class MediumResidentForms : public testing::TestWithParam<std::string> {};

TEST_P(MediumResidentForms, ExecuteAboutThePapersNumberOfInstructions) {
  if (gpu::test::kSanitized) GTEST_SKIP() << "smaller sizes run the same code";
  const RunResult result = run_resident(GetParam(), 1, Size::medium);
  EXPECT_TRUE(result.check.passed());
  EXPECT_GT(result.thread_instructions(), 110'000'000U);
  EXPECT_LT(result.thread_instructions(), 200'000'000U);
}

INSTANTIATE_TEST_SUITE_P(, MediumResidentForms,
                         testing::Values("bfs", "blackjack", "bucket-sort", "histogram", "hotspot",
                                         "needle", "reduction", "viterbi"),
                         [](const testing::TestParamInfo<std::string>& tested) {
                           return tested.param == "bucket-sort" ? "bucket_sort" : tested.param;
                         });

/// The characters' counts, computed by one block of histogram's resident form.
std::vector<std::uint32_t> count_characters(const std::string& text) {
  constexpr std::uint32_t kBlock = 1024;
  constexpr std::uint32_t kWordsOfCounters = 32;
  SimulatedDevice device(find_workload("histogram"));
  const auto bytes = static_cast<std::uint32_t>(text.size());
  const auto characters = device.upload(std::vector<char>(text.begin(), text.end()), "text");
  const auto counters = device.allocate<std::uint32_t>(kBlock * kWordsOfCounters, "counters");
  const auto histogram = device.upload(std::vector<std::uint32_t>(256, 0), "histogram");
  const LaunchShape shape{.grid = {1}, .block = {kBlock}};
  device.launch("count_characters_resident", shape, characters, bytes / 4, bytes, counters,
                histogram);
  device.launch("merge_counts_resident", shape, counters, kBlock, histogram);
  return device.download(histogram);
}

std::vector<std::uint32_t> counts_of(const std::map<unsigned char, std::uint32_t>& characters) {
  std::vector<std::uint32_t> counts(256, 0);
  for (const auto& [character, count] : characters) counts[character] = count;
  return counts;
}

TEST(ResidentHistogram, EmptiesCountersOfOneByteWhenTheyOverflow) {
  // 1024 threads process 260 characters each, and three of them one more.
  EXPECT_EQ(count_characters(std::string(1024 * 260 + 3, 'a')), counts_of({{'a', 1024 * 260 + 3}}));
  // Each thread processes 256 characters. The 256th overflows its counter to 0.
  EXPECT_EQ(count_characters(std::string(1024 * 256, 'a')), counts_of({{'a', 1024 * 256}}));
}

TEST(ResidentHistogram, CountsCharactersBeyondAscii) {
  EXPECT_EQ(count_characters("\xe9t\xe9 \xff\x80\x7f"),
            counts_of({{0xe9, 2}, {'t', 1}, {' ', 1}, {0xff, 1}, {0x80, 1}, {0x7f, 1}}));
}

}  // namespace
}  // namespace heddle::workload
