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

/// A partition's slice of the L2. It is write-back and allocates lines for writes, or it is
/// write-through and does not.
///
/// Only sectors that are needed and invalid are fetched. With write-back, a write fetches the
/// sectors that it covers only in part. The write completes at once, and the fetched data later
/// fill the bytes that it did not write. If a fetch causes an eviction, it enters the memory queue
/// before the writes of the victim's dirty sectors.
class L2Slice final : public MemorySide {
 public:
  /// `description` must have been checked. Throws InputError.
  L2Slice(const L2Description& description, MemoryQueue& memory, L2Counters& counters,
          const PartitionTrace& trace);

  void prefetch_access(const Request& request) const override {
    prefetch(tags_.line_of(request.address));
  }
  void prefetch_read_done(std::uint32_t token) const override { prefetch(fetches_[token].line); }
  Outcome access(const Request& request, Cycle now) override;
  void on_read_done(std::uint32_t token, Cycle now, std::vector<Request>& served) override;
  bool idle() const override { return waiting_.empty(); }

 private:
  /// A request that waits for a fetch, with the sectors that must arrive before it is served.
  struct Waiting {
    Request request;
    SectorMask missing = 0;
  };
  /// A read from memory: consecutive sectors of a line.
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
  // Perform a request: load() a read or an atomic, the others a write under their write policy.
  Outcome load(const Request& request, LineSectors target, Cycle now);
  Outcome write_back(const Request& request, LineSectors target, Cycle now);
  Outcome write_through(const Request& request, LineSectors target, Cycle now);

  /// Whether the MSHRs have space for another request that waits for the line.
  bool can_wait_for(std::uint64_t line) const;
  void wait(const Request& request, std::uint64_t line, SectorMask missing);
  /// Returns those of the target's sectors that are pending.
  SectorMask pending_among(LineSectors target) const;
  /// Returns those of the request's sectors of which it covers only a part.
  SectorMask partly_covered(const Request& request, SectorMask sectors) const;
  void fetch(std::uint64_t line, SectorMask sectors, Cycle now);
  void evict(const CacheTags::Reservation& reservation, Cycle now);
  void count(CacheTags::Probe found, const Request& request, Cycle now);
  // These functions note in the trace why a request stalls, and return Outcome::refused.
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
  SlotTable<Waiting> waiting_;  ///< Their indices are the tokens in mshrs_.
  SlotTable<Fetch> fetches_;    ///< Their indices are the tokens of reads from memory.
  std::vector<std::uint32_t> still_waiting_;  ///< Scratch space of on_read_done().
};

}  // namespace heddle::memory
