#include "sm/memory/nonblocking_cache.h"

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
                      .hash_sets = cache.hash_sets});
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", name, error.what()));
  }
}

}  // namespace

NonblockingCache::NonblockingCache(const CacheDescription& description, std::string_view name)
    : line_bytes_(description.line_bytes),
      sector_bytes_(sector_bytes_of(description)),
      latency_(description.latency),
      merges_(description.merges),
      tags_(tags_of(description, name)),
      mshrs_({.entries = description.mshrs, .merges = description.merges}) {}

NonblockingCache::Sectors NonblockingCache::sectors_of(std::uint64_t address, std::uint32_t touched,
                                                       std::uint32_t grain) const {
  if (tags_.all_sectors() == 1) return 1;
  Sectors sectors = 0;
  for (std::uint32_t rest = touched; rest != 0; rest &= rest - 1) {
    const auto part = static_cast<std::uint64_t>(std::countr_zero(rest));
    sectors |= tags_.sectors_of(address + part * grain, grain);
  }
  return sectors;
}

NonblockingCache::Sectors NonblockingCache::lacking(std::uint64_t line, Sectors sectors) const {
  if (tags_.all_sectors() == 1) return sectors;
  Sectors lacks = 0;
  for (Sectors rest = sectors; rest != 0; rest &= rest - 1) {
    const Sectors sector = rest & (~rest + 1);
    if (!would_hit(line, sector)) lacks |= sector;
  }
  return lacks;
}

NonblockingCache::Access NonblockingCache::access(std::uint64_t line, Sectors sectors,
                                                  std::uint32_t load, bool can_send) {
  const CacheTags::Probe probe = tags_.probe(line, sectors);
  if (probe == CacheTags::Probe::hit) {
    hit(line);
    return {};
  }
  // Whatever may refuse the access comes before the first change.
  const memory::MshrTable::Entry* const fetched = mshrs_.find(line);
  if (fetched == nullptr) {
    if (mshrs_.free() == 0) return {.outcome = Outcome::mshrs_full};
  } else if (fetched->waiting == merges_) {
    return {.outcome = Outcome::merges_full};
  }
  const bool fetches = probe != CacheTags::Probe::pending;
  if (fetches && !can_send) return {.outcome = Outcome::send_full};
  const auto reservation = tags_.reserve(line, sectors);
  if (!reservation) return {.outcome = Outcome::set_pending};

  mshrs_.add(line, waiters_.add({.load = load, .lacks = lacking(line, sectors)}));
  ++counters_.accesses;
  ++(fetches ? counters_.misses : counters_.merged);
  if (reservation->evicted) ++counters_.evictions;
  return {.outcome = Outcome::waits, .to_fetch = reservation->to_fetch};
}

void NonblockingCache::declare(CounterList& counters) {
  counters.add("accesses", counters_.accesses, "accesses", "by loads, one for each segment");
  counters.add("hits", counters_.hits, "accesses", "that found their data");
  counters.add("misses", counters_.misses, "accesses", "that had data fetched");
  counters.add("merged", counters_.merged, "accesses", "whose data were all on their way already");
  counters.add("evictions", counters_.evictions, "lines", "that made room for others");
}

}  // namespace heddle::sm
