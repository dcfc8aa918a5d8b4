#include "memory/coalescer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "memory/lane_traffic.h"

namespace heddle::memory {

void PrintTo(const Segment& segment, std::ostream* out) {
  *out << std::hex << "{address 0x" << segment.address << ", lanes 0x" << segment.lanes.bits()
       << ", sectors 0x" << segment.sectors << "}" << std::dec;
}

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<Segment> coalesce(const CoalescerParameters& parameters, const WarpAccess& access) {
  Segments segments;
  segments.push_back({.address = 1, .lanes = LaneMask::all(), .sectors = 1});  // Stale content.
  Coalescer(parameters).coalesce(access.addresses, access.active, access.bytes_per_lane, segments);
  return {segments.begin(), segments.end()};
}

/// Lane i accesses base + i * step, modulo 2^64.
WarpAccess strided(std::uint64_t base, std::uint64_t step, std::uint32_t bytes = 4,
                   LaneMask active = LaneMask::all()) {
  WarpAccess access{.active = active, .bytes_per_lane = bytes};
  for (std::uint64_t lane = 0; lane < kWarpSize; ++lane) {
    access.addresses[lane] = base + lane * step;
  }
  return access;
}

Segment segment(std::uint64_t address, std::uint32_t lanes, std::uint32_t sectors) {
  return {.address = address, .lanes = LaneMask(lanes), .sectors = sectors};
}

TEST(Coalescer, MakesOneSegmentOfAlignedWarp) {
  EXPECT_THAT(coalesce({}, strided(0x1000, 4)), ElementsAre(segment(0x1000, 0xffffffff, 0xf)));
}

TEST(Coalescer, MakesTwoSegmentsOfUnalignedWarp) {
  EXPECT_THAT(coalesce({}, strided(0x1020, 4)),
              ElementsAre(segment(0x1000, 0x00ffffff, 0xe), segment(0x1080, 0xff000000, 0x1)));
  EXPECT_THAT(coalesce({}, strided(0x1004, 4)),
              ElementsAre(segment(0x1000, 0x7fffffff, 0xf), segment(0x1080, 0x80000000, 0x1)));
}

TEST(Coalescer, MakesMoreSegmentsOfWideAccesses) {
  EXPECT_THAT(coalesce({}, strided(0x1000, 8, 8)),
              ElementsAre(segment(0x1000, 0x0000ffff, 0xf), segment(0x1080, 0xffff0000, 0xf)));
  EXPECT_THAT(coalesce({}, strided(0x1000, 16, 16)),
              ElementsAre(segment(0x1000, 0x000000ff, 0xf), segment(0x1080, 0x0000ff00, 0xf),
                          segment(0x1100, 0x00ff0000, 0xf), segment(0x1180, 0xff000000, 0xf)));
}

TEST(Coalescer, MakesOneSectorOfUniformAddress) {
  EXPECT_THAT(coalesce({}, strided(0x1044, 0)), ElementsAre(segment(0x1000, 0xffffffff, 0x4)));
}

TEST(Coalescer, OrdersSegmentsByLowestLane) {
  WarpAccess access{.active = LaneMask(0b11110)};
  access.addresses = {0x9000, 0x3000, 0x1000, 0x3060, 0x2000};
  EXPECT_THAT(coalesce({}, access),
              ElementsAre(segment(0x3000, 0b01010, 0b1001), segment(0x1000, 0b00100, 1),
                          segment(0x2000, 0b10000, 1)));
}

TEST(Coalescer, CoalescesDescendingAddresses) {
  const std::uint64_t minus_four = 0 - std::uint64_t{4};
  EXPECT_THAT(coalesce({}, strided(0x1040, minus_four)),
              ElementsAre(segment(0x1000, 0x0001ffff, 0b111), segment(0xf80, 0xfffe0000, 0b1100)));
}

TEST(Coalescer, IgnoresInactiveLanes) {
  EXPECT_THAT(coalesce({}, strided(0x1000, 4, 4, {})), IsEmpty());
  EXPECT_THAT(coalesce({}, strided(0x1000, 4, 4, LaneMask(0x000f0001))),
              ElementsAre(segment(0x1000, 0x000f0001, 0b0101)));
}

TEST(Coalescer, SupportsSmallerSegmentsAndSectors) {
  EXPECT_THAT(coalesce({.segment_bytes = 64}, strided(0x1000, 4)),
              ElementsAre(segment(0x1000, 0x0000ffff, 0b11), segment(0x1040, 0xffff0000, 0b11)));
  EXPECT_THAT(coalesce({.sector_bytes = 4}, strided(0x1040, 8, 4, LaneMask(0xff))),
              ElementsAre(segment(0x1000, 0xff, 0x55550000)));
  EXPECT_THAT(
      coalesce({.segment_bytes = 32, .sector_bytes = 1}, strided(0x1000, 8, 2, LaneMask(0b1011))),
      ElementsAre(segment(0x1000, 0b1011, 0x03000303)));
}

TEST(Coalescer, CoalescesHalfWarpsSeparately) {
  EXPECT_THAT(
      coalesce({.group = 16}, strided(0x1000, 4)),
      ElementsAre(segment(0x1000, 0x0000ffff, 0b0011), segment(0x1000, 0xffff0000, 0b1100)));
  EXPECT_THAT(coalesce({.group = 16}, strided(0x1000, 0, 4, LaneMask(0xffff0000))),
              ElementsAre(segment(0x1000, 0xffff0000, 1)));
  EXPECT_EQ(coalesce({.group = 16}, strided(0x1000, 128)).size(), 32);
}

TEST(Coalescer, RejectsImpossibleParameters) {
  const auto error = [](const CoalescerParameters& parameters) -> std::string {
    try {
      const Coalescer coalescer(parameters);
    } catch (const InputError& caught) {
      return caught.what();
    }
    return "none";
  };
  EXPECT_THAT(error({.segment_bytes = 48}), HasSubstr("32, 64 or 128 bytes, not 48"));
  EXPECT_THAT(error({.segment_bytes = 0}), HasSubstr("not 0"));
  EXPECT_THAT(error({.segment_bytes = 256}), HasSubstr("not 256"));
  EXPECT_THAT(error({.sector_bytes = 0}), HasSubstr("sectors of 0"));
  EXPECT_THAT(error({.sector_bytes = 24}), HasSubstr("sectors of 24"));
  EXPECT_THAT(error({.sector_bytes = 2}), HasSubstr("sectors of 2"));
  EXPECT_THAT(error({.segment_bytes = 32, .sector_bytes = 64}), HasSubstr("sectors of 64"));
  EXPECT_THAT(error({.group = 8}), HasSubstr("not 8"));
  EXPECT_EQ(error({.segment_bytes = 32, .sector_bytes = 1, .group = 16}), "none");
}

/// Computes the expected segments byte by byte and lane by lane.
std::vector<Segment> expected_of(const CoalescerParameters& parameters, const WarpAccess& access) {
  std::vector<Segment> segments;
  for (std::uint32_t group = 0; group < 32; group += parameters.group) {
    std::vector<Segment> group_segments;
    for (std::uint32_t lane = group; lane < group + parameters.group; ++lane) {
      if (!access.active.contains(static_cast<int>(lane))) continue;
      std::set<std::uint64_t> touched;
      for (std::uint32_t byte = 0; byte < access.bytes_per_lane; ++byte) {
        const std::uint64_t address = access.addresses[lane] + byte;
        const std::uint64_t offset = address % parameters.segment_bytes;
        touched.insert(address - offset);
        auto found = group_segments.begin();
        while (found != group_segments.end() && found->address != address - offset) ++found;
        if (found == group_segments.end()) {
          found = group_segments.insert(found, segment(address - offset, 0, 0));
        }
        found->lanes = found->lanes | LaneMask::of_lane(static_cast<int>(lane));
        found->sectors |= 1U << offset / parameters.sector_bytes;
      }
      EXPECT_EQ(touched.size(), 1) << "an access must lie in one segment";
    }
    segments.insert(segments.end(), group_segments.begin(), group_segments.end());
  }
  return segments;
}

TEST(Coalescer, AgreesWithByteByByteModel) {
  LaneTraffic traffic(1);
  for (const std::uint32_t segment_bytes : {32U, 64U, 128U}) {
    for (const std::uint32_t sector_bytes : {4U, 16U, 32U}) {
      for (const std::uint32_t group : {16U, 32U}) {
        const CoalescerParameters parameters{
            .segment_bytes = segment_bytes, .sector_bytes = sector_bytes, .group = group};
        for (int i = 0; i < 2000; ++i) {
          const WarpAccess access = traffic.next();
          ASSERT_EQ(coalesce(parameters, access), expected_of(parameters, access))
              << "access " << i << ", " << access.bytes_per_lane << " bytes a lane, segments of "
              << segment_bytes << ", sectors of " << sector_bytes << ", groups of " << group;
        }
      }
    }
  }
}

}  // namespace
}  // namespace heddle::memory
