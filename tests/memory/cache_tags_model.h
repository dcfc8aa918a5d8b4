#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <list>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "memory/cache_tags.h"

namespace heddle::memory {

/// A model of CacheTags: each set is a list of lines in LRU order, with a record for each sector.
class CacheTagsModel {
 public:
  explicit CacheTagsModel(const CacheTags::Parameters& cache)
      : sectors_(cache.line_bytes / cache.sector_bytes),
        ways_(cache.ways),
        hashes_(cache.hash_sets),
        sets_(cache.bytes / cache.line_bytes / cache.ways) {}

  CacheTags::Probe probe(std::uint64_t line, SectorMask requested) {
    const Line* found = find(line);
    if (found == nullptr) return CacheTags::Probe::miss;
    bool any_pending = false;
    for (unsigned s = 0; s < sectors_; ++s) {
      if ((requested >> s & 1) == 0) continue;
      if (found->sectors[s].state == State::invalid) return CacheTags::Probe::partial_miss;
      any_pending = any_pending || found->sectors[s].state == State::pending;
    }
    return any_pending ? CacheTags::Probe::pending : CacheTags::Probe::hit;
  }
  bool is_present(std::uint64_t line) { return find(line) != nullptr; }
  void touch(std::uint64_t line) { to_front(line); }

  std::optional<CacheTags::Reservation> reserve(std::uint64_t line, SectorMask requested) {
    CacheTags::Reservation reservation;
    std::list<Line>& set = set_of(line);
    if (find(line) == nullptr) {
      if (set.size() == ways_) {
        const auto oldest = std::find_if(set.rbegin(), set.rend(), [](const Line& candidate) {
          return candidate.count(State::pending) == 0;
        });
        if (oldest == set.rend()) return std::nullopt;
        reservation.evicted = CacheTags::Eviction{.line = oldest->number, .dirty = dirty(*oldest)};
        set.erase(std::next(oldest).base());
      }
      set.push_front({line, std::vector<Sector>(sectors_)});
    }
    to_front(line);
    for (unsigned s = 0; s < sectors_; ++s) {
      Sector& sector = set.front().sectors[s];
      if ((requested >> s & 1) == 0 || sector.state != State::invalid) continue;
      sector.state = State::pending;
      reservation.to_fetch |= SectorMask{1} << s;
    }
    return reservation;
  }
  void fill(std::uint64_t line, SectorMask arrived) {
    Line* found = find(line);
    for (unsigned s = 0; found != nullptr && s < sectors_; ++s) {
      Sector& sector = found->sectors[s];
      if ((arrived >> s & 1) != 0 && sector.state == State::pending) sector.state = State::valid;
    }
  }
  void write(std::uint64_t line, SectorMask written, bool dirty) {
    to_front(line);
    for (unsigned s = 0; s < sectors_; ++s) {
      if (dirty && (written >> s & 1) != 0) find(line)->sectors[s].dirty = true;
    }
  }
  std::optional<CacheTags::Reservation> insert(std::uint64_t line, SectorMask sectors, bool dirty) {
    auto reservation = reserve(line, sectors);
    if (!reservation) return std::nullopt;
    fill(line, sectors);
    write(line, sectors, dirty);
    reservation->to_fetch = 0;
    return reservation;
  }
  SectorMask invalidate(std::uint64_t line) {
    SectorMask lost = 0;
    if (Line* found = find(line)) {
      lost = dirty(*found);
      for (Sector& sector : found->sectors) {
        if (sector.state == State::valid) sector = {};
      }
    }
    drop_empty_lines();
    return lost;
  }
  bool would_evict_dirty(std::uint64_t line) {
    CacheTagsModel copy = *this;
    const auto reservation = copy.reserve(line, 1);
    return reservation && reservation->evicted && reservation->evicted->dirty != 0;
  }
  SectorMask clean(std::uint64_t line) {
    SectorMask was_dirty = 0;
    Line* found = find(line);
    for (unsigned s = 0; found != nullptr && s < sectors_; ++s) {
      if (std::exchange(found->sectors[s].dirty, false)) was_dirty |= SectorMask{1} << s;
    }
    return was_dirty;
  }
  void invalidate_clean() {
    for (std::list<Line>& set : sets_) {
      for (Line& line : set) {
        for (Sector& sector : line.sectors) {
          if (sector.state == State::valid && !sector.dirty) sector = {};
        }
      }
    }
    drop_empty_lines();
  }
  std::map<std::uint64_t, SectorMask> flush() {
    std::map<std::uint64_t, SectorMask> written;
    for (std::list<Line>& set : sets_) {
      for (Line& line : set) {
        if (dirty(line) != 0) written[line.number] = dirty(line);
        for (Sector& sector : line.sectors) {
          if (sector.state == State::valid) sector.dirty = false;
        }
      }
    }
    return written;
  }

 private:
  enum class State { invalid, pending, valid };
  struct Sector {
    State state = State::invalid;
    bool dirty = false;
  };
  struct Line {
    std::uint64_t number = 0;
    std::vector<Sector> sectors;

    long count(State state) const {
      return std::count_if(sectors.begin(), sectors.end(),
                           [&](const Sector& sector) { return sector.state == state; });
    }
  };

  /// With hashing, each bit of the line number above the bits of the set flips one bit of the set.
  std::list<Line>& set_of(std::uint64_t line) {
    const std::uint64_t sets = sets_.size();
    unsigned bits = 0;
    while (std::uint64_t{1} << bits < sets) ++bits;
    std::uint64_t hash = 0;
    for (unsigned bit = 0; hashes_ && bits != 0 && bit < 64; ++bit) {
      hash ^= ((line / sets) >> bit & 1) << (bit % bits);
    }
    const bool is_power_of_two = std::uint64_t{1} << bits == sets;
    return sets_[is_power_of_two ? (line % sets) ^ hash : (line % sets + hash) % sets];
  }
  Line* find(std::uint64_t line) {
    for (Line& candidate : set_of(line)) {
      if (candidate.number == line) return &candidate;
    }
    return nullptr;
  }
  void to_front(std::uint64_t line) {
    std::list<Line>& set = set_of(line);
    const auto at = std::find_if(set.begin(), set.end(),
                                 [&](const Line& candidate) { return candidate.number == line; });
    set.splice(set.begin(), set, at);
  }
  SectorMask dirty(const Line& line) const {
    SectorMask mask = 0;
    for (unsigned s = 0; s < sectors_; ++s) {
      const Sector& sector = line.sectors[s];
      if (sector.dirty && sector.state == State::valid) mask |= SectorMask{1} << s;
    }
    return mask;
  }
  void drop_empty_lines() {
    for (std::list<Line>& set : sets_) {
      set.remove_if([&](const Line& line) {
        return line.count(State::invalid) == static_cast<long>(sectors_);
      });
    }
  }

  unsigned sectors_;
  std::uint32_t ways_;
  bool hashes_;
  std::vector<std::list<Line>> sets_;  ///< In each set, the most recently used line is first.
};

}  // namespace heddle::memory
