#include "memory/cache_tags.h"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "base/error.h"

namespace heddle::memory {
namespace {

constexpr std::uint32_t kMaxSectors = 32;  // The number of bits of a SectorMask.

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
  const std::uint64_t way_bytes = std::uint64_t{cache.line_bytes} * cache.ways;
  if (cache.bytes == 0 || cache.bytes % way_bytes != 0) {
    throw InputError(
        fmt::format("a cache of {} bytes cannot be divided into sets of {} lines of {} bytes",
                    cache.bytes, cache.ways, cache.line_bytes));
  }
}

}  // namespace

CacheTags::CacheTags(const Parameters& parameters) {
  check(parameters);
  ways_ = parameters.ways;
  const std::uint64_t lines = parameters.bytes / parameters.line_bytes;
  sets_ = lines / ways_;
  sets_are_power_of_two_ = std::has_single_bit(sets_);
  if (parameters.hash_sets)
    hashed_set_bits_ = static_cast<std::uint32_t>(std::bit_width(sets_ - 1));
  line_shift_ = std::countr_zero(parameters.line_bytes);
  sector_shift_ = std::countr_zero(parameters.sector_bytes);
  line_offset_mask_ = parameters.line_bytes - 1;
  all_sectors_ = ~SectorMask{0} >> (kMaxSectors - parameters.line_bytes / parameters.sector_bytes);
  tags_.assign(lines, kNoLine);
  states_.assign(lines, State{});
}

std::size_t CacheTags::victim_in_set_of(std::uint64_t line) const {
  const std::size_t first = first_way(line);
  std::size_t victim = kNowhere;
  for (std::size_t place = first; place < first + ways_; ++place) {
    const State& state = states_[place];
    if (state.pending != 0) continue;
    if (victim == kNowhere || state.last_use < states_[victim].last_use) victim = place;
  }
  return victim;
}

std::optional<CacheTags::Reservation> CacheTags::reserve(std::uint64_t line, SectorMask sectors) {
  assert(line != kNoLine && is_sector_mask(sectors));
  Reservation reservation;
  std::size_t place = find(line);
  if (place == kNowhere) {
    place = victim_in_set_of(line);
    if (place == kNowhere) return std::nullopt;
    if (tags_[place] != kNoLine) {
      reservation.evicted = Eviction{.line = tags_[place], .dirty = states_[place].dirty};
    }
    tags_[place] = line;
    states_[place] = State{};
  }
  State& state = states_[place];
  reservation.to_fetch = sectors & ~state.present();
  state.pending |= reservation.to_fetch;
  mark_used(state);
  return reservation;
}

void CacheTags::fill(std::uint64_t line, SectorMask sectors) {
  assert(is_sector_mask(sectors));
  const std::size_t place = find(line);
  if (place == kNowhere) return;
  State& state = states_[place];
  const SectorMask arrived = sectors & state.pending;
  state.pending &= ~arrived;
  state.valid |= arrived;
}

std::optional<CacheTags::Reservation> CacheTags::insert(std::uint64_t line, SectorMask sectors,
                                                        bool dirty) {
  std::optional<Reservation> reservation = reserve(line, sectors);
  if (!reservation) return std::nullopt;
  State& state = state_of(line);
  state.pending &= ~sectors;
  state.valid |= sectors;
  if (dirty) state.dirty |= sectors;
  reservation->to_fetch = 0;
  return reservation;
}

bool CacheTags::would_evict_dirty(std::uint64_t line) const {
  if (find(line) != kNowhere) return false;
  const std::size_t victim = victim_in_set_of(line);
  return victim != kNowhere && states_[victim].dirty != 0;
}

void CacheTags::invalidate_at(std::size_t place, SectorMask sectors) {
  State& state = states_[place];
  state.valid &= ~sectors;
  state.dirty &= ~sectors;
  if (state.present() != 0) return;
  state = State{};
  tags_[place] = kNoLine;
}

SectorMask CacheTags::invalidate(std::uint64_t line) {
  const std::size_t place = find(line);
  if (place == kNowhere) return 0;
  const SectorMask valid = states_[place].valid;
  const SectorMask lost = states_[place].dirty & valid;
  invalidate_at(place, valid);
  return lost;
}

SectorMask CacheTags::clean(std::uint64_t line) {
  const std::size_t place = find(line);
  return place == kNowhere ? 0 : std::exchange(states_[place].dirty, 0);
}

void CacheTags::invalidate_clean() {
  for (std::size_t place = 0; place < states_.size(); ++place) {
    invalidate_at(place, states_[place].valid & ~states_[place].dirty);
  }
}

}  // namespace heddle::memory
