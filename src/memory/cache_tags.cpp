#include "memory/cache_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error.h"

namespace heddle::memory {
namespace {

constexpr std::uint32_t kMaxSectors = 32;  // The number of bits of a SectorMask.

void check_size(std::uint64_t bytes, std::uint64_t line_bytes, std::uint32_t ways) {
  if (bytes == 0 || bytes % (line_bytes * ways) != 0) {
    throw InputError(
        fmt::format("a cache of {} bytes cannot be divided into sets of {} lines of {} bytes",
                    bytes, ways, line_bytes));
  }
}

void check(const CacheTags::Parameters& cache) {
  if (!std::has_single_bit(cache.line_bytes) || cache.line_bytes == 1) {
    throw InputError(
        fmt::format("a cache cannot have lines of {} bytes: the size must be a power of two",
                    cache.line_bytes));
  }
  if (!std::has_single_bit(cache.sector_bytes) || cache.sector_bytes > cache.line_bytes) {
    throw InputError(
        fmt::format("a cache line of {} bytes cannot have sectors of {} bytes: the size "
                    "must be a power of two that divides the line",
                    cache.line_bytes, cache.sector_bytes));
  }
  if (cache.line_bytes / cache.sector_bytes > kMaxSectors) {
    throw InputError(
        fmt::format("a cache line of {} bytes in sectors of {} bytes has more than {} sectors",
                    cache.line_bytes, cache.sector_bytes, kMaxSectors));
  }
  if (cache.ways == 0) throw InputError("a cache needs at least one way");
  check_size(cache.bytes, cache.line_bytes, cache.ways);
}

}  // namespace

CacheTags::CacheTags(const Parameters& parameters)
    : replacement_(make_replacement(parameters.replacement)),
      policy_observes_uses_(replacement_->observes_uses()),
      policy_observes_allocations_(replacement_->observes_allocations()) {
  check(parameters);
  ways_per_set_ = parameters.ways;
  hashes_sets_ = parameters.hash_sets;
  line_shift_ = std::countr_zero(parameters.line_bytes);
  sector_shift_ = std::countr_zero(parameters.sector_bytes);
  line_offset_mask_ = parameters.line_bytes - 1;
  all_sectors_ = ~SectorMask{0} >> (kMaxSectors - parameters.line_bytes / parameters.sector_bytes);
  allocate_sets(parameters.bytes);
}

void CacheTags::resize(std::uint64_t bytes) {
  const std::uint64_t line_bytes = line_offset_mask_ + 1;
  if (bytes == ways_.size() * line_bytes) return;
  check_size(bytes, line_bytes, ways_per_set_);
  assert(std::all_of(ways_.begin(), ways_.end(),
                     [](const CacheWay& way) { return way.pending == 0 && way.dirty == 0; }));
  allocate_sets(bytes);
}

void CacheTags::allocate_sets(std::uint64_t bytes) {
  const std::uint64_t lines = bytes >> line_shift_;
  sets_ = lines / ways_per_set_;
  sets_are_power_of_two_ = std::has_single_bit(sets_);
  hashed_set_bits_ = hashes_sets_ ? static_cast<std::uint32_t>(std::bit_width(sets_ - 1)) : 0;
  empty_ways_ = lines;
  tags_.assign(lines, kNoLine);
  ways_.assign(lines, CacheWay{});
}

std::size_t CacheTags::victim_in_set(std::size_t first) const {
  if (empty_ways_ != 0) {
    for (std::size_t place = first; place < first + ways_per_set_; ++place) {
      if (tags_[place] == kNoLine) return place;
    }
  }
  const std::span<const CacheWay> set(&ways_[first], ways_per_set_);
  const auto is_evictable = [](const CacheWay& way) { return way.is_evictable(); };
  if (std::none_of(set.begin(), set.end(), is_evictable)) return kNowhere;
  return first + replacement_->victim(set);
}

void CacheTags::report_use(std::size_t place) {
  replacement_->touch(set_of(place), place % ways_per_set_);
}

void CacheTags::allocate_at(std::size_t place, std::uint64_t line) {
  if (tags_[place] == kNoLine) --empty_ways_;
  tags_[place] = line;
  CacheWay& way = ways_[place];
  way.valid = way.pending = way.dirty = 0;
  way.is_prefetched = false;
  way.last_use = ++use_count_;
  if (policy_observes_allocations_) replacement_->allocate(set_of(place), place % ways_per_set_);
}

std::optional<CacheTags::Reservation> CacheTags::reserve(std::uint64_t line, SectorMask sectors) {
  assert(line != kNoLine && is_sector_mask(sectors));
  Reservation reservation;
  const std::size_t first = first_way(line);
  std::size_t place = find_in_set(first, line);
  if (place != kNowhere) {
    use(place);
  } else {
    place = victim_in_set(first);
    if (place == kNowhere) return std::nullopt;
    if (tags_[place] != kNoLine) {
      reservation.evicted = Eviction{.line = tags_[place], .dirty = ways_[place].dirty};
    }
    allocate_at(place, line);
  }
  CacheWay& way = ways_[place];
  reservation.to_fetch = sectors & ~way.present();
  way.pending |= reservation.to_fetch;
  return reservation;
}

void CacheTags::fill(std::uint64_t line, SectorMask sectors) {
  assert(is_sector_mask(sectors));
  const std::size_t place = find(line);
  if (place == kNowhere) return;
  CacheWay& way = ways_[place];
  const SectorMask arrived = sectors & way.pending;
  way.pending &= ~arrived;
  way.valid |= arrived;
}

std::optional<CacheTags::Reservation> CacheTags::insert(std::uint64_t line, SectorMask sectors,
                                                        bool dirty) {
  std::optional<Reservation> reservation = reserve(line, sectors);
  if (!reservation) return std::nullopt;
  CacheWay& way = ways_[place_of(line)];
  way.pending &= ~sectors;
  way.valid |= sectors;
  if (dirty) way.dirty |= sectors;
  reservation->to_fetch = 0;
  return reservation;
}

bool CacheTags::would_evict_dirty(std::uint64_t line) const {
  const std::size_t first = first_way(line);
  if (find_in_set(first, line) != kNowhere) return false;
  const std::size_t victim = victim_in_set(first);
  return victim != kNowhere && ways_[victim].dirty != 0;
}

void CacheTags::invalidate_at(std::size_t place, SectorMask sectors) {
  CacheWay& way = ways_[place];
  way.valid &= ~sectors;
  way.dirty &= ~sectors;
  if (way.present() != 0 || tags_[place] == kNoLine) return;
  tags_[place] = kNoLine;
  ++empty_ways_;
}

SectorMask CacheTags::invalidate(std::uint64_t line) {
  const std::size_t place = find(line);
  if (place == kNowhere) return 0;
  const SectorMask valid = ways_[place].valid;
  const SectorMask lost = ways_[place].dirty & valid;
  invalidate_at(place, valid);
  return lost;
}

SectorMask CacheTags::clean(std::uint64_t line) {
  const std::size_t place = find(line);
  return place == kNowhere ? 0 : std::exchange(ways_[place].dirty, 0);
}

void CacheTags::invalidate_clean() {
  for (std::size_t place = 0; place < ways_.size(); ++place) {
    invalidate_at(place, ways_[place].valid & ~ways_[place].dirty);
  }
}

}  // namespace heddle::memory
