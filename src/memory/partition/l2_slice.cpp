#include "memory/partition/l2_slice.h"

#include <bit>
#include <cassert>
#include <optional>

namespace heddle::memory {
namespace {

// Reasons why a request stalls.
constexpr std::string_view kMemoryFull = "memory_full";
constexpr std::string_view kSetPending = "set_pending";
constexpr std::string_view kMshrsFull = "mshrs_full";
constexpr std::string_view kMergesFull = "merges_full";

/// Calls `each(first sector, number of sectors)` for each run of neighbouring sectors. A run is
/// read or written in one transfer.
template <class Each>
void for_each_run(SectorMask sectors, Each&& each) {
  while (sectors != 0) {
    const int first = std::countr_zero(sectors);
    const int count = std::countr_one(sectors >> first);
    each(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count));
    // The addition clears the lowest run and carries into the bit above it, which `&` removes.
    sectors &= sectors + (SectorMask{1} << first);
  }
}

/// Returns `count` (at least one) neighbouring sectors, beginning at sector `first`.
constexpr SectorMask run_of(std::uint32_t first, std::uint32_t count) {
  return (~SectorMask{0} >> (32 - count)) << first;
}

}  // namespace

L2Slice::L2Slice(const L2Description& description, MemoryQueue& memory, L2Counters& counters,
                 const PartitionTrace& trace)
    : writes_back_(description.write == "back"),
      line_bytes_(description.line_bytes),
      sector_bytes_(description.sector_bytes),
      merges_(description.merges),
      tags_({.bytes = description.bytes,
             .line_bytes = description.line_bytes,
             .sector_bytes = description.sector_bytes,
             .ways = description.ways,
             .replacement = description.replacement}),
      mshrs_({.entries = description.mshrs, .merges = description.merges}),
      memory_(memory),
      counters_(counters),
      trace_(trace) {
  still_waiting_.reserve(description.merges);
}

L2Slice::Outcome L2Slice::access(const Request& request, Cycle now) {
  const LineSectors target{.line = tags_.line_of(request.address),
                           .sectors = tags_.sectors_of(request.address, request.bytes)};
  if (request.kind != RequestKind::write) return load(request, target, now);
  const Outcome outcome =
      writes_back_ ? write_back(request, target, now) : write_through(request, target, now);
  if (outcome == Outcome::served) ++counters_.writes;
  return outcome;
}

L2Slice::Outcome L2Slice::load(const Request& request, LineSectors target, Cycle now) {
  const bool is_atomic = request.kind == RequestKind::atomic;
  const CacheTags::Probe found = tags_.probe(target.line, target.sectors);
  if (found == CacheTags::Probe::hit) {
    if (is_atomic && !writes_back_) {
      if (!memory_.has_space()) return refuse(request, now, kMemoryFull);
      memory_.write(request.address, request.bytes, now);
    }
    tags_.touch(target.line);
  } else {
    if (!can_wait_for(target.line)) return refuse_to_wait(request, target.line, now);
    if (found == CacheTags::Probe::pending) {
      tags_.touch(target.line);
      wait(request, target.line, pending_among(target));
    } else {
      if (!memory_.has_space()) return refuse(request, now, kMemoryFull);
      const auto reservation = tags_.reserve(target.line, target.sectors);
      if (!reservation) return refuse(request, now, kSetPending);
      const bool misses_all = found == CacheTags::Probe::miss;
      wait(request, target.line, misses_all ? target.sectors : pending_among(target));
      fetch(target.line, reservation->to_fetch, now);
      evict(*reservation, now);
    }
  }
  // Pending sectors are marked dirty in advance; the line cannot be evicted before they arrive.
  if (is_atomic && writes_back_) tags_.write(target.line, target.sectors, true);
  ++(is_atomic ? counters_.atomics : counters_.reads);
  count(found, request, now);
  return found == CacheTags::Probe::hit ? Outcome::served : Outcome::waits;
}

L2Slice::Outcome L2Slice::write_back(const Request& request, LineSectors target, Cycle now) {
  const CacheTags::Probe found = tags_.probe(target.line, target.sectors);
  const bool is_present = found == CacheTags::Probe::hit || found == CacheTags::Probe::pending;
  if (!is_present) {
    const SectorMask partly = partly_covered(request, target.sectors);
    // The partly covered sectors must be fetched if one of them is neither valid nor pending.
    const bool fetches =
        partly != 0 && tags_.probe(target.line, partly) >= CacheTags::Probe::partial_miss;
    if (fetches && !can_wait_for(target.line)) return refuse_to_wait(request, target.line, now);
    const bool may_evict = found == CacheTags::Probe::miss;
    if ((fetches || may_evict) && !memory_.has_space()) return refuse(request, now, kMemoryFull);
    const auto reservation = tags_.reserve(target.line, target.sectors);
    if (!reservation) return refuse(request, now, kSetPending);

    const SectorMask covered = reservation->to_fetch & ~partly;
    const SectorMask missing = reservation->to_fetch & partly;
    if (covered != 0) tags_.insert(target.line, covered, true);
    if (missing != 0) {
      wait(request, target.line, missing);
      fetch(target.line, missing, now);
    }
    evict(*reservation, now);
  }
  tags_.write(target.line, target.sectors, true);
  count(found, request, now);
  return Outcome::served;
}

