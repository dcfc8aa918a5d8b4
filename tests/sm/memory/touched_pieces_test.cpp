#include "sm/memory/touched_pieces.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <vector>

namespace heddle::sm {
namespace {

using memory::LaneAddresses;
using memory::Segment;
using memory::Segments;

/// Lane i accesses base + i * step.
LaneAddresses strided(std::uint64_t base, std::uint64_t step) {
  LaneAddresses addresses{};
  for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) addresses[lane] = base + lane * step;
  return addresses;
}

std::vector<Segment> pieces(const LaneAddresses& addresses, LaneMask lanes,
                            std::uint32_t piece_bytes) {
  Segments found;
  found.push_back({.address = 1, .lanes = LaneMask::all()});  // Stale content.
  find_touched_pieces(addresses, lanes, piece_bytes, found);
  return {found.begin(), found.end()};
}

/// Finds the pieces lane by lane.
std::vector<Segment> expected_pieces(const LaneAddresses& addresses, LaneMask lanes,
                                     std::uint32_t piece_bytes) {
  std::vector<Segment> expected;
  for (std::size_t lane = 0; lane < addresses.size(); ++lane) {
    if (!lanes.contains(static_cast<int>(lane))) continue;
    const std::uint64_t address = addresses[lane] / piece_bytes * piece_bytes;
    auto piece = expected.begin();
    while (piece != expected.end() && piece->address != address) ++piece;
    if (piece == expected.end()) {
      piece = expected.insert(piece, {.address = address, .lanes = {}, .sectors = 1});
    }
    piece->lanes = piece->lanes | LaneMask::of_lane(static_cast<int>(lane));
  }
  return expected;
}

TEST(TouchedPieces, AgreeWithLaneByLaneSearch) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20'000; ++round) {
    const std::uint32_t piece_bytes = 4U << random() % 6;
    const std::uint64_t steps[] = {0, 4, 8, 100, std::uint64_t{0} - 4};
    LaneAddresses addresses = strided(random() % 100'000, steps[random() % 5]);
    for (std::uint64_t& address : addresses) {
      if (random() % 8 == 0) address = 1000 + random() % 500;
    }
    const auto bits = static_cast<std::uint32_t>(random());
    const LaneMask lanes = random() % 2 == 0 ? LaneMask::all() : LaneMask(bits | 1);
    ASSERT_EQ(pieces(addresses, lanes, piece_bytes), expected_pieces(addresses, lanes, piece_bytes))
        << "round " << round << ", pieces of " << piece_bytes << ", lanes " << lanes.bits();
  }
}

TEST(TouchedPieces, CountsLanesWithMostFrequentAddress) {
  LaneAddresses addresses = strided(0x1000, 4);
  EXPECT_EQ(max_lanes_per_address(addresses, {}), 0);
  EXPECT_EQ(max_lanes_per_address(addresses, LaneMask::all()), 1);
  addresses[3] = addresses[17] = addresses[0];
  EXPECT_EQ(max_lanes_per_address(addresses, LaneMask::all()), 3);
  EXPECT_EQ(max_lanes_per_address(addresses, LaneMask(1U << 3 | 1U << 1)), 1);
}

}  // namespace
}  // namespace heddle::sm
