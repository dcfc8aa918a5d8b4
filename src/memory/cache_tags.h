#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/folded.h"
#include "base/host_lines.h"

namespace heddle::memory {

/// A set of a line's sectors; bit 0 is the sector at the lowest address.
using SectorMask = std::uint32_t;

/// The tags of a set-associative cache whose lines are filled by sectors, with replacement of the
/// least recently used line. It knows what is where, not when: latencies and counters are the
/// cache's.
///
/// A line is named by its address divided by the bytes of a line, and lies in the set of its low
/// bits; with `hash_sets`, in that of all its bits, folded, so that lines a whole number of ways
/// apart are in different sets. Lines that follow one another use all sets evenly either way. Tags
/// are whole names, whatever the set. A line's sectors are invalid, pending (their fill has been
/// asked for) or valid, and clean or dirty; a line none of whose sectors is pending or valid is not
/// there. A line with pending sectors is not evicted: the fills that are on the way must find their
/// place.
///
/// `sectors` must name at least one sector of the line, and none beyond it.
class CacheTags {
 public:
  struct Parameters {
    std::uint64_t bytes = 16384;
    std::uint32_t line_bytes = 128;
    std::uint32_t sector_bytes = 128;  ///< As large as a line: no sectors.
    std::uint32_t ways = 4;
    bool hash_sets = false;
  };
  enum class Probe : std::uint8_t {
    hit,           ///< All sectors are valid.
    pending,       ///< All are valid or pending, at least one pending.
    partial_miss,  ///< The line is there, some of its sectors are invalid.
    miss,
  };
  struct Eviction {
    std::uint64_t line = 0;
    SectorMask dirty = 0;  ///< To be written back; none where the line was clean.
    friend bool operator==(const Eviction&, const Eviction&) = default;
  };
  struct Reservation {
    std::optional<Eviction> evicted;
    SectorMask to_fetch = 0;  ///< Those that were invalid: the others are there or on the way.
  };

  explicit CacheTags(const Parameters& parameters);

  std::uint64_t line_of(std::uint64_t address) const { return address >> line_shift_; }
  /// The sectors that hold the `bytes` at `address`; they must lie in one line and be at least one.
  SectorMask sectors_of(std::uint64_t address, std::uint32_t bytes) const {
    const std::uint64_t begin = address & line_offset_mask_;
    const std::uint64_t last = begin + bytes - 1;
    assert(bytes > 0 && last <= line_offset_mask_);
    const auto up_to_last = SectorMask{2} << (last >> sector_shift_);
    return up_to_last - (SectorMask{1} << (begin >> sector_shift_));
  }
  SectorMask all_sectors() const { return all_sectors_; }
  std::uint64_t sets() const { return sets_; }

  /// Lets the host fetch what a look at the line's set takes.
  [[gnu::always_inline]] void prefetch(std::uint64_t line) const {
    const std::size_t first = first_way(line);
    prefetch_lines(&tags_[first], ways_ * sizeof tags_[0]);
    prefetch_lines(&states_[first], ways_ * sizeof states_[0]);
  }
  /// Changes nothing, the order of use included.
  Probe probe(std::uint64_t line, SectorMask sectors) const {
    assert(names_sectors(sectors));
    const std::size_t place = find(line);
    if (place == kNowhere) return Probe::miss;
    const State& state = states_[place];
    if ((sectors & ~state.valid) == 0) return Probe::hit;
    return (sectors & ~state.present()) == 0 ? Probe::pending : Probe::partial_miss;
  }
  /// Notes a use of a line that is there.
  void touch(std::uint64_t line) { use(found(line)); }
  /// Uses the line, which is made in place of the least recently used one where it is not there,
  /// and marks those of `sectors` that are invalid as pending. None where all lines of the set wait
  /// for fills.
  std::optional<Reservation> reserve(std::uint64_t line, SectorMask sectors);
  /// The sectors have come: those that are pending become valid. Others, which an insert() made
  /// valid in the meantime, stay as they are, even if the line has gone since.
  void fill(std::uint64_t line, SectorMask sectors);
  /// Uses the line, all of whose `sectors` are there, and marks them dirty if `dirty`. A write to a
  /// pending sector is merged with the fill when it comes.
  void write(std::uint64_t line, SectorMask sectors, bool dirty) {
    State& state = found(line);
    assert(names_sectors(sectors) && (sectors & ~state.present()) == 0);
    use(state);
    if (dirty) state.dirty |= sectors;
  }
  /// reserve() and fill() at once, for data that need not be fetched: sectors that are written
  /// whole.
  std::optional<Reservation> insert(std::uint64_t line, SectorMask sectors, bool dirty);
  /// Whether reserve() or insert() would evict a line with dirty sectors.
  bool would_evict_dirty(std::uint64_t line) const;

