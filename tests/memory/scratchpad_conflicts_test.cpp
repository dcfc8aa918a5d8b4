#include "memory/scratchpad_conflicts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "memory/lane_traffic.h"

namespace heddle::memory {
namespace {

using SameWord = ScratchpadConflicts::SameWord;
using testing::HasSubstr;

constexpr ScratchpadParameters kHalfWarps{.banks = 16, .bank_bytes = 4, .pass_bytes = 64};
constexpr ScratchpadParameters kClusters{.banks = 8, .bank_bytes = 16, .pass_bytes = 128};

/// The passes of an access in which lane i accesses the address base + i * step.
std::uint32_t passes(std::uint64_t step, std::uint32_t bytes = 4,
                     const ScratchpadParameters& parameters = {}, std::uint64_t base = 0,
                     LaneMask active = LaneMask::all(), SameWord same_word = SameWord::shared) {
  LaneAddresses addresses{};
  for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) addresses[lane] = base + lane * step;
  return ScratchpadConflicts(parameters).passes(addresses, active, bytes, same_word);
}

/// The passes of an atomic, for which lanes with the same word are serialised.
std::uint32_t atomic_passes(std::uint64_t step, std::uint32_t bytes = 4,
                            const ScratchpadParameters& parameters = {},
                            LaneMask active = LaneMask::all()) {
  return passes(step, bytes, parameters, 0, active, SameWord::serialised);
}

TEST(ScratchpadConflicts, ConsecutiveWordsTakeOnePass) {
  EXPECT_EQ(passes(4), 1);
  EXPECT_EQ(passes(4, 4, {}, 0x44), 1);  // The first word may be in any bank.
}

TEST(ScratchpadConflicts, LanesOfOneWordShareAPass) {
  EXPECT_EQ(passes(0), 1);
  EXPECT_EQ(passes(1, 1), 1);  // 4 lanes per word, 8 words.
  EXPECT_EQ(passes(2, 2), 1);
}

TEST(ScratchpadConflicts, StrideConflictsByCommonDivisorWithBanks) {
  EXPECT_EQ(passes(2 * 4), 2);
  EXPECT_EQ(passes(3 * 4), 1);
  EXPECT_EQ(passes(4 * 4), 4);
  EXPECT_EQ(passes(12 * 4), 4);
  EXPECT_EQ(passes(31 * 4), 1);
  EXPECT_EQ(passes(32 * 4), 32);
  EXPECT_EQ(passes(33 * 4), 1);  // The padded column of a matrix.
}

TEST(ScratchpadConflicts, BusiestBankDeterminesPasses) {
  LaneAddresses addresses{};
  for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) addresses[lane] = lane * 4;
  addresses[7] = 9 * 4 + 128;  // Bank 9 has two words.
  addresses[8] = 9 * 4 + 256;  // Bank 9 has three words.
  addresses[5] = 9 * 4 + 128;  // Bank 9 still has three words.
  addresses[4] = 3 * 4 + 128;  // Bank 3 has two words.
  EXPECT_EQ(ScratchpadConflicts({}).passes(addresses, LaneMask::all(), 4), 3);
  EXPECT_EQ(ScratchpadConflicts({}).passes(addresses, LaneMask::all().without(LaneMask(0x180)), 4),
            2);
}

TEST(ScratchpadConflicts, IgnoresInactiveLanes) {
  EXPECT_EQ(passes(128, 4, {}, 0, {}), 0);
  EXPECT_EQ(passes(128, 4, {}, 0, LaneMask(0x80010010)), 3);
  EXPECT_EQ(passes(128, 4, {}, 0, LaneMask(0x00010000)), 1);
}

TEST(ScratchpadConflicts, ServesWideAccessesByHalfOrQuarterWarp) {
  EXPECT_EQ(passes(8, 8), 2);
  EXPECT_EQ(passes(16, 16), 4);
  EXPECT_EQ(passes(16, 8), 4);  // A half-warp uses every other pair of banks, with two words each.
  EXPECT_EQ(passes(24, 8), 2);
  EXPECT_EQ(passes(0, 8), 2);   // Half-warps share no pass.
  EXPECT_EQ(passes(0, 16), 4);  // Quarters of a warp share no pass.
  EXPECT_EQ(passes(8, 8, {}, 0, LaneMask(0x0000ffff)), 1);
  EXPECT_EQ(passes(8, 8, {}, 0, LaneMask(0x0001ffff)), 2);
  EXPECT_EQ(passes(16, 16, {}, 0, LaneMask(0xff0000ff)), 2);
}

TEST(ScratchpadConflicts, SupportsHalfWarpsOfOlderHardware) {
  EXPECT_EQ(passes(4, 4, kHalfWarps), 2);
  EXPECT_EQ(passes(0, 4, kHalfWarps), 2);
  EXPECT_EQ(passes(8, 4, kHalfWarps), 4);
  EXPECT_EQ(passes(64, 4, kHalfWarps), 32);
  EXPECT_EQ(passes(8, 8, kHalfWarps), 4);
  EXPECT_EQ(passes(4, 4, kHalfWarps, 0, LaneMask(0xffff)), 1);
}

