#pragma once

#include <cassert>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/slot_table.h"
#include "memory/cache_tags.h"
#include "memory/mshr_table.h"
#include "sm/memory/cache_description.h"

namespace heddle::sm {

/// A cache that loads look into and that goes on while lines are fetched: its tags, its misses and
/// the loads that wait for them. The L1, the constant cache and the texture cache are each one.
/// When an access happens and how data are fetched and written back is the caller's.
///
/// A line has one MSHR, for all of its sectors; an access that waits counts among its merges until
/// all of the sectors that it lacked have come.
class NonblockingCache {
 public:
  using Sectors = memory::SectorMask;
  /// In place of a load's number.
  static constexpr std::uint32_t kNoLoad = ~std::uint32_t{0};

  enum class Outcome : std::uint8_t {
    hit,
    waits,        ///< For the line, of which the caller must fetch `to_fetch`. A store is done.
    mshrs_full,   ///< Nothing happened, nor in the following; a fill may help.
    merges_full,  ///< The line has no room for one more to wait.
    set_pending,  ///< All lines of the set wait for fills.
    send_full,    ///< The access needs a fetch or a write-back, which cannot be sent now.
  };
  using Eviction = memory::CacheTags::Eviction;
  struct Access {
    Outcome outcome = Outcome::hit;
    Sectors to_fetch = 0;  ///< None where they are all on the way.
    Eviction evicted{};    ///< The caller must write its dirty sectors back, if any.
  };

  /// Throws InputError, in which the cache goes by `name`.
  NonblockingCache(const CacheDescription& description, std::string_view name);

  std::uint64_t line_of(std::uint64_t address) const { return tags_.line_of(address); }
  std::uint64_t address_of(std::uint64_t line) const { return line * line_bytes_; }
  std::uint32_t sector_bytes() const { return sector_bytes_; }
  Cycles latency() const { return latency_; }
  /// The sectors with the touched parts (bit i: the i-th `grain` bytes) of what is at `address`.
  Sectors sectors_of(std::uint64_t address, std::uint32_t touched, std::uint32_t grain) const;
  /// Of these, the sectors all of whose parts are touched.
  Sectors covered_by(std::uint64_t address, std::uint32_t touched, std::uint32_t grain) const;

  /// Whether access() would hit. While no other access comes in between, what would hit now would
  /// hit later as well: fills take no line away.
  bool would_hit(std::uint64_t line, Sectors sectors) const {
    return tags_.probe(line, sectors) == memory::CacheTags::Probe::hit;
  }
  /// Lets the host fetch what a look for the line takes.
  [[gnu::always_inline]] void prefetch(std::uint64_t line) const {
    tags_.prefetch(line);
    mshrs_.prefetch(line);
  }
  /// An access by `load`, a number of the caller's.
  Access access(std::uint64_t line, Sectors sectors, std::uint32_t load, bool can_send);
  /// An access for which would_hit() holds.
  void hit(std::uint64_t line) {
    tags_.touch(line);
    ++counters_.accesses;
    ++counters_.hits;
  }
  /// Sectors that access() wanted fetched have come. Calls `each_load(load)` for those that wait
  /// no longer, in order of their accesses.
  template <class EachLoad>
  void fill(std::uint64_t line, Sectors sectors, EachLoad&& each_load) {
    tags_.fill(line, sectors);
    still_waiting_.clear();
    mshrs_.release(line, [&](std::uint32_t number) {
      Waiter& waiter = waiters_[number];
      waiter.lacks &= ~sectors;
      if (waiter.lacks != 0) return still_waiting_.push_back(number);
      const std::uint32_t load = waiter.load;
      waiters_.remove(number);
      if (load != kNoLoad) each_load(load);
    });
    for (const std::uint32_t number : still_waiting_) mshrs_.add(line, number);
  }
  /// Whether any of the line's sectors is there or on its way.
  bool has_line(std::uint64_t line) const {
    return tags_.probe(line, 1) != memory::CacheTags::Probe::miss;
  }
  /// A store that is written through uses a line that is there, and leaves it as present as it was.
  void use(std::uint64_t line) { tags_.touch(line); }
  /// A store whose data stay here until their line is evicted, which is made where there is none.
  /// Sectors that it does not cover are fetched if they are not there: its data come on top when
  /// the rest has come, and it does not wait for that.
  Access store(std::uint64_t line, Sectors touched, Sectors covered, bool can_send);

  /// What stores have left here of a line, on top of what is still to come too, is the caller's to
  /// write back. It stays, and is clean.
  Sectors clean(std::uint64_t line) { return tags_.clean(line); }
  /// The same of all lines, of which none waits for anything.
  template <class WriteBack>
  void clean_all(WriteBack&& write_back) {
    tags_.flush(std::forward<WriteBack>(write_back));
  }
  /// What is there of a line that is clean.
  void forget(std::uint64_t line) {
    [[maybe_unused]] const Sectors lost = tags_.invalidate(line);
    assert(lost == 0);
  }
  /// All that is clean.
  void forget_all() { tags_.invalidate_clean(); }

  struct Counters {
    std::uint64_t accesses = 0;
    std::uint64_t hits = 0;
    std::uint64_t misses = 0;
    std::uint64_t merged = 0;
    std::uint64_t evictions = 0;
  };

  const Counters& counters() const { return counters_; }
  void declare(CounterList& counters);

 private:
  struct Waiter {
    std::uint32_t load = 0;  ///< kNoLoad: of a store.
    Sectors lacks = 0;
  };

  Sectors lacking(std::uint64_t line, Sectors sectors) const;
  /// `waits` if an access can wait for the line, or what is full.
  Outcome room_to_wait(std::uint64_t line) const;
  Eviction count_eviction(const memory::CacheTags::Reservation& reservation);

  std::uint32_t line_bytes_;
  std::uint32_t sector_bytes_;
  Cycles latency_;
  std::uint32_t merges_;
  memory::CacheTags tags_;
  memory::MshrTable mshrs_;
  SlotTable<Waiter> waiters_;
  std::vector<std::uint32_t> still_waiting_;  ///< During a fill.
  Counters counters_;
};

}  // namespace heddle::sm
