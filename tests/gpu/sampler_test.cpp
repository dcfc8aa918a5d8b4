// The boundaries of a launch's samples. A sample is the increase of the counters in an interval.

#include "gpu/sampler.h"

#include <gtest/gtest.h>

#include <utility>

namespace heddle::gpu {
namespace {

using Counters = std::vector<std::uint64_t>;

/// A sampler for a launch that begins in cycle 1000, when the two counters are 7 and 70.
Sampler sampler_with_interval(std::uint64_t interval) {
  return {Cycles(interval), Cycle(1000), {7, 70}};
}

void expect_sample(const Sample& sample, std::uint64_t begin, std::uint64_t end,
                   const Counters& counters) {
  EXPECT_EQ(sample.begin, Cycle(begin));
  EXPECT_EQ(sample.end, Cycle(end));
  EXPECT_EQ(sample.counters, counters);
}

TEST(Sampler, IsDueAtMultiplesOfItsInterval) {
  Sampler sampler = sampler_with_interval(100);
  EXPECT_FALSE(sampler.is_due(Cycle(1099)));
  EXPECT_TRUE(sampler.is_due(Cycle(1100)));
  sampler.take(Cycle(1130), {8, 75});
  EXPECT_FALSE(sampler.is_due(Cycle(1199)));
  EXPECT_TRUE(sampler.is_due(Cycle(1200)));
  // Skipped intervals become one sample.
  sampler.take(Cycle(1520), {9, 75});
  EXPECT_FALSE(sampler.is_due(Cycle(1599)));
  EXPECT_TRUE(sampler.is_due(Cycle(1600)));
}

TEST(Sampler, TakesContiguousDifferences) {
  Sampler sampler = sampler_with_interval(100);
  sampler.take(Cycle(1130), {8, 75});
  sampler.take(Cycle(1520), {8, 90});
  const std::vector<Sample> samples = sampler.finish(Cycle(1600), {10, 91});
  ASSERT_EQ(samples.size(), 3U);
  expect_sample(samples[0], 1000, 1130, {1, 5});
  expect_sample(samples[1], 1130, 1520, {0, 15});
  expect_sample(samples[2], 1520, 1600, {2, 1});
}

TEST(Sampler, MergesAShortRemainderIntoTheLastSample) {
  for (const auto& [end, samples] : {std::pair{1149, 1U}, std::pair{1150, 2U}}) {
    Sampler sampler = sampler_with_interval(100);
    sampler.take(Cycle(1100), {8, 75});
    const std::vector<Sample> taken =
        sampler.finish(Cycle(static_cast<std::uint64_t>(end)), {9, 99});
    ASSERT_EQ(taken.size(), samples);
    EXPECT_EQ(taken.back().end, Cycle(static_cast<std::uint64_t>(end)));
    EXPECT_EQ(taken.back().counters[1], samples == 1 ? 29U : 24U);
  }
}

TEST(Sampler, TakesOneSampleOfAShortLaunch) {
  Sampler sampler = sampler_with_interval(100);
  const std::vector<Sample> samples = sampler.finish(Cycle(1003), {8, 70});
  ASSERT_EQ(samples.size(), 1U);
  expect_sample(samples[0], 1000, 1003, {1, 0});
}

TEST(Sampler, CountsLateEventsInAnEmptySample) {
  Sampler sampler = sampler_with_interval(100);
  sampler.take(Cycle(1100), {8, 75});
  sampler.end(Cycle(1180), {9, 76});
  const std::vector<Sample> samples = sampler.finish(Cycle(1180), {9, 80});
  ASSERT_EQ(samples.size(), 3U);
  expect_sample(samples[1], 1100, 1180, {1, 1});
  expect_sample(samples[2], 1180, 1180, {0, 4});
}

TEST(Sampler, TakesNoSampleOfAnEmptyLaunch) {
  Sampler sampler = sampler_with_interval(100);
  EXPECT_TRUE(sampler.finish(Cycle(1000), {7, 70}).empty());
}

}  // namespace
}  // namespace heddle::gpu
