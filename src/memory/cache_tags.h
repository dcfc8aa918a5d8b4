#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "base/host_lines.h"
#include "base/xor_fold.h"
#include "memory/cache_way.h"
#include "memory/replacement/replacement.h"

namespace heddle::memory {

/// The tags of a set-associative, sectored cache. It models the state of the tags only; the caches
/// that use it model latencies and counters. Lines are allocated in empty ways first; if a set has
/// none, its replacement policy chooses the line to evict.
///
/// A line is identified by its line number: the address divided by the line size. The low bits of
/// the line number select the set. With `hash_sets`, all bits of the line number are XOR-folded to
/// select the set. Accesses with a stride of a multiple of the number of sets then use many sets
/// instead of one. Consecutive lines use all sets evenly in both cases. A tag is the whole line
/// number.
///
/// A sector is invalid, pending (its fill is in flight) or valid, and clean or dirty. A line
/// without pending or valid sectors is absent. A line with pending sectors is not evicted, so that
/// fills in flight find their line.
///
/// A `sectors` argument must contain at least one sector, and no sector beyond the end of the line.
class CacheTags {
 public:
  struct Parameters {
    std::uint64_t bytes = 16384;
    std::uint32_t line_bytes = 128;
    std::uint32_t sector_bytes = 128;  ///< If equal to line_bytes, a line is one sector.
    std::uint32_t ways = 4;
    bool hash_sets = false;
    ReplacementDescription replacement{};
  };
  enum class Probe : std::uint8_t {
    hit,           ///< All sectors are valid.
    pending,       ///< All sectors are valid or pending, and at least one is pending.
    partial_miss,  ///< The line is present, but some of the sectors are invalid.
    miss,
  };
  struct Eviction {
    std::uint64_t line = 0;
    SectorMask dirty = 0;  ///< The sectors to write back; none if the line was clean.
    friend bool operator==(const Eviction&, const Eviction&) = default;
  };
  struct Reservation {
    std::optional<Eviction> evicted;
    SectorMask to_fetch = 0;  ///< Those of the requested sectors that were invalid.
  };

  /// Throws InputError if the sizes do not fit together. The replacement policy must have been
  /// checked for the number of ways.
  explicit CacheTags(const Parameters& parameters);

  /// Changes the number of sets, so that the cache has `bytes` bytes. It is then empty. Does
  /// nothing if it has that size already; otherwise no sector may be pending or dirty. Throws
  /// InputError if the size cannot be divided into sets.
  void resize(std::uint64_t bytes);

  std::uint64_t line_of(std::uint64_t address) const { return address >> line_shift_; }
  /// The sectors that hold the `bytes` bytes (at least one) at `address`, which must lie in one
  /// line.
  SectorMask sectors_of(std::uint64_t address, std::uint32_t bytes) const {
    const std::uint64_t begin = address & line_offset_mask_;
    const std::uint64_t last = begin + bytes - 1;
    assert(bytes > 0 && last <= line_offset_mask_);
    const auto up_to_last = SectorMask{2} << (last >> sector_shift_);
    return up_to_last - (SectorMask{1} << (begin >> sector_shift_));
  }
  SectorMask all_sectors() const { return all_sectors_; }
  std::uint64_t sets() const { return sets_; }

  /// Prefetches the state of the line's set into the host's cache.
  [[gnu::always_inline]] void prefetch(std::uint64_t line) const {
    const std::size_t first = first_way(line);
    prefetch_lines(&tags_[first], ways_per_set_ * sizeof tags_[0]);
    prefetch_lines(&ways_[first], ways_per_set_ * sizeof ways_[0]);
  }
  /// Looks a line up without changing anything. It is not a use of the line.
  Probe probe(std::uint64_t line, SectorMask sectors) const {
    assert(is_sector_mask(sectors));
    const std::size_t place = find(line);
    if (place == kNowhere) return Probe::miss;
    const CacheWay& way = ways_[place];
    if ((sectors & ~way.valid) == 0) return Probe::hit;
    return (sectors & ~way.present()) == 0 ? Probe::pending : Probe::partial_miss;
  }
  /// Uses a line, which must be present.
  void touch(std::uint64_t line) { use(place_of(line)); }
  /// Uses the line if it is present. Otherwise allocates it, for which it evicts a line if the set
  /// has no empty way. Marks the invalid ones of `sectors` as pending. Returns empty, and changes
  /// nothing, if the line is absent and all lines of its set have pending sectors.
  std::optional<Reservation> reserve(std::uint64_t line, SectorMask sectors);
  /// Handles the arrival of a fill: makes the pending ones of `sectors` valid. Sectors that an
  /// insert() made valid in the meantime stay as they are. Does nothing if the line is absent.
  void fill(std::uint64_t line, SectorMask sectors);
  /// Uses a line whose `sectors` are all valid or pending for a write, and marks the sectors dirty
  /// if `dirty`. A write to a pending sector is merged with its fill.
  void write(std::uint64_t line, SectorMask sectors, bool dirty) {
    const std::size_t place = place_of(line);
    assert(is_sector_mask(sectors) && (sectors & ~ways_[place].present()) == 0);
    use(place);
    if (dirty) ways_[place].dirty |= sectors;
  }
  /// Combines reserve() and fill(), for sectors that are written as a whole and need no fetch. In
  /// the result, `to_fetch` is 0. Returns empty if reserve() would.
  std::optional<Reservation> insert(std::uint64_t line, SectorMask sectors, bool dirty);
  /// Whether reserve() or insert() of this line would evict a line with dirty sectors.
  bool would_evict_dirty(std::uint64_t line) const;

