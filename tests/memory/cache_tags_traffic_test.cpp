// Compares CacheTags with its model under random traffic.

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include "memory/cache_tags.h"
#include "memory/cache_tags_model.h"

namespace heddle::memory {
namespace {

void expect_equal(const std::optional<CacheTags::Reservation>& got,
                  const std::optional<CacheTags::Reservation>& expected) {
  ASSERT_EQ(got.has_value(), expected.has_value());
  if (!got) return;
  EXPECT_EQ(got->evicted, expected->evicted);
  EXPECT_EQ(got->to_fetch, expected->to_fetch);
}

class Traffic {
 public:
  Traffic(const CacheTags::Parameters& cache, unsigned seed)
      : tags_(cache),
        model_(cache),
        random_(seed),
        lines_(2 * cache.bytes / cache.line_bytes + 1) {}

  void run(int steps) {
    for (int step = 0; step < steps; ++step) {
      SCOPED_TRACE(testing::Message() << "step " << step);
      this->step();
      expect_equal_state_of(some_line());
      if (testing::Test::HasFailure()) return;
    }
    for (std::uint64_t i = 0; i < lines_; ++i) expect_equal_state_of(line_number(i));
    EXPECT_GT(refusals_, 0) << "the traffic must sometimes make all ways of a set pending";
    EXPECT_GT(dirty_evictions_, 0);
  }

 private:
  // Returns neighbouring lines in two distant regions.
  static std::uint64_t line_number(std::uint64_t i) { return i / 2 + (i % 2) * 0x123'4567'89abu; }
  std::uint64_t some_line() { return line_number(random_() % lines_); }
  SectorMask some_sectors() {
    const SectorMask all = tags_.all_sectors();
    const SectorMask sectors = static_cast<SectorMask>(random_()) & all;
    return sectors == 0 ? all : sectors;
  }
  bool coin() { return random_() % 2 == 0; }

  void step() {
    const std::uint64_t line = some_line();
    const SectorMask sectors = some_sectors();
    switch (random_() % 256) {
      case 0:
        return flush();
      case 1:
        tags_.invalidate_clean();
        return model_.invalidate_clean();
      default:
        break;
    }
    switch (random_() % 16) {
      case 0:
        if (coin()) {
          EXPECT_EQ(tags_.clean(line), model_.clean(line));
        } else {
          EXPECT_EQ(tags_.invalidate(line), model_.invalidate(line));
        }
        return;
      case 1:
      case 2: {
        const bool dirty = coin();
        return note(tags_.insert(line, sectors, dirty), model_.insert(line, sectors, dirty));
      }
      case 3:
      case 4:
      case 5:
      case 6:
        note(tags_.reserve(line, sectors), model_.reserve(line, sectors));
        reserved_lines_.push_back(line);
        return;
      case 7:
      case 8:
        return fill(line, sectors);
      case 9:
      case 10:
      case 11:
        return fill_one_reserved_line();
      default:
        return use_if_present(line, sectors);
    }
  }
  void note(const std::optional<CacheTags::Reservation>& got,
            const std::optional<CacheTags::Reservation>& expected) {
    expect_equal(got, expected);
    if (!expected) ++refusals_;
    if (expected && expected->evicted && expected->evicted->dirty != 0) ++dirty_evictions_;
  }
  void fill(std::uint64_t line, SectorMask sectors) {
    tags_.fill(line, sectors);
    model_.fill(line, sectors);
  }
  void fill_one_reserved_line() {
    if (reserved_lines_.empty()) return;
    std::swap(reserved_lines_[random_() % reserved_lines_.size()], reserved_lines_.back());
    fill(reserved_lines_.back(), tags_.all_sectors());
    reserved_lines_.pop_back();
  }
  void use_if_present(std::uint64_t line, SectorMask sectors) {
    if (!model_.is_present(line)) return;
    const CacheTags::Probe probe = model_.probe(line, sectors);
    if (probe == CacheTags::Probe::partial_miss || coin()) {
      tags_.touch(line);
      model_.touch(line);
    } else {
      const bool dirty = coin();
      tags_.write(line, sectors, dirty);
      model_.write(line, sectors, dirty);
    }
  }
  void flush() {
    std::map<std::uint64_t, SectorMask> written;
    tags_.flush([&](std::uint64_t line, SectorMask dirty) { written[line] |= dirty; });
    EXPECT_EQ(written, model_.flush());
  }
  void expect_equal_state_of(std::uint64_t line) {
    const SectorMask sectors = some_sectors();
    EXPECT_EQ(tags_.probe(line, sectors), model_.probe(line, sectors)) << "line " << line;
    EXPECT_EQ(tags_.would_evict_dirty(line), model_.would_evict_dirty(line)) << "line " << line;
    for (SectorMask sector = 1; (sector & tags_.all_sectors()) != 0; sector <<= 1) {
      EXPECT_EQ(tags_.probe(line, sector), model_.probe(line, sector)) << "line " << line;
    }
  }

  CacheTags tags_;
  CacheTagsModel model_;
  std::mt19937_64 random_;
  std::uint64_t lines_;
  std::vector<std::uint64_t> reserved_lines_;
  int refusals_ = 0;
  int dirty_evictions_ = 0;
};

TEST(CacheTagsTraffic, AgreesWithModelOfLists) {
  const CacheTags::Parameters caches[] = {
      {.bytes = 8 * 128, .line_bytes = 128, .sector_bytes = 128, .ways = 1},
      {.bytes = 16 * 128, .line_bytes = 128, .sector_bytes = 32, .ways = 4},
      {.bytes = 64 * 64, .line_bytes = 64, .sector_bytes = 32, .ways = 16},
      {.bytes = 18 * 128, .line_bytes = 128, .sector_bytes = 32, .ways = 6},  // 3 sets.
      {.bytes = 24 * 128, .line_bytes = 128, .sector_bytes = 4, .ways = 2},   // 12 sets.
      {.bytes = 7 * 32, .line_bytes = 32, .sector_bytes = 32, .ways = 7},     // 1 set.
      {.bytes = 32 * 64, .line_bytes = 64, .sector_bytes = 32, .ways = 2, .hash_sets = true},
      {.bytes = 24 * 128, .line_bytes = 128, .sector_bytes = 32, .ways = 2, .hash_sets = true},
      {.bytes = 4 * 128, .line_bytes = 128, .sector_bytes = 128, .ways = 4, .hash_sets = true},
  };
  unsigned seed = 0;
  for (const CacheTags::Parameters& cache : caches) {
    SCOPED_TRACE(testing::Message()
                 << cache.bytes << " bytes, lines of " << cache.line_bytes << ", sectors of "
                 << cache.sector_bytes << ", " << cache.ways << " ways");
    for (int run = 0; run < 3; ++run) Traffic(cache, ++seed).run(20'000);
  }
}

}  // namespace
}  // namespace heddle::memory
