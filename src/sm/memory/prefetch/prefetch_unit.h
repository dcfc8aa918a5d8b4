#pragma once

#include <cstdint>
#include <memory>

#include "base/counters.h"
#include "base/cycle.h"
#include "base/ring_queue.h"
#include "sm/memory/cache_path.h"
#include "sm/memory/global_stores.h"
#include "sm/memory/prefetch/prefetcher.h"
#include "sm/memory/shared_parts.h"
#include "trace/event.h"

namespace heddle::sm {

/// Fetches the lines that a prefetcher proposes into the L1. Proposed lines wait in a queue of
/// their own.
///
/// The first of them is looked up in a cycle in which no load or store accesses the L1. The
/// earliest such cycle is the one after the access for which the line was proposed. If the line is
/// absent, all its sectors are fetched, like those of a load that nothing waits for. The look-up
/// waits for a free MSHR and for the port to the crossbar. A line whose set has only pending lines
/// is dropped.
class PrefetchUnit {
 public:
  /// `l1`: the path through the L1; `stores` write back what a prefetch evicts.
  PrefetchUnit(std::unique_ptr<Prefetcher> prefetcher, const PrefetchDescription& description,
               CachePath& l1, GlobalStores& stores, SharedParts& shared);

  /// Reports an access that has been made, in cycle `at`, by an instruction of this origin.
  void observe(const DemandAccess& access, trace::Origin origin, Cycle at);
  /// The cycle of the next attempt to look up a line; never() if no line waits, or the first one
  /// waits for an MSHR.
  Cycle next() const { return next_; }
  /// Makes the attempt of cycle next(), after the L1's other accesses of that cycle.
  void attempt(Cycle at);
  /// A fill may have freed an MSHR.
  void retry(Cycle at) {
    if (retry_ != Cycle::never()) return;
    retry_ = at;
    find_next();
  }
  /// Called between kernels, when no line waits.
  void invalidate() { prefetcher_->invalidate(); }
  bool empty() const { return proposals_.empty(); }
  void declare(CounterList& counters);

 private:
  struct Proposal {
    std::uint64_t line = 0;
    Cycle earliest;
    trace::Origin origin{};
  };
  struct Counters {
    std::uint64_t issued = 0;
    std::uint64_t useful = 0;
    std::uint64_t late = 0;
    std::uint64_t redundant = 0;
    std::uint64_t dropped = 0;
  };

  void propose(const Proposal& proposal);
  void fetch(const Proposal& proposal, const L1Cache::Access& result, Cycle at);
  void find_next();

  std::unique_ptr<Prefetcher> prefetcher_;
  std::uint32_t capacity_;
  CachePath& l1_;
  GlobalStores& stores_;
  SharedParts& shared_;
  RingQueue<Proposal> proposals_;
  Cycle retry_;  ///< No attempt before this cycle; never() while the first line waits for an MSHR.
  Cycle next_ = Cycle::never();
  Counters counters_;
};

}  // namespace heddle::sm