  /// Marks a line, which must be present, as fetched by a prefetch and not used yet. The mark is
  /// lost when the line is evicted or invalidated.
  void mark_prefetched(std::uint64_t line) { ways_[place_of(line)].is_prefetched = true; }
  /// Removes the mark of a line. Returns whether there was one.
  bool take_prefetch_mark(std::uint64_t line) {
    const std::size_t place = find(line);
    return place != kNowhere && std::exchange(ways_[place].is_prefetched, false);
  }

  /// Invalidates the valid sectors of a line, if it is present; pending sectors stay pending.
  /// Returns those of the invalidated sectors that were dirty.
  SectorMask invalidate(std::uint64_t line);
  /// Invalidates every sector that is valid and clean, in all lines.
  void invalidate_clean();
  /// Marks all sectors of a line clean, including pending ones. Returns the sectors that were
  /// dirty; none if the line is absent.
  SectorMask clean(std::uint64_t line);
  /// Calls `write_back(line, sectors)` for each line with sectors that are valid and dirty, set by
  /// set. Marks these sectors clean; they stay valid.
  template <class WriteBack>
  void flush(WriteBack&& write_back) {
    for (std::size_t place = 0; place < ways_.size(); ++place) {
      const SectorMask dirty = ways_[place].dirty & ways_[place].valid;
      if (dirty == 0) continue;
      ways_[place].dirty &= ~dirty;
      write_back(tags_[place], dirty);
    }
  }

 private:
  static constexpr std::size_t kNowhere = ~std::size_t{0};
  /// The tag of an empty way. No line has this number, because a line has at least two bytes.
  static constexpr std::uint64_t kNoLine = ~std::uint64_t{0};

  std::size_t first_way(std::uint64_t line) const {
    if (hashed_set_bits_ != 0) return hashed_set(line) * ways_per_set_;
    return (sets_are_power_of_two_ ? line & (sets_ - 1) : line % sets_) * ways_per_set_;
  }
  std::uint64_t hashed_set(std::uint64_t line) const {
    if (sets_are_power_of_two_) return xor_fold(line, hashed_set_bits_);
    // For other numbers of sets, addition modulo sets_ takes the place of exclusive or.
    return (line + xor_fold(line / sets_, hashed_set_bits_)) % sets_;
  }
  /// Returns the index of a line in tags_ and ways_; kNowhere if the line is absent.
  std::size_t find(std::uint64_t line) const { return find_in_set(first_way(line), line); }
  /// The same, if the index of the first way of the line's set is known.
  std::size_t find_in_set(std::size_t first, std::uint64_t line) const {
    // The search does not stop at a match. The host could rarely predict in which way the match is,
    // and a mispredicted branch costs more than comparing the remaining tags.
    std::size_t place = kNowhere;
    for (std::size_t way = first; way < first + ways_per_set_; ++way) {
      place = tags_[way] == line ? way : place;
    }
    return place;
  }
  /// The index of a line that is present.
  std::size_t place_of(std::uint64_t line) const {
    const std::size_t place = find(line);
    assert(place != kNowhere);
    return place;
  }
  void use(std::size_t place) {
    ways_[place].last_use = ++use_count_;
    if (policy_observes_uses_) report_use(place);
  }
  void report_use(std::size_t place);
  /// Makes the cache empty and gives it `bytes` bytes, which can be divided into sets.
  void allocate_sets(std::uint64_t bytes);
  /// Puts a line without valid and pending sectors into the way at this index.
  void allocate_at(std::size_t place, std::uint64_t line);
  std::span<CacheWay> set_of(std::size_t place) {
    return {&ways_[place - place % ways_per_set_], ways_per_set_};
  }
  bool is_sector_mask(SectorMask sectors) const {
    return sectors != 0 && (sectors & ~all_sectors_) == 0;
  }
  /// The index of the way that a new line of the set gets; kNowhere if there is none. `first`: the
  /// index of the set's first way.
  std::size_t victim_in_set(std::size_t first) const;
  /// Invalidates sectors of the line at this index. Empties the way if no sector remains present.
  void invalidate_at(std::size_t place, SectorMask sectors);

  std::uint64_t sets_ = 0;
  std::uint32_t ways_per_set_ = 0;
  int line_shift_ = 0;
  int sector_shift_ = 0;
  std::uint64_t line_offset_mask_ = 0;
  SectorMask all_sectors_ = 0;
  bool hashes_sets_ = false;
  bool sets_are_power_of_two_ = false;
  std::uint32_t hashed_set_bits_ = 0;  ///< 0: the low bits of a line number select its set.
  std::uint64_t use_count_ = 0;
  std::uint64_t empty_ways_ = 0;  ///< If 0, a victim is chosen without a search for an empty way.
  // Both arrays are ordered by set, then by way. The tags have an array of their own, so that the
  // search for a line reads only tags.
  LineVector<std::uint64_t> tags_;
  LineVector<CacheWay> ways_;
  std::unique_ptr<Replacement> replacement_;
  bool policy_observes_uses_ = true;         ///< Replacement::observes_uses().
  bool policy_observes_allocations_ = true;  ///< Replacement::observes_allocations().
};

}  // namespace heddle::memory
