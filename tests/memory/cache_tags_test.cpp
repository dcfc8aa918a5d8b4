#include "memory/cache_tags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.h"

namespace heddle::memory {
namespace {

using Eviction = CacheTags::Eviction;
using Probe = CacheTags::Probe;
using Reservation = CacheTags::Reservation;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

// Two sets of two lines with four sectors each. Even lines are in set 0, odd lines in set 1.
CacheTags small_cache() {
  return CacheTags({.bytes = 512, .line_bytes = 128, .sector_bytes = 32, .ways = 2});
}

void load(CacheTags& tags, std::uint64_t line, SectorMask sectors = 0b1111, bool dirty = false) {
  ASSERT_TRUE(tags.insert(line, sectors, dirty).has_value());
}

std::vector<std::pair<std::uint64_t, SectorMask>> flush_to_list(CacheTags& tags) {
  std::vector<std::pair<std::uint64_t, SectorMask>> lines;
  tags.flush([&](std::uint64_t line, SectorMask dirty) { lines.emplace_back(line, dirty); });
  return lines;
}

TEST(CacheTags, MapsAddressesToLinesAndSectors) {
  const CacheTags tags = small_cache();
  EXPECT_EQ(tags.line_of(127), 0u);
  EXPECT_EQ(tags.line_of(128), 1u);
  EXPECT_EQ(tags.all_sectors(), 0b1111u);
  EXPECT_EQ(tags.sectors_of(128, 1), 0b0001u);
  EXPECT_EQ(tags.sectors_of(128, 32), 0b0001u);
  EXPECT_EQ(tags.sectors_of(128, 33), 0b0011u);
  EXPECT_EQ(tags.sectors_of(159, 2), 0b0011u);
  EXPECT_EQ(tags.sectors_of(224, 32), 0b1000u);
  EXPECT_EQ(tags.sectors_of(128, 128), 0b1111u);
}

TEST(CacheTags, PrefetchMarkLastsUntilItIsTakenOrItsLineIsGone) {
  CacheTags tags = small_cache();
  EXPECT_FALSE(tags.take_prefetch_mark(0)) << "the line is absent";
  ASSERT_TRUE(tags.reserve(0, 0b1111).has_value());
  tags.mark_prefetched(0);
  tags.fill(0, 0b1111);
  EXPECT_TRUE(tags.take_prefetch_mark(0));
  EXPECT_FALSE(tags.take_prefetch_mark(0));

  tags.mark_prefetched(0);
  load(tags, 2);
  load(tags, 4);  // It evicts line 0.
  load(tags, 0);
  EXPECT_FALSE(tags.take_prefetch_mark(0)) << "the line was evicted in between";

  tags.mark_prefetched(0);
  tags.invalidate(0);
  load(tags, 0);
  EXPECT_FALSE(tags.take_prefetch_mark(0)) << "the line was invalidated in between";
}

TEST(CacheTags, SupportsOneToThirtyTwoSectors) {
  const CacheTags whole({.bytes = 1024, .line_bytes = 64, .sector_bytes = 64, .ways = 4});
  EXPECT_EQ(whole.all_sectors(), 1u);
  EXPECT_EQ(whole.sectors_of(100, 8), 1u);
  const CacheTags words({.bytes = 1024, .line_bytes = 128, .sector_bytes = 4, .ways = 4});
  EXPECT_EQ(words.all_sectors(), 0xffffffffu);
  EXPECT_EQ(words.sectors_of(256, 128), 0xffffffffu);
  EXPECT_EQ(words.sectors_of(256 + 124, 4), 0x80000000u);
}

TEST(CacheTags, MissesWhenEmpty) {
  const CacheTags tags = small_cache();
  EXPECT_EQ(tags.probe(0, 0b0001), Probe::miss);
  EXPECT_EQ(tags.probe(5, 0b1111), Probe::miss);
}

TEST(CacheTags, IsEmptyAfterItsSizeChanges) {
  CacheTags tags = small_cache();
  load(tags, 0);
  load(tags, 1);
  tags.resize(512);
  EXPECT_EQ(tags.probe(0, 0b1111), Probe::hit) << "the size stays";
  tags.resize(768);
  EXPECT_EQ(tags.sets(), 3u);
  EXPECT_EQ(tags.probe(0, 0b0001), Probe::miss);
  EXPECT_EQ(tags.probe(1, 0b0001), Probe::miss);
  for (const std::uint64_t line : {0u, 1u, 2u, 3u, 4u, 5u}) {
    EXPECT_EQ(tags.reserve(line, 0b0001)->evicted, std::nullopt) << "six lines fit";
  }
  EXPECT_TRUE(tags.reserve(6, 0b0001) == std::nullopt) << "set 0 has two pending lines";
}

TEST(CacheTags, HashesSetsOfItsNewSize) {
  // With one set, no bit of a line number selects a set. With four sets, two bits do.
  CacheTags tags({.bytes = 128, .line_bytes = 128, .ways = 1, .hash_sets = true});
  tags.resize(512);
  for (const std::uint64_t line : {0u, 1u, 2u, 3u}) load(tags, line, 1);
  for (const std::uint64_t line : {0u, 1u, 2u, 3u}) EXPECT_EQ(tags.probe(line, 1), Probe::hit);
  load(tags, 4, 1);
  EXPECT_EQ(tags.probe(0, 1), Probe::hit) << "the low bits of line 4 would select set 0";
  EXPECT_EQ(tags.probe(1, 1), Probe::miss) << "the hash of line 4 selects set 1";
}

TEST(CacheTags, RejectsNewSizeThatHasNoWholeSets) {
  CacheTags tags = small_cache();
  EXPECT_THROW(tags.resize(0), InputError);
  EXPECT_THROW(tags.resize(640), InputError);
}

TEST(CacheTags, ReservedSectorIsPendingUntilFill) {
  CacheTags tags = small_cache();
  ASSERT_TRUE(tags.reserve(4, 0b0011).has_value());
  EXPECT_EQ(tags.probe(4, 0b0001), Probe::pending);
  EXPECT_EQ(tags.probe(4, 0b0100), Probe::partial_miss);
  EXPECT_EQ(tags.probe(4, 0b0110), Probe::partial_miss);
  tags.fill(4, 0b0001);
  EXPECT_EQ(tags.probe(4, 0b0001), Probe::hit);
  EXPECT_EQ(tags.probe(4, 0b0011), Probe::pending) << "one of the two sectors is still pending";
  tags.fill(4, 0b0010);
  EXPECT_EQ(tags.probe(4, 0b0011), Probe::hit);
}

TEST(CacheTags, ReservationReturnsSectorsToFetch) {
  CacheTags tags = small_cache();
  EXPECT_EQ(tags.reserve(4, 0b0011)->to_fetch, 0b0011u);
  tags.fill(4, 0b0001);
  EXPECT_EQ(tags.reserve(4, 0b0111)->to_fetch, 0b0100u) << "one sector is valid and one is pending";
  EXPECT_EQ(tags.reserve(4, 0b0111)->to_fetch, 0u);
}

TEST(CacheTags, FillAffectsOnlyPendingSectors) {
  CacheTags tags = small_cache();
  ASSERT_TRUE(tags.reserve(4, 0b0001).has_value());
  tags.fill(4, 0b1111);
  EXPECT_EQ(tags.probe(4, 0b0001), Probe::hit);
  EXPECT_EQ(tags.probe(4, 0b0010), Probe::partial_miss);
  tags.fill(6, 0b1111);
  EXPECT_EQ(tags.probe(6, 0b0001), Probe::miss);
}

TEST(CacheTags, EvictsLeastRecentlyUsedLineOfSet) {
  CacheTags tags = small_cache();
  load(tags, 0);
  load(tags, 2);
  load(tags, 1);
  EXPECT_EQ(tags.reserve(4, 0b0001)->evicted, (Eviction{.line = 0, .dirty = 0}));
  EXPECT_EQ(tags.probe(0, 0b0001), Probe::miss);
  EXPECT_EQ(tags.probe(2, 0b1111), Probe::hit);
  EXPECT_EQ(tags.probe(1, 0b1111), Probe::hit) << "line 1 is in the other set";
}

TEST(CacheTags, EvictsNothingWhileSetHasFreeWay) {
  CacheTags tags = small_cache();
  EXPECT_EQ(tags.reserve(0, 0b0001)->evicted, std::nullopt);
  EXPECT_EQ(tags.reserve(2, 0b0001)->evicted, std::nullopt);
  tags.fill(0, 0b0001);
  tags.fill(2, 0b0001);
  tags.invalidate(2);
  EXPECT_EQ(tags.reserve(4, 0b0001)->evicted, std::nullopt)
      << "a free way must be used although line 0 is older";
}

TEST(CacheTags, TouchWriteAndReservationUpdateLru) {
  const auto victim_after = [](auto use) {
    CacheTags tags = small_cache();
    load(tags, 0);
    load(tags, 2);
    use(tags);
    return tags.reserve(4, 0b0001)->evicted->line;
  };
  EXPECT_EQ(victim_after([](CacheTags& tags) { tags.touch(0); }), 2u);
  EXPECT_EQ(victim_after([](CacheTags& tags) { tags.write(0, 0b0001, false); }), 2u);
  EXPECT_EQ(victim_after([](CacheTags& tags) { std::ignore = tags.reserve(0, 0b0001); }), 2u);
  EXPECT_EQ(victim_after([](CacheTags& tags) { std::ignore = tags.insert(0, 0b0001, false); }), 2u);
}

TEST(CacheTags, ProbeAndFillDoNotUpdateLru) {
  CacheTags tags = small_cache();
  ASSERT_TRUE(tags.reserve(0, 0b0001).has_value());
  load(tags, 2);
  tags.fill(0, 0b0001);
  EXPECT_EQ(tags.probe(0, 0b0001), Probe::hit);
  EXPECT_EQ(tags.reserve(4, 0b0001)->evicted->line, 0u);
}

TEST(CacheTags, DoesNotEvictPendingLine) {
  CacheTags tags = small_cache();
  ASSERT_TRUE(tags.reserve(0, 0b0011).has_value());
  load(tags, 2);
  EXPECT_EQ(tags.reserve(4, 0b0001)->evicted->line, 2u)
      << "pending line 0 must stay although it is older";
  EXPECT_FALSE(tags.reserve(6, 0b0001).has_value()) << "both lines of the set are pending";
  EXPECT_FALSE(tags.insert(6, 0b0001, true).has_value());
  EXPECT_EQ(tags.probe(6, 0b0001), Probe::miss);
  tags.fill(0, 0b0001);
  EXPECT_FALSE(tags.reserve(6, 0b0001).has_value()) << "one sector of line 0 is still pending";
  tags.fill(0, 0b0010);
  EXPECT_EQ(tags.reserve(6, 0b0001)->evicted->line, 0u);
}

TEST(CacheTags, ReservesMoreSectorsOfPendingLine) {
  CacheTags tags = small_cache();
  ASSERT_TRUE(tags.reserve(0, 0b0001).has_value());
  ASSERT_TRUE(tags.reserve(2, 0b0001).has_value());
  EXPECT_EQ(tags.reserve(0, 0b0010)->to_fetch, 0b0010u);
}

TEST(CacheTags, EvictionReturnsDirtySectors) {
  CacheTags tags = small_cache();
  load(tags, 0);
  tags.write(0, 0b0100, true);
  tags.write(0, 0b0001, true);
  tags.write(0, 0b1000, false);
  load(tags, 2);
  EXPECT_EQ(tags.reserve(4, 0b0001)->evicted, (Eviction{.line = 0, .dirty = 0b0101}));
  tags.fill(4, 0b0001);
  load(tags, 6);
  EXPECT_EQ(tags.reserve(8, 0b0001)->evicted, (Eviction{.line = 4, .dirty = 0}))
      << "a line that replaced a dirty line must be clean";
}

TEST(CacheTags, InsertMakesSectorValid) {
  CacheTags tags = small_cache();
  const std::optional<Reservation> inserted = tags.insert(0, 0b0010, true);
  ASSERT_TRUE(inserted.has_value());
  EXPECT_EQ(inserted->to_fetch, 0u);
  EXPECT_EQ(tags.probe(0, 0b0010), Probe::hit);
  EXPECT_EQ(tags.probe(0, 0b0001), Probe::partial_miss);
  EXPECT_THAT(flush_to_list(tags), ElementsAre(Pair(0, 0b0010)));
}

TEST(CacheTags, InsertCancelsPendingFill) {
  CacheTags tags = small_cache();
  ASSERT_TRUE(tags.reserve(0, 0b0001).has_value());
  load(tags, 0, 0b0001, true);
  EXPECT_EQ(tags.probe(0, 0b0001), Probe::hit);
  load(tags, 2);
  EXPECT_EQ(tags.reserve(4, 0b0001)->evicted, (Eviction{.line = 0, .dirty = 0b0001}));
  tags.fill(0, 0b0001);
  EXPECT_EQ(tags.probe(0, 0b0001), Probe::miss) << "a fill of an evicted line must do nothing";
}

TEST(CacheTags, FlushesWriteToPendingSectorAfterFill) {
  CacheTags tags = small_cache();
  ASSERT_TRUE(tags.reserve(0, 0b0001).has_value());
  tags.write(0, 0b0001, true);
  EXPECT_EQ(tags.probe(0, 0b0001), Probe::pending);
  EXPECT_THAT(flush_to_list(tags), IsEmpty());
  EXPECT_EQ(tags.invalidate(0), 0u);
  tags.fill(0, 0b0001);
  EXPECT_THAT(flush_to_list(tags), ElementsAre(Pair(0, 0b0001)));
}

TEST(CacheTags, InvalidationKeepsPendingSectors) {
  CacheTags tags = small_cache();
  load(tags, 0);
  tags.write(0, 0b1000, true);
  EXPECT_EQ(tags.invalidate(0), 0b1000u) << "the dirty sectors must be returned";
  EXPECT_EQ(tags.probe(0, 0b0001), Probe::miss);
  EXPECT_EQ(tags.invalidate(0), 0u);

  load(tags, 2, 0b0001);
  ASSERT_TRUE(tags.reserve(2, 0b0010).has_value());
  tags.invalidate(2);
  EXPECT_EQ(tags.probe(2, 0b0001), Probe::partial_miss);
  EXPECT_EQ(tags.probe(2, 0b0010), Probe::pending);
  tags.fill(2, 0b0010);
  EXPECT_EQ(tags.probe(2, 0b0010), Probe::hit);
}

TEST(CacheTags, CleanInvalidationKeepsDirtyAndPendingSectors) {
  CacheTags tags = small_cache();
  load(tags, 0);
  load(tags, 1, 0b0011);
  tags.write(1, 0b0001, true);
  ASSERT_TRUE(tags.reserve(3, 0b0001).has_value());
  tags.invalidate_clean();
  EXPECT_EQ(tags.probe(0, 0b0001), Probe::miss);
  EXPECT_EQ(tags.probe(1, 0b0001), Probe::hit);
  EXPECT_EQ(tags.probe(1, 0b0010), Probe::partial_miss);
  EXPECT_EQ(tags.probe(3, 0b0001), Probe::pending);
}

TEST(CacheTags, FlushWritesDirtyLinesOnceAndKeepsThem) {
  CacheTags tags = small_cache();
  load(tags, 1, 0b1111, true);
  load(tags, 2, 0b0110, true);
  load(tags, 3);
  EXPECT_THAT(flush_to_list(tags), ElementsAre(Pair(2, 0b0110), Pair(1, 0b1111)));
  EXPECT_THAT(flush_to_list(tags), IsEmpty());
  EXPECT_EQ(tags.probe(1, 0b1111), Probe::hit);
}

TEST(CacheTags, SupportsNonPowerOfTwoSets) {
  CacheTags tags({.bytes = 3 * 64, .line_bytes = 64, .sector_bytes = 64, .ways = 1});
  EXPECT_EQ(tags.sets(), 3u);
  load(tags, 0, 1);
  load(tags, 1, 1);
  load(tags, 2, 1);
  EXPECT_EQ(tags.reserve(4, 1)->evicted->line, 1u);
  EXPECT_EQ(tags.reserve(3, 1)->evicted->line, 0u);
}

TEST(CacheTags, RejectsImpossibleParameters) {
  const auto make = [](std::uint64_t bytes, std::uint32_t line, std::uint32_t sector,
                       std::uint32_t ways) {
    return CacheTags({.bytes = bytes, .line_bytes = line, .sector_bytes = sector, .ways = ways});
  };
  EXPECT_NO_THROW(make(4096, 128, 32, 4));
  EXPECT_THROW(make(0, 128, 32, 4), InputError);
  EXPECT_THROW(make(4096 + 128, 128, 32, 4), InputError) << "a fraction of a set";
  EXPECT_THROW(make(256, 128, 32, 4), InputError) << "fewer lines than a set";
  EXPECT_THROW(make(4096, 128, 32, 0), InputError);
  EXPECT_THROW(make(4096, 0, 32, 4), InputError);
  EXPECT_THROW(make(3072, 96, 32, 4), InputError);
  EXPECT_THROW(make(4096, 1, 1, 4), InputError);
  EXPECT_THROW(make(4096, 128, 0, 4), InputError);
  EXPECT_THROW(make(4096, 128, 48, 4), InputError);
  EXPECT_THROW(make(4096, 128, 256, 4), InputError) << "a sector longer than its line";
  EXPECT_THROW(make(4096, 128, 2, 4), InputError) << "more than 32 sectors";
}

// 32 sets of one line of 64 bytes.
CacheTags hashed_sets() {
  return CacheTags(
      {.bytes = 2048, .line_bytes = 64, .sector_bytes = 64, .ways = 1, .hash_sets = true});
}

/// Loads all `lines` and returns how many of them are still present.
int remaining_lines(CacheTags& tags, const std::vector<std::uint64_t>& lines) {
  for (const std::uint64_t line : lines) load(tags, line, 1);
  int remaining = 0;
  for (const std::uint64_t line : lines) remaining += tags.probe(line, 1) == Probe::hit ? 1 : 0;
  return remaining;
}

std::vector<std::uint64_t> lines_with_stride(std::uint64_t stride, std::uint64_t first = 0) {
  std::vector<std::uint64_t> lines;
  for (std::uint64_t i = 0; i < 32; ++i) lines.push_back(first + i * stride);
  return lines;
}

// The strides are multiples of the number of sets, 32. Without hashing, all lines are in one set.
TEST(CacheTagsWithHashedSets, SpreadsStridedLinesOverSets) {
  for (const std::uint64_t stride : {32, 1024, 32 * 1024}) {
    CacheTags plain({.bytes = 2048, .line_bytes = 64, .sector_bytes = 64, .ways = 1});
    CacheTags hashed = hashed_sets();
    EXPECT_EQ(remaining_lines(plain, lines_with_stride(stride)), 1) << stride;
    EXPECT_EQ(remaining_lines(hashed, lines_with_stride(stride)), 32) << stride;
  }
}

TEST(CacheTagsWithHashedSets, UsesAllSetsForConsecutiveLines) {
  for (const std::uint64_t first :
       {std::uint64_t{0}, std::uint64_t{32}, std::uint64_t{0x123'4560}}) {
    CacheTags hashed = hashed_sets();
    EXPECT_EQ(remaining_lines(hashed, lines_with_stride(1, first)), 32) << "from line " << first;
  }
}

TEST(CacheTagsWithHashedSets, MapsLineToXorOfItsPieces) {
  // There are 32 sets, so line numbers are folded in pieces of 5 bits. Line 0b00011'00101 maps to
  // set 3 ^ 5 = 6, as do line 6 and line 0b00110'00000.
  CacheTags tags = hashed_sets();
  load(tags, 0b00011'00101, 1);
  load(tags, 7, 1);
  EXPECT_EQ(tags.probe(0b00011'00101, 1), Probe::hit);
  load(tags, 6, 1);
  EXPECT_EQ(tags.probe(0b00011'00101, 1), Probe::miss);
  load(tags, 0b00110'00000, 1);
  EXPECT_EQ(tags.probe(6, 1), Probe::miss);
  EXPECT_EQ(tags.probe(7, 1), Probe::hit);
}

TEST(CacheTagsWithHashedSets, FindsNoAbsentLine) {
  // All 32 lines map to set 0, because both pieces of 5 bits of their numbers are equal.
  CacheTags tags = hashed_sets();
  for (const std::uint64_t line : lines_with_stride(33)) load(tags, line, 1);
  for (std::uint64_t line = 0; line < 4096; ++line) {
    const bool was_loaded = line % 33 == 0 && line / 33 < 32;
    // A loaded line may be present or evicted. No other line may hit.
    if (was_loaded) continue;
    ASSERT_EQ(tags.probe(line, 1), Probe::miss) << line;
  }
}

TEST(CacheTagsWithHashedSets, SupportsNonPowerOfTwoSets) {
  // 96 sets of one line each.
  const CacheTags::Parameters cache{
      .bytes = 96 * 64, .line_bytes = 64, .sector_bytes = 64, .ways = 1, .hash_sets = true};
  CacheTags strided(cache);
  EXPECT_EQ(remaining_lines(strided, lines_with_stride(96)), 32);
  CacheTags consecutive(cache);
  std::vector<std::uint64_t> lines;
  for (std::uint64_t i = 0; i < 96; ++i) lines.push_back(96 * 12345 + i);
  EXPECT_EQ(remaining_lines(consecutive, lines), 96);
  CacheTags one({.bytes = 64, .line_bytes = 64, .sector_bytes = 64, .ways = 1, .hash_sets = true});
  EXPECT_EQ(remaining_lines(one, {7, 7}), 2) << "a single set needs no hash";
}

}  // namespace
}  // namespace heddle::memory