TEST(ScratchpadConflicts, SupportsWideBanks) {
  EXPECT_EQ(passes(4, 4, kClusters), 1);
  EXPECT_EQ(passes(4, 4, kClusters, 8), 2);  // Half a word at each end: 9 words in 8 banks.
  EXPECT_EQ(passes(8, 4, kClusters), 2);
  EXPECT_EQ(passes(33 * 4, 4, kClusters), 4);  // 32 narrow banks need only one pass.
  EXPECT_EQ(passes(128, 4, kClusters), 32);
  EXPECT_EQ(passes(16, 16, kClusters), 4);
  EXPECT_EQ(passes(16, 4, {.banks = 32, .bank_bytes = 16}), 1);
}

TEST(ScratchpadConflicts, SerialisesAtomicsOnOneWord) {
  EXPECT_EQ(atomic_passes(4), 1);
  EXPECT_EQ(atomic_passes(0), 32);
  EXPECT_EQ(atomic_passes(0, 4, {}, LaneMask(0x10f)), 5);
  EXPECT_EQ(atomic_passes(128), 32);
  EXPECT_EQ(atomic_passes(8), 2);
  EXPECT_EQ(atomic_passes(2, 2), 2);
  EXPECT_EQ(atomic_passes(8, 8), 2);
  EXPECT_EQ(atomic_passes(0, 8), 32);
  EXPECT_EQ(atomic_passes(4, 4, kClusters), 4);  // A word has the bank's width: it holds 4 lanes.
}

TEST(ScratchpadConflicts, RejectsImpossibleParameters) {
  const auto error = [](const ScratchpadParameters& parameters) -> std::string {
    try {
      const ScratchpadConflicts conflicts(parameters);
    } catch (const InputError& caught) {
      return caught.what();
    }
    return "none";
  };
  EXPECT_THAT(error({.banks = 0}), HasSubstr("power of two up to 64, not 0"));
  EXPECT_THAT(error({.banks = 24}), HasSubstr("not 24"));
  EXPECT_THAT(error({.banks = 128}), HasSubstr("not 128"));
  EXPECT_THAT(error({.bank_bytes = 0}), HasSubstr("4, 8 or 16 bytes wide, not 0"));
  EXPECT_THAT(error({.bank_bytes = 2}), HasSubstr("not 2"));
  EXPECT_THAT(error({.bank_bytes = 12}), HasSubstr("not 12"));
  EXPECT_THAT(error({.bank_bytes = 32}), HasSubstr("not 32"));
  EXPECT_THAT(error({.banks = 2, .bank_bytes = 4}), HasSubstr("cannot serve the widest"));
  EXPECT_THAT(error({.pass_bytes = 8}), HasSubstr("not 8"));
  EXPECT_THAT(error({.pass_bytes = 96}), HasSubstr("not 96"));
  EXPECT_EQ(error({.banks = 1, .bank_bytes = 16, .pass_bytes = 16}), "none");
  EXPECT_EQ(error({.banks = 64, .bank_bytes = 16, .pass_bytes = 1024}), "none");
}

/// Computes the expected number of passes byte by byte, from the words that each bank serves.
std::uint32_t expected_of(const ScratchpadParameters& parameters, const WarpAccess& access,
                          SameWord same_word) {
  std::uint32_t lanes = parameters.pass_bytes / std::max(4U, access.bytes_per_lane);
  lanes = std::min(lanes, 32U);
  std::size_t passes = 0;
  for (std::uint32_t group = 0; group < 32; group += lanes) {
    // The words of each bank. If lanes with the same word are serialised, each word has its lane.
    std::map<std::uint64_t, std::set<std::pair<std::uint64_t, std::uint32_t>>> banks;
    for (std::uint32_t lane = group; lane < group + lanes; ++lane) {
      if (!access.active.contains(static_cast<int>(lane))) continue;
      for (std::uint32_t byte = 0; byte < access.bytes_per_lane; ++byte) {
        const std::uint64_t word = (access.addresses[lane] + byte) / parameters.bank_bytes;
        banks[word % parameters.banks].emplace(word, same_word == SameWord::shared ? 0 : lane);
      }
    }
    std::size_t most = 0;
    for (const auto& [bank, words] : banks) most = std::max(most, words.size());
    passes += most;
  }
  return static_cast<std::uint32_t>(passes);
}

TEST(ScratchpadConflicts, AgreesWithByteByByteModel) {
  LaneTraffic traffic(2);
  for (const ScratchpadParameters parameters :
       {ScratchpadParameters{}, kHalfWarps, kClusters, ScratchpadParameters{32, 8, 128},
        ScratchpadParameters{32, 16, 128}, ScratchpadParameters{32, 16, 512},
        ScratchpadParameters{64, 4, 256}, ScratchpadParameters{4, 4, 16}}) {
    const ScratchpadConflicts conflicts(parameters);
    for (int i = 0; i < 4000; ++i) {
      const WarpAccess access = traffic.next();
      for (const SameWord same_word : {SameWord::shared, SameWord::serialised}) {
        ASSERT_EQ(
            conflicts.passes(access.addresses, access.active, access.bytes_per_lane, same_word),
            expected_of(parameters, access, same_word))
            << "access " << i << ", " << access.bytes_per_lane << " bytes a lane, "
            << parameters.banks << " banks of " << parameters.bank_bytes << ", "
            << parameters.pass_bytes << " a pass, "
            << (same_word == SameWord::shared ? "shared" : "serialised");
      }
    }
  }
}

}  // namespace
}  // namespace heddle::memory
