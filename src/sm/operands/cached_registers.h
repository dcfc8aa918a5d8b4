#pragma once

// What a cache of registers holds of one row of 32 threads (Gebhart's dissertation, section 5.2).
// Tags are the row's; which threads' values an entry has, and which of them the main file lacks, it
// knows lane by lane, as what threads write on one side of a branch is not there for the others.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/lane_mask.h"
#include "sm/issue_table.h"

namespace heddle::sm {

enum class Replacement : std::uint8_t { fifo, lru };

class CachedRegisters {
 public:
  struct Entry {
    std::uint16_t word = 0;
    LaneMask valid;  ///< None: the entry is free.
    LaneMask dirty;
    std::uint64_t stamp = 0;
  };

  CachedRegisters(std::uint32_t entries, Replacement replacement)
      : replacement_(replacement), entries_(entries) {
    place_.fill(kNowhere);
  }

  /// The lanes of a register that it has.
  LaneMask lanes_of(std::uint16_t word) const {
    const std::uint8_t place = place_[word];
    return place == kNowhere ? LaneMask() : entries_[place].valid;
  }
  std::uint8_t entry_of(std::uint16_t word) const { return place_[word]; }
  /// It is read.
  void touch(std::uint16_t word) {
    if (replacement_ == Replacement::lru) entries_[place_[word]].stamp = ++clock_;
  }
  /// These lanes' values are not read any more: they keep their place, and are not written back.
  void mark_dead(std::uint16_t word, LaneMask lanes) {
    const std::uint8_t place = place_[word];
    if (place != kNowhere) entries_[place].dirty = entries_[place].dirty.without(lanes);
  }
  /// These lanes' values are not what the register holds any more.
  void drop(std::uint16_t word, LaneMask lanes) {
    const std::uint8_t place = place_[word];
    if (place == kNowhere) return;
    Entry& entry = entries_[place];
    entry.valid = entry.valid.without(lanes);
    entry.dirty = entry.dirty.without(lanes);
    if (entry.valid.empty()) place_[word] = kNowhere;
  }
  /// Makes room for a register, where it is not there: what is evicted is returned.
  std::optional<Entry> make_room(std::uint16_t word) {
    if (place_[word] != kNowhere) return std::nullopt;
    const std::uint8_t place = victim();
    Entry& entry = entries_[place];
    std::optional<Entry> evicted;
    if (!entry.valid.empty()) {
      evicted = entry;
      place_[entry.word] = kNowhere;
    }
    entry = {.word = word, .valid = {}, .dirty = {}, .stamp = ++clock_};
    place_[word] = place;
    return evicted;
  }
  /// These lanes of a register that there is room for are written.
  void put(std::uint16_t word, LaneMask lanes, bool dirty) {
    Entry& entry = entries_[place_[word]];
    entry.valid = entry.valid | lanes;
    if (dirty) entry.dirty = entry.dirty | lanes;
    if (entry.valid.empty()) place_[word] = kNowhere;
    if (replacement_ == Replacement::lru) entry.stamp = ++clock_;
  }
  /// each(entry) for all that it has.
  template <class Each>
  void for_each(Each each) const {
    for (const Entry& entry : entries_) {
      if (!entry.valid.empty()) each(entry);
    }
  }
  void clear() {
    for (Entry& entry : entries_) {
      place_[entry.word] = kNowhere;
      entry.valid = {};
      entry.dirty = {};
    }
  }

  static constexpr std::uint8_t kNowhere = 0xff;

 private:
  /// A free entry, else the one that was made, or used, first.
  std::uint8_t victim() const {
    std::size_t first = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].valid.empty()) return static_cast<std::uint8_t>(i);
      if (entries_[i].stamp < entries_[first].stamp) first = i;
    }
    return static_cast<std::uint8_t>(first);
  }

  Replacement replacement_;
  std::uint64_t clock_ = 0;
  std::vector<Entry> entries_;
  std::array<std::uint8_t, kFirstPredicate> place_{};  ///< Of each register.
};

}  // namespace heddle::sm