L2Slice::Outcome L2Slice::write_through(const Request& request, LineSectors target, Cycle now) {
  if (!memory_.has_space()) return refuse(request, now, kMemoryFull);
  memory_.write(request.address, request.bytes, now);
  const CacheTags::Probe found = tags_.probe(target.line, target.sectors);
  if (found != CacheTags::Probe::miss) tags_.touch(target.line);
  count(found, request, now);
  return Outcome::served;
}

void L2Slice::on_read_done(std::uint32_t token, Cycle now, std::vector<Request>& served) {
  const Fetch fetch = fetches_[token];
  fetches_.remove(token);
  tags_.fill(fetch.line, fetch.sectors);
  if (trace_) trace_.filled(now, fetch.line * line_bytes_, fetch.sectors);
  still_waiting_.clear();
  mshrs_.release(fetch.line, [&](std::uint32_t waiter) {
    Waiting& waiting = waiting_[waiter];
    waiting.missing &= ~fetch.sectors;
    if (waiting.missing != 0) {
      still_waiting_.push_back(waiter);
      return;
    }
    const Request& request = waiting.request;
    if (request.kind == RequestKind::atomic && !writes_back_) {
      memory_.write(request.address, request.bytes, now);
    }
    if (request.kind != RequestKind::write) served.push_back(request);
    waiting_.remove(waiter);
  });
  // The release freed the line's MSHR. Requests that still miss other sectors take it again.
  for (const std::uint32_t waiter : still_waiting_) mshrs_.add(fetch.line, waiter);
}

bool L2Slice::can_wait_for(std::uint64_t line) const {
  const MshrTable::Entry* const entry = mshrs_.find(line);
  return entry != nullptr ? entry->requests < merges_ : mshrs_.free_entries() > 0;
}

L2Slice::Outcome L2Slice::refuse(const Request& request, Cycle now, std::string_view cause) const {
  if (trace_) trace_.blocked(now, request, cause);
  return Outcome::refused;
}

L2Slice::Outcome L2Slice::refuse_to_wait(const Request& request, std::uint64_t line,
                                         Cycle now) const {
  if (trace_) {
    trace_.blocked(now, request, mshrs_.find(line) != nullptr ? kMergesFull : kMshrsFull);
  }
  return Outcome::refused;
}

void L2Slice::wait(const Request& request, std::uint64_t line, SectorMask missing) {
  assert(missing != 0);
  const std::uint32_t waiter = waiting_.add({.request = request, .missing = missing});
  mshrs_.add(line, waiter);
}

SectorMask L2Slice::pending_among(LineSectors target) const {
  SectorMask pending = 0;
  for (SectorMask rest = target.sectors; rest != 0; rest &= rest - 1) {
    const SectorMask sector = rest & (~rest + 1);
    if (tags_.probe(target.line, sector) == CacheTags::Probe::pending) pending |= sector;
  }
  return pending;
}

SectorMask L2Slice::partly_covered(const Request& request, SectorMask sectors) const {
  SectorMask partly = 0;
  if (request.address % sector_bytes_ != 0) partly |= sectors & (~sectors + 1);
  if ((request.address + request.bytes) % sector_bytes_ != 0) partly |= std::bit_floor(sectors);
  return partly;
}

void L2Slice::fetch(std::uint64_t line, SectorMask sectors, Cycle now) {
  for_each_run(sectors, [&](std::uint32_t first, std::uint32_t count) {
    const std::uint32_t token = fetches_.add({.line = line, .sectors = run_of(first, count)});
    memory_.read(line * line_bytes_ + std::uint64_t{first} * sector_bytes_, count * sector_bytes_,
                 token, now);
  });
}

void L2Slice::evict(const CacheTags::Reservation& reservation, Cycle now) {
  if (!reservation.evicted) return;
  ++counters_.evictions;
  const CacheTags::Eviction& evicted = *reservation.evicted;
  if (evicted.dirty != 0) ++counters_.writebacks;
  if (trace_) trace_.evicted(now, evicted.line * line_bytes_, evicted.dirty);
  for_each_run(evicted.dirty, [&](std::uint32_t first, std::uint32_t count) {
    memory_.write(evicted.line * line_bytes_ + std::uint64_t{first} * sector_bytes_,
                  count * sector_bytes_, now);
  });
}

void L2Slice::count(CacheTags::Probe found, const Request& request, Cycle now) {
  if (trace_) trace_.found(now, request, found);
  switch (found) {
    case CacheTags::Probe::hit:
      ++counters_.hits;
      return;
    case CacheTags::Probe::pending:
      ++counters_.merged;
      return;
    case CacheTags::Probe::partial_miss:
    case CacheTags::Probe::miss:
      ++counters_.misses;
      return;
  }
}

}  // namespace heddle::memory
