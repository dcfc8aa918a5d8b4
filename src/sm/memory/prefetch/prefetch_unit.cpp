#include "sm/memory/prefetch/prefetch_unit.h"

#include <algorithm>
#include <utility>

namespace heddle::sm {
namespace {

const trace::Kind kPrefetched{"l1_prefetch",
                              "a line that a prefetcher has proposed is fetched",
                              {{"line", trace::kHex}, {"sectors", trace::kHex}}};

}  // namespace

PrefetchUnit::PrefetchUnit(std::unique_ptr<Prefetcher> prefetcher,
                           const PrefetchDescription& description, CachePath& l1,
                           GlobalStores& stores, SharedParts& shared)
    : prefetcher_(std::move(prefetcher)),
      capacity_(description.queue),
      l1_(l1),
      stores_(stores),
      shared_(shared),
      proposals_(description.queue) {}

void PrefetchUnit::observe(const DemandAccess& access, trace::Origin origin, Cycle at) {
  using Outcome = DemandAccess::Outcome;
  if (access.outcome != Outcome::miss && l1_.cache().use_prefetch(access.line)) {
    ++(access.outcome == Outcome::hit ? counters_.useful : counters_.late);
  }
  ProposedLines proposed;
  prefetcher_->observe(access, proposed);
  for (const std::uint64_t line : proposed) {
    propose({.line = line, .earliest = at + Cycles(1), .origin = origin});
  }
}

/// A proposal may lie outside of the address space, such as the line before the first.
void PrefetchUnit::propose(const Proposal& proposal) {
  const std::uint64_t last_line = l1_.cache().line_of(~std::uint64_t{0});
  if (proposals_.size() == capacity_ || proposal.line > last_line) {
    ++counters_.dropped;
    return;
  }
  proposals_.push(proposal);
  if (proposals_.size() == 1) find_next();
}

void PrefetchUnit::find_next() {
  next_ = proposals_.empty() ? Cycle::never() : std::max(proposals_.front().earliest, retry_);
}

void PrefetchUnit::attempt(Cycle at) {
  using Outcome = L1Cache::Outcome;
  if (l1_.free_from() > at) {
    retry_ = l1_.free_from();
    return find_next();
  }
  const Proposal& proposal = proposals_.front();
  const L1Cache::Access result =
      l1_.cache().begin_prefetch(proposal.line, shared_.crossbar.can_send(at));
  if (result.outcome == Outcome::mshrs_full || result.outcome == Outcome::send_full) {
    retry_ =
        result.outcome == Outcome::send_full ? shared_.crossbar.can_send_from() : Cycle::never();
    return find_next();
  }
  if (result.outcome == Outcome::waits) {
    fetch(proposal, result, at);
  } else {
    ++(result.outcome == Outcome::hit ? counters_.redundant : counters_.dropped);
  }
  proposals_.pop();
  retry_ = at + Cycles(1);
  find_next();
}

void PrefetchUnit::fetch(const Proposal& proposal, const L1Cache::Access& result, Cycle at) {
  ++counters_.issued;
  if (trace::Log* const log = shared_.trace.log()) {
    log->note({.at = at,
               .kind = &kPrefetched,
               .origin = proposal.origin,
               .values = {l1_.cache().address_of(proposal.line), result.to_fetch}});
  }
  l1_.fetch(proposal.line, result.to_fetch, L1Cache::kNoLoad, at, proposal.origin);
  if (result.evicted.dirty != 0) stores_.write_back_evicted(result.evicted, proposal.origin, at);
}

void PrefetchUnit::declare(CounterList& counters) {
  counters.add("issued", counters_.issued, "lines", "that were fetched by a prefetch");
  counters.add("useful", counters_.useful, "lines",
               "fetched by a prefetch that a load hit before they were evicted");
  counters.add("late", counters_.late, "lines",
               "fetched by a prefetch that a load accessed before they arrived");
  counters.add("redundant", counters_.redundant, "proposals",
               "of lines that were present or being fetched already");
  counters.add("dropped", counters_.dropped, "proposals",
               "that found the queue full or all lines of their set pending, or lie outside of "
               "the address space");
  prefetcher_->declare(counters);
}

}  // namespace heddle::sm
