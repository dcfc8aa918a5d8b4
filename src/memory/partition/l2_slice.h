#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/slot_table.h"
#include "memory/cache_tags.h"
#include "memory/mshr_table.h"
#include "memory/partition/memory_queue.h"
#include "memory/partition/memory_side.h"
#include "memory/partition/partition_counters.h"
#include "memory/partition/partition_description.h"
#include "memory/partition/partition_trace.h"

namespace heddle::memory {

/// A partition's slice of the L2: write-back with write allocation, or write-through without it.
///
/// Only sectors that are needed and invalid are fetched. With write-back, a write fetches the
/// sectors that it covers only partly. It completes at once, and the fetched data later fill the
/// bytes that it did not write. A victim's dirty sectors are written to memory after the request
/// for the fetch that caused the eviction.
class L2Slice final : public MemorySide {
 public:
  /// `description` must have been checked. Throws InputError.
  L2Slice(const L2Description& description, MemoryQueue& memory, L2Counters& counters,
          const PartitionTrace& trace);

  void prefetch_access(const Request& request) const override {
    prefetch(tags_.line_of(request.address));
  }
  void prefetch_fetched(std::uint32_t token) const override { prefetch(fetches_[token].line); }
  Outcome access(const Request& request, Cycle now) override;
  void fetched(std::uint32_t token, Cycle now, std::vector<Request>& served) override;
  bool idle() const override { return waiting_.empty(); }

 private:
  /// A waiting request, with the sectors that must arrive before it is served.
  struct Waiting {
    Request request;
    SectorMask missing = 0;
  };
  struct Fetch {
    std::uint64_t line = 0;
    SectorMask sectors = 0;
  };
  struct LineSectors {
    std::uint64_t line = 0;
    SectorMask sectors = 0;
  };

  [[gnu::always_inline]] void prefetch(std::uint64_t line) const {
    tags_.prefetch(line);
    mshrs_.prefetch(line);
  }
  Outcome load(const Request& request, LineSectors target, Cycle now);
  Outcome write_back(const Request& request, LineSectors target, Cycle now);
  Outcome write_through(const Request& request, LineSectors target, Cycle now);

  bool can_wait_for(std::uint64_t line) const;
  void wait(const Request& request, std::uint64_t line, SectorMask missing);
  SectorMask pending_among(LineSectors target) const;
  SectorMask partly_covered(const Request& request, SectorMask sectors) const;
  void fetch(std::uint64_t line, SectorMask sectors, Cycle now);
  void evict(const CacheTags::Reservation& reservation, Cycle now);
  void count(CacheTags::Probe found, const Request& request, Cycle now);
  Outcome refuse(const Request& request, Cycle now, std::string_view cause) const;
  Outcome refuse_to_wait(const Request& request, std::uint64_t line, Cycle now) const;

  bool writes_back_;
  std::uint32_t line_bytes_;
  std::uint32_t sector_bytes_;
  std::uint32_t merges_;
  CacheTags tags_;
  MshrTable mshrs_;
  MemoryQueue& memory_;
  L2Counters& counters_;
  const PartitionTrace& trace_;
  SlotTable<Waiting> waiting_;
  SlotTable<Fetch> fetches_;
  std::vector<std::uint32_t> still_waiting_;  ///< Scratch space of fetched().
};

}  // namespace heddle::memory
