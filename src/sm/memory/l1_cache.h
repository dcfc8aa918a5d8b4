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

/// A non-blocking cache: the L1, the constant cache or the texture cache. The class models the
/// tags, the outstanding misses, and the loads that wait for them. The caller decides when accesses
/// happen, and fetches and writes back the data.
///
/// A line that is being fetched has one MSHR (miss status holding register) for all its sectors.
/// Each waiting access occupies an entry of the MSHR, called a merge, until all sectors that it
/// missed have been filled.
class L1Cache {
 public:
  using Sectors = memory::SectorMask;
  /// In place of a load's number: no load waits.
  static constexpr std::uint32_t kNoLoad = ~std::uint32_t{0};

  enum class Outcome : std::uint8_t {
    hit,
    /// A load waits for sectors of the line. A store does not wait, but sectors are fetched for it.
    waits,
    // The access is refused, and has changed nothing. It may succeed after a fill or, in the case
    // of send_full, when the port to the crossbar has space.
    mshrs_full,         ///< No MSHR is free.
    merges_full,        ///< The line's MSHR has no free entry.
    whole_set_pending,  ///< All lines of the set wait for fills.
    send_full,          ///< The access needs a fetch or a write-back, which cannot be sent now.
  };
  using Eviction = memory::CacheTags::Eviction;
  struct Access {
    Outcome outcome = Outcome::hit;
    /// The sectors that the caller must fetch. Sectors that are already being fetched are not among
    /// them.
    Sectors to_fetch = 0;
    /// The evicted line, if any. The caller must write its dirty sectors back.
    Eviction evicted{};
  };

  /// Throws InputError if the description is not possible. The message calls the cache `name`.
  L1Cache(const CacheDescription& description, std::string_view name);

  /// As memory::CacheTags::resize().
  void resize(std::uint64_t bytes) { tags_.resize(bytes); }

  std::uint64_t line_of(std::uint64_t address) const { return tags_.line_of(address); }
  std::uint64_t address_of(std::uint64_t line) const { return line * line_bytes_; }
  std::uint32_t sector_bytes() const { return sector_bytes_; }
  Cycles latency() const { return latency_; }
  /// The sectors of the line of `address` that contain touched bytes. Bit i of `touched` stands for
  /// the `grain` bytes from `address` + i * `grain` on.
  Sectors sectors_of(std::uint64_t address, std::uint32_t touched, std::uint32_t grain) const;
  /// The sectors in which all bytes are touched. Parameters as for sectors_of().
  Sectors covered_by(std::uint64_t address, std::uint32_t touched, std::uint32_t grain) const;

  /// Whether access() would hit. If so, it would hit until the next access: fills evict no lines.
  bool would_hit(std::uint64_t line, Sectors sectors) const {
    return tags_.probe(line, sectors) == memory::CacheTags::Probe::hit;
  }
  /// Prefetches, into the host's caches, the data that a look-up of the line needs.
  [[gnu::always_inline]] void prefetch(std::uint64_t line) const {
    tags_.prefetch(line);
    mshrs_.prefetch(line);
  }
  /// Makes an access of a load. `load`: a number by which fill() names the load. `can_send`:
  /// whether a fetch or a write-back can be sent now.
  Access access(std::uint64_t line, Sectors sectors, std::uint32_t load, bool can_send);
  /// Allocates a line and its MSHR for a prefetch of all its sectors, which no load waits for. The
  /// outcome is `hit` if the line is present or pending: then nothing is changed.
  Access begin_prefetch(std::uint64_t line, bool can_send);
  /// Called when a load has hit a line, or waits for it: whether a prefetch fetched the line, and
  /// this is the first use.
  bool use_prefetch(std::uint64_t line) { return tags_.take_prefetch_mark(line); }
  /// Makes an access for which would_hit() is true.
  void hit(std::uint64_t line) {
    tags_.touch(line);
    ++counters_.accesses;
    ++counters_.hits;
  }
  /// Fills sectors that the caller has fetched for access(), store() or begin_prefetch(). Calls
  /// each_load(load) for each load that no longer waits, in order of their accesses.
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
  /// Whether any of the line's sectors is valid or being fetched.
  bool has_line(std::uint64_t line) const {
    return tags_.probe(line, 1) != memory::CacheTags::Probe::miss;
  }
  /// Marks the line as used, for its replacement, by a write-through store. Such a store does not
  /// change which sectors are valid.
  void use(std::uint64_t line) { tags_.touch(line); }
  /// Makes a write-back store, whose data stay in the cache until the line is evicted. If the line
  /// is not in the cache, it is allocated. `touched`: the sectors that the store writes; `covered`:
  /// those that it writes completely. The other touched sectors are fetched, unless they are valid.
  /// The store does not wait for this, and its data take precedence over the fetched data.
  Access store(std::uint64_t line, Sectors touched, Sectors covered, bool can_send);

  /// Marks a line clean and returns the sectors that were dirty, including those that are still
  /// being fetched. The caller must write them back. The line stays valid.
  Sectors clean(std::uint64_t line) { return tags_.clean(line); }
  /// Cleans all lines, and calls write_back(line, dirty_sectors) for each one that was dirty. No
  /// line may be waiting for a fill.
  template <class WriteBack>
  void clean_all(WriteBack&& write_back) {
    tags_.flush(std::forward<WriteBack>(write_back));
  }
  /// Invalidates a line, which must be clean.
  void invalidate(std::uint64_t line) {
    [[maybe_unused]] const Sectors lost = tags_.invalidate(line);
    assert(lost == 0);
  }
  /// Invalidates all clean lines.
  void invalidate_all() { tags_.invalidate_clean(); }

  /// The counters of loads' accesses; declare() describes them.
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
    std::uint32_t load = 0;  ///< kNoLoad for a store or a prefetch.
    Sectors lacks = 0;       ///< The sectors that it missed and that have not been filled yet.
  };

  Sectors missing_sectors(std::uint64_t line, Sectors sectors) const;
  /// Outcome::waits if an access can wait for the line; otherwise the outcome that names the full
  /// resource.
  Outcome check_space_to_wait(std::uint64_t line) const;
  Eviction count_eviction(const memory::CacheTags::Reservation& reservation);

  std::uint32_t line_bytes_;
  std::uint32_t sector_bytes_;
  Cycles latency_;
  std::uint32_t merges_;
  memory::CacheTags tags_;
  memory::MshrTable mshrs_;
  SlotTable<Waiter> waiters_;
  std::vector<std::uint32_t> still_waiting_;  ///< Used by fill(): waiters that lack more sectors.
  Counters counters_;
};

}  // namespace heddle::sm
