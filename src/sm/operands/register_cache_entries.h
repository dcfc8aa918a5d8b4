#pragma once

// The contents of a register cache for one static warp (32 threads of a block), after Gebhart's
// dissertation, section 5.2. An entry has one tag for the whole warp, but a valid and a dirty bit
// for each lane: a value that threads write on one side of a branch is not in the cache for the
// threads on the other side.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/lane_mask.h"
#include "sm/instructions/issue_table.h"
#include "sm/operands/entry_replacement.h"

namespace heddle::sm {

/// In all functions, `reg` is the number of a register.
class RegisterCacheEntries {
 public:
  struct Entry {
    std::uint16_t reg = 0;    ///< The register's number.
    LaneMask valid;           ///< The lanes with a value. Empty if the entry is free.
    LaneMask dirty;           ///< The lanes whose value must be written back.
    std::uint64_t stamp = 0;  ///< Orders entries by allocation (FIFO) or by last use (LRU).
  };

  RegisterCacheEntries(std::uint32_t entries, EntryReplacement replacement)
      : replacement_(replacement), entries_(entries) {
    place_.fill(kNowhere);
  }

  /// The lanes for which the cache contains the register.
  LaneMask lanes_of(std::uint16_t reg) const {
    const std::uint8_t place = place_[reg];
    return place == kNowhere ? LaneMask() : entries_[place].valid;
  }
  /// The number of the register's entry; kNowhere if it has none.
  std::uint8_t entry_of(std::uint16_t reg) const { return place_[reg]; }
  /// Notes a read of the register, which must have an entry.
  void touch(std::uint16_t reg) {
    if (replacement_ == EntryReplacement::lru) entries_[place_[reg]].stamp = ++clock_;
  }
  /// Notes that the values of these lanes will not be read again. They stay in their entry, but
  /// will not be written back.
  void mark_dead(std::uint16_t reg, LaneMask lanes) {
    const std::uint8_t place = place_[reg];
    if (place != kNowhere) entries_[place].dirty = entries_[place].dirty.without(lanes);
  }
  /// Invalidates the values of these lanes, because the register has been written in another level.
  void drop(std::uint16_t reg, LaneMask lanes) {
    const std::uint8_t place = place_[reg];
    if (place == kNowhere) return;
    Entry& entry = entries_[place];
    entry.valid = entry.valid.without(lanes);
    entry.dirty = entry.dirty.without(lanes);
    if (entry.valid.empty()) place_[reg] = kNowhere;
  }
  /// Allocates an entry for the register, unless it has one. Returns the entry that was evicted, if
  /// any.
  std::optional<Entry> allocate(std::uint16_t reg) {
    if (place_[reg] != kNowhere) return std::nullopt;
    const std::uint8_t place = victim();
    Entry& entry = entries_[place];
    std::optional<Entry> evicted;
    if (!entry.valid.empty()) {
      evicted = entry;
      place_[entry.reg] = kNowhere;
    }
    entry = {.reg = reg, .valid = {}, .dirty = {}, .stamp = ++clock_};
    place_[reg] = place;
    return evicted;
  }
  /// Writes these lanes of the register, which must have an entry.
  void put(std::uint16_t reg, LaneMask lanes, bool dirty) {
    Entry& entry = entries_[place_[reg]];
    entry.valid = entry.valid | lanes;
    if (dirty) entry.dirty = entry.dirty | lanes;
    if (entry.valid.empty()) place_[reg] = kNowhere;
    if (replacement_ == EntryReplacement::lru) entry.stamp = ++clock_;
  }
  /// Calls each(entry) for all valid entries.
  template <class Each>
  void for_each(Each each) const {
    for (const Entry& entry : entries_) {
      if (!entry.valid.empty()) each(entry);
    }
  }
  void clear() {
    for (Entry& entry : entries_) {
      place_[entry.reg] = kNowhere;
      entry.valid = {};
      entry.dirty = {};
    }
  }

  static constexpr std::uint8_t kNowhere = 0xff;

 private:
  /// A free entry or, if none is free, the one that was allocated (FIFO) or used (LRU) longest ago.
  std::uint8_t victim() const {
    std::size_t oldest = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].valid.empty()) return static_cast<std::uint8_t>(i);
      if (entries_[i].stamp < entries_[oldest].stamp) oldest = i;
    }
    return static_cast<std::uint8_t>(oldest);
  }

  EntryReplacement replacement_;
  std::uint64_t clock_ = 0;
  std::vector<Entry> entries_;
  /// By register: the number of its entry; kNowhere if it has none.
  std::array<std::uint8_t, kFirstPredicate> place_{};
};

}  // namespace heddle::sm
