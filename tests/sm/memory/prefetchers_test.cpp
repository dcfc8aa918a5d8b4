// Which lines the prefetchers propose.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "configure.h"
#include "sm/memory/prefetch/prefetcher.h"

namespace heddle::sm {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Outcome = DemandAccess::Outcome;
using Lines = std::vector<std::uint64_t>;

std::unique_ptr<Prefetcher> prefetcher(std::initializer_list<std::string_view> settings) {
  const auto description = configure<PrefetchDescription>(settings);
  description.check();
  return make_prefetcher(description);
}

Lines lines_for(Prefetcher& prefetcher, const DemandAccess& access) {
  ProposedLines proposed;
  prefetcher.observe(access, proposed);
  return {proposed.begin(), proposed.end()};
}

TEST(NoPrefetch, HasNoPrefetcher) { EXPECT_EQ(prefetcher({"policy=none"}), nullptr); }

TEST(NextLine, ProposesLinesAfterMissOnly) {
  const auto policy = prefetcher({"policy=next-line", "degree=3"});
  EXPECT_THAT(lines_for(*policy, {.line = 10, .outcome = Outcome::miss}), ElementsAre(11, 12, 13));
  EXPECT_THAT(lines_for(*policy, {.line = 10, .outcome = Outcome::hit}), IsEmpty());
  EXPECT_THAT(lines_for(*policy, {.line = 10, .outcome = Outcome::merged}), IsEmpty());
}

TEST(Stride, ProposesOnceStrideIsRepeatedOftenEnough) {
  const auto policy = prefetcher({"policy=stride", "confidence=2", "degree=2"});
  EXPECT_THAT(lines_for(*policy, {.line = 100}), IsEmpty()) << "a new entry";
  EXPECT_THAT(lines_for(*policy, {.line = 103}), IsEmpty()) << "the stride is 3";
  EXPECT_THAT(lines_for(*policy, {.line = 106}), IsEmpty()) << "repeated once";
  EXPECT_THAT(lines_for(*policy, {.line = 109}), ElementsAre(112, 115)) << "repeated twice";
}

TEST(Stride, FollowsDescendingLines) {
  const auto policy = prefetcher({"policy=stride", "confidence=1"});
  for (const std::uint64_t line : {50u, 40u}) lines_for(*policy, {.line = line});
  EXPECT_THAT(lines_for(*policy, {.line = 30}), ElementsAre(20));
}

TEST(Stride, KeepsStrideOverSingleIrregularAccess) {
  const auto policy = prefetcher({"policy=stride", "confidence=1"});
  for (const std::uint64_t line : {1u, 2u, 3u, 4u}) lines_for(*policy, {.line = line});
  EXPECT_THAT(lines_for(*policy, {.line = 90}), ElementsAre(91)) << "confidence falls from 2 to 1";
  EXPECT_THAT(lines_for(*policy, {.line = 91}), ElementsAre(92));
}

TEST(Stride, LearnsNewStrideWhenConfidenceIsLost) {
  const auto policy = prefetcher({"policy=stride", "confidence=1"});
  for (const std::uint64_t line : {1u, 2u, 3u}) lines_for(*policy, {.line = line});
  EXPECT_THAT(lines_for(*policy, {.line = 13}), IsEmpty()) << "confidence falls to 0";
  EXPECT_THAT(lines_for(*policy, {.line = 23}), IsEmpty()) << "the stride becomes 10";
  EXPECT_THAT(lines_for(*policy, {.line = 33}), ElementsAre(43));
}

TEST(Stride, RepeatedLineChangesNothing) {
  const auto policy = prefetcher({"policy=stride", "confidence=1"});
  for (const std::uint64_t line : {1u, 2u, 2u, 2u}) lines_for(*policy, {.line = line});
  EXPECT_THAT(lines_for(*policy, {.line = 3}), ElementsAre(4));
}

TEST(Stride, EachAccessOfInstructionProposesAtItsStride) {
  const auto policy = prefetcher({"policy=stride", "confidence=1"});
  for (const std::uint64_t line : {0u, 8u, 16u}) {
    lines_for(*policy, {.line = line, .index = 0});
    lines_for(*policy, {.line = line + 1, .index = 1});
  }
  EXPECT_THAT(lines_for(*policy, {.line = 24, .index = 0}), ElementsAre(32));
  EXPECT_THAT(lines_for(*policy, {.line = 25, .index = 1}), ElementsAre(33));
}

TEST(Stride, SeparatesWarpsAndInstructions) {
  const auto policy = prefetcher({"policy=stride", "confidence=1"});
  for (std::uint64_t i = 0; i < 2; ++i) {
    lines_for(*policy, {.line = i, .warp = 0, .pc = 5});
    lines_for(*policy, {.line = 100 + 2 * i, .warp = 1, .pc = 5});
    lines_for(*policy, {.line = 200 + 3 * i, .warp = 0, .pc = 6});
  }
  EXPECT_THAT(lines_for(*policy, {.line = 2, .warp = 0, .pc = 5}), ElementsAre(3));
  EXPECT_THAT(lines_for(*policy, {.line = 104, .warp = 1, .pc = 5}), ElementsAre(106));
  EXPECT_THAT(lines_for(*policy, {.line = 206, .warp = 0, .pc = 6}), ElementsAre(209));
}

TEST(Stride, ForgetsBetweenKernels) {
  const auto policy = prefetcher({"policy=stride", "confidence=1"});
  for (const std::uint64_t line : {1u, 2u, 3u}) lines_for(*policy, {.line = line});
  policy->invalidate();
  EXPECT_THAT(lines_for(*policy, {.line = 4}), IsEmpty());
}

/// A load of one line at this address, on lines of 128 bytes.
DemandAccess at(std::uint64_t address) { return {.line = address / 128, .address = address}; }

TEST(StrideByAddress, TrainsWithinALine) {
  const auto policy = prefetcher({"policy=stride", "by_address=yes", "confidence=2"});
  for (const std::uint64_t address : {1024u, 1072u, 1120u}) {
    EXPECT_THAT(lines_for(*policy, at(address)), IsEmpty()) << address;
  }
  for (const std::uint64_t address : {1168u, 1216u}) {
    EXPECT_THAT(lines_for(*policy, at(address)), IsEmpty()) << "the next address is in line 9, too";
  }
  EXPECT_THAT(lines_for(*policy, at(1264)), ElementsAre(10)) << "the line of 1312";
}

TEST(StrideByAddress, ReplacesItsStrideAtEachAccess) {
  const auto policy = prefetcher({"policy=stride", "by_address=yes", "confidence=1"});
  for (const std::uint64_t address : {128u, 256u, 384u, 512u}) lines_for(*policy, at(address));
  EXPECT_THAT(lines_for(*policy, at(1024)), ElementsAre(12))
      << "confidence falls from 2 to 1, and the stride becomes 4 lines";
  EXPECT_THAT(lines_for(*policy, at(1536)), ElementsAre(16));
  EXPECT_THAT(lines_for(*policy, at(1664)), ElementsAre(14)) << "confidence is 1 again";
  EXPECT_THAT(lines_for(*policy, at(1728)), IsEmpty()) << "confidence is 0";
}

TEST(StrideByAddress, EachAccessOfInstructionProposesFromItsOwnAddress) {
  const auto policy = prefetcher({"policy=stride", "by_address=yes", "confidence=1"});
  // Two lines of a load whose lanes lie 64 bytes behind a line's begin.
  for (std::uint64_t address = 64; address <= 64 + 2 * 320; address += 320) {
    lines_for(*policy, at(address));
    DemandAccess second = at((address / 128 + 1) * 128);
    second.index = 1;
    lines_for(*policy, second);
  }
  EXPECT_THAT(lines_for(*policy, at(1024)), ElementsAre(10)) << "the line of 1344";
  DemandAccess second = at(1152);
  second.index = 1;
  EXPECT_THAT(lines_for(*policy, second), ElementsAre(11)) << "the line of 1472";
}

TEST(Stride, RejectsEntriesThatAreNoPowerOfTwo) {
  EXPECT_THROW(prefetcher({"policy=stride", "entries=100"}), InputError);
  EXPECT_NO_THROW(prefetcher({"policy=next-line", "entries=100"}));
}

/// A model of the table. It keeps the lines of each load since its entry was allocated, and derives
/// stride and confidence from them anew for each access.
class StrideModel {
 public:
  StrideModel(std::uint32_t index_bits, std::uint32_t threshold, std::uint32_t degree)
      : index_bits_(index_bits), threshold_(threshold), degree_(degree) {}

