#include "sm/memory/l1_cache.h"

#include <fmt/format.h>

#include <bit>
#include <cassert>

#include "base/error.h"

namespace heddle::sm {
namespace {

using memory::CacheTags;

std::uint32_t sector_bytes_of(const CacheDescription& cache) {
  return cache.sector_bytes == 0 ? cache.line_bytes : cache.sector_bytes;
}

CacheTags tags_of(const CacheDescription& cache, std::string_view name) {
  try {
    return CacheTags({.bytes = cache.bytes,
                      .line_bytes = cache.line_bytes,
                      .sector_bytes = sector_bytes_of(cache),
                      .ways = cache.ways,
                      .hash_sets = cache.hash_sets,
                      .replacement = cache.replacement});
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

}  // namespace

L1Cache::L1Cache(const CacheDescription& description, std::string_view name)
    : line_bytes_(description.line_bytes),
      sector_bytes_(sector_bytes_of(description)),
      latency_(description.latency),
      merges_(description.merges),
      tags_(tags_of(description, name)),
      mshrs_({.entries = description.mshrs, .merges = description.merges}) {}

L1Cache::Sectors L1Cache::sectors_of(std::uint64_t address, std::uint32_t touched,
                                     std::uint32_t grain) const {
  if (tags_.all_sectors() == 1) return 1;
  Sectors sectors = 0;
  for (std::uint32_t rest = touched; rest != 0; rest &= rest - 1) {
    const auto part = static_cast<std::uint64_t>(std::countr_zero(rest));
    sectors |= tags_.sectors_of(address + part * grain, grain);
  }
  return sectors;
}

L1Cache::Sectors L1Cache::covered_by(std::uint64_t address, std::uint32_t touched,
                                     std::uint32_t grain) const {
  const Sectors sectors = sectors_of(address, touched, grain);
  if (grain >= sector_bytes_) return sectors;
  constexpr std::uint32_t kMaxParts = 32;
  const std::uint32_t parts = sector_bytes_ / grain;
  Sectors covered = 0;
  for (Sectors rest = sectors; rest != 0; rest &= rest - 1) {
    const auto number = static_cast<std::uint64_t>(std::countr_zero(rest));
    const std::uint64_t begin = address_of(line_of(address)) + number * sector_bytes_;
    if (begin < address) continue;
    const std::uint64_t first = (begin - address) / grain;
    if (first + parts > kMaxParts) continue;
    const std::uint32_t all = (~std::uint32_t{0} >> (kMaxParts - parts)) << first;
    if ((touched & all) == all) covered |= rest & (~rest + 1);
  }
  return covered;
}

L1Cache::Sectors L1Cache::missing_sectors(std::uint64_t line, Sectors sectors) const {
  if (tags_.all_sectors() == 1) return sectors;
  Sectors lacks = 0;
  for (Sectors rest = sectors; rest != 0; rest &= rest - 1) {
    const Sectors sector = rest & (~rest + 1);
    if (!would_hit(line, sector)) lacks |= sector;
  }
  return lacks;
}

L1Cache::Access L1Cache::access(std::uint64_t line, Sectors sectors, std::uint32_t load,
                                bool can_send) {
  const CacheTags::Probe probe = tags_.probe(line, sectors);
  if (probe == CacheTags::Probe::hit) {
    hit(line);
    return {};
  }
  // All reasons to refuse the access are checked before anything changes.
  const Outcome outcome = check_space_to_wait(line);
  if (outcome != Outcome::waits) return {.outcome = outcome};
  const bool fetches = probe != CacheTags::Probe::pending;
  if (fetches && !can_send) return {.outcome = Outcome::send_full};
  const auto reservation = tags_.reserve(line, sectors);
  if (!reservation) return {.outcome = Outcome::whole_set_pending};

  mshrs_.add(line, waiters_.add({.load = load, .lacks = missing_sectors(line, sectors)}));
  ++counters_.accesses;
  ++(fetches ? counters_.misses : counters_.merged);
  return {.outcome = Outcome::waits,
          .to_fetch = reservation->to_fetch,
          .evicted = count_eviction(*reservation)};
}

L1Cache::Access L1Cache::store(std::uint64_t line, Sectors touched, Sectors covered,
                               bool can_send) {
  const CacheTags::Probe probe = tags_.probe(line, touched);
  if (probe == CacheTags::Probe::hit || probe == CacheTags::Probe::pending) {
    tags_.write(line, touched, true);
    return {};
  }
  // All reasons to refuse the store are checked before anything changes.
  const Sectors partly = touched & ~covered;
  const bool fetches = partly != 0 && tags_.probe(line, partly) >= CacheTags::Probe::partial_miss;
  if (fetches) {
    const Outcome outcome = check_space_to_wait(line);
    if (outcome != Outcome::waits) return {.outcome = outcome};
  }
  if (!can_send && (fetches || tags_.would_evict_dirty(line))) {
    return {.outcome = Outcome::send_full};
  }
  const auto reservation = tags_.reserve(line, touched);
  if (!reservation) return {.outcome = Outcome::whole_set_pending};

  const Sectors whole = reservation->to_fetch & covered;
  const Sectors to_fetch = reservation->to_fetch & partly;
  if (whole != 0) tags_.insert(line, whole, true);
  if (to_fetch != 0) mshrs_.add(line, waiters_.add({.load = kNoLoad, .lacks = to_fetch}));
  tags_.write(line, touched, true);
  return {.outcome = to_fetch != 0 ? Outcome::waits : Outcome::hit,
          .to_fetch = to_fetch,
          .evicted = count_eviction(*reservation)};
}

L1Cache::Access L1Cache::begin_prefetch(std::uint64_t line, bool can_send) {
  if (has_line(line)) return {};
  const Outcome outcome = check_space_to_wait(line);
  if (outcome != Outcome::waits) return {.outcome = outcome};
  if (!can_send) return {.outcome = Outcome::send_full};
  const auto reservation = tags_.reserve(line, tags_.all_sectors());
  if (!reservation) return {.outcome = Outcome::whole_set_pending};

  tags_.mark_prefetched(line);
  mshrs_.add(line, waiters_.add({.load = kNoLoad, .lacks = reservation->to_fetch}));
  return {.outcome = Outcome::waits,
          .to_fetch = reservation->to_fetch,
          .evicted = count_eviction(*reservation)};
}

L1Cache::Outcome L1Cache::check_space_to_wait(std::uint64_t line) const {
  const memory::MshrTable::Entry* const fetched = mshrs_.find(line);
  if (fetched == nullptr) return mshrs_.free_entries() == 0 ? Outcome::mshrs_full : Outcome::waits;
  return fetched->requests == merges_ ? Outcome::merges_full : Outcome::waits;
}

L1Cache::Eviction L1Cache::count_eviction(const CacheTags::Reservation& reservation) {
  if (!reservation.evicted) return {};
  ++counters_.evictions;
  return *reservation.evicted;
}

void L1Cache::declare(CounterList& counters) {
  counters.add("accesses", counters_.accesses, "accesses", "by loads, one per segment");
  counters.add("hits", counters_.hits, "accesses", "that hit");
  counters.add("misses", counters_.misses, "accesses", "that missed and fetched data");
  counters.add("merged", counters_.merged, "accesses",
               "that missed, but whose data were all being fetched already");
  counters.add("evictions", counters_.evictions, "lines", "that were evicted");
}

}  // namespace heddle::sm