  /// Forgets the valid sectors of a line, if it is there; its pending ones stay so. Returns the
  /// dirty ones among those forgotten.
  SectorMask invalidate(std::uint64_t line);
  /// Forgets all sectors that are valid and clean.
  void invalidate_clean();
  /// Marks a line's sectors clean, those on their way included. Returns those that were dirty; none
  /// where the line is not there.
  SectorMask clean(std::uint64_t line);
  /// Calls `write_back(line, dirty sectors)` for each line with sectors that are valid and dirty,
  /// set by set, and marks these clean. They stay valid.
  template <class WriteBack>
  void flush(WriteBack&& write_back) {
    for (std::size_t place = 0; place < states_.size(); ++place) {
      const SectorMask dirty = states_[place].dirty & states_[place].valid;
      if (dirty == 0) continue;
      states_[place].dirty &= ~dirty;
      write_back(tags_[place], dirty);
    }
  }

 private:
  static constexpr std::size_t kNowhere = ~std::size_t{0};
  /// In place of a tag. No line has this number, as lines are longer than a byte.
  static constexpr std::uint64_t kNoLine = ~std::uint64_t{0};

  struct State {
    std::uint64_t last_use = 0;  ///< By use_count_; 0 where no line is: taken before any other.
    SectorMask valid = 0;
    SectorMask pending = 0;  ///< Disjoint from valid.
    SectorMask dirty = 0;    ///< Only of sectors that are present.

    SectorMask present() const { return valid | pending; }
  };

  std::size_t first_way(std::uint64_t line) const {
    if (hashed_set_bits_ != 0) return hashed_set(line) * ways_;
    return (sets_are_power_of_two_ ? line & (sets_ - 1) : line % sets_) * ways_;
  }
  std::uint64_t hashed_set(std::uint64_t line) const {
    if (sets_are_power_of_two_) return folded(line, hashed_set_bits_);
    // What exclusive or is to a power of two.
    return (line + folded(line / sets_, hashed_set_bits_)) % sets_;
  }
  std::size_t find(std::uint64_t line) const {
    // Without a branch on what is found: which way it is cannot be predicted, and a wrong guess
    // costs more than the tags after it.
    const std::size_t first = first_way(line);
    std::size_t place = kNowhere;
    for (std::size_t way = first; way < first + ways_; ++way) {
      place = tags_[way] == line ? way : place;
    }
    return place;
  }
  State& found(std::uint64_t line) {
    const std::size_t place = find(line);
    assert(place != kNowhere);
    return states_[place];
  }
  void use(State& state) { state.last_use = ++use_count_; }
  bool names_sectors(SectorMask sectors) const {
    return sectors != 0 && (sectors & ~all_sectors_) == 0;
  }
  std::size_t victim_in_set_of(std::uint64_t line) const;
  void forget(std::size_t place, SectorMask sectors);

  std::uint64_t sets_ = 0;
  std::uint32_t ways_ = 0;
  int line_shift_ = 0;
  int sector_shift_ = 0;
  std::uint64_t line_offset_mask_ = 0;
  SectorMask all_sectors_ = 0;
  bool sets_are_power_of_two_ = false;
  std::uint32_t hashed_set_bits_ = 0;  ///< 0: a line's low bits are its set.
  std::uint64_t use_count_ = 0;
  // By set, then way. The tags lie apart from the rest, so that a look-up reads them alone.
  LineVector<std::uint64_t> tags_;
  LineVector<State> states_;
};

}  // namespace heddle::memory