  Lines observe(const DemandAccess& access) {
    std::uint32_t index = 0;
    for (std::uint32_t rest = access.pc; rest != 0; rest >>= index_bits_) index ^= rest & mask();
    for (std::uint32_t rest = access.warp; rest != 0; rest >>= index_bits_) index ^= rest & mask();
    Load& load = loads_[index];
    const bool is_other = load.lines.empty() || load.pc != access.pc || load.warp != access.warp;
    if (access.index == 0) {
      if (is_other) load = {.pc = access.pc, .warp = access.warp, .lines = {}};
      load.lines.push_back(access.line);
    } else if (is_other) {
      return {};
    }
    std::uint64_t stride = 0;
    std::uint32_t confidence = 0;
    for (std::size_t i = 1; i < load.lines.size(); ++i) {
      const std::uint64_t step = load.lines[i] - load.lines[i - 1];
      if (step == 0) continue;
      if (step == stride) {
        confidence = std::min(confidence + 1, 3U);
      } else if (confidence > 0) {
        --confidence;
      } else {
        stride = step;
      }
    }
    Lines proposed;
    for (std::uint64_t i = 1; confidence >= threshold_ && i <= degree_; ++i) {
      proposed.push_back(access.line + i * stride);
    }
    return proposed;
  }

 private:
  struct Load {
    std::uint32_t pc = 0;
    WarpSlot warp = 0;
    Lines lines;
  };
  std::uint32_t mask() const { return (1U << index_bits_) - 1; }

  std::uint32_t index_bits_;
  std::uint32_t threshold_;
  std::uint32_t degree_;
  std::map<std::uint32_t, Load> loads_;
};

TEST(Stride, MatchesModelOfTable) {
  const auto policy = prefetcher({"policy=stride", "entries=8", "confidence=2", "degree=2"});
  StrideModel model(3, 2, 2);
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t end) { return random() % end; };
  std::map<std::pair<std::uint32_t, WarpSlot>, std::uint64_t> lines;
  std::size_t proposals = 0;
  for (int i = 0; i < 20000; ++i) {
    // A few loads repeat often, and others sometimes take their entries.
    const auto pc = static_cast<std::uint32_t>(below(8) == 0 ? below(64) : below(3));
    const auto warp = static_cast<WarpSlot>(below(16) == 0 ? below(64) : below(3));
    std::uint64_t& line = lines.try_emplace({pc, warp}, 1U << 20).first->second;
    if (below(4) != 0) line += below(12) == 0 ? below(100) - 50 : pc + 1;
    const auto accesses = static_cast<std::uint32_t>(1 + below(3));
    for (std::uint32_t index = 0; index < accesses; ++index) {
      const DemandAccess access{.line = line + index, .warp = warp, .pc = pc, .index = index};
      const Lines expected = model.observe(access);
      ASSERT_EQ(lines_for(*policy, access), expected) << "access " << i;
      proposals += expected.size();
    }
  }
  EXPECT_GT(proposals, 1000u);
}

}  // namespace
}  // namespace heddle::sm
