#include "sm/front_end/instruction_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/error.h"

namespace heddle::sm {

void InstructionCacheDescription::declare(config::Declarations& parameters) {
  parameters.number("bytes", bytes, {.unit = "B", .least = 0, .most = 1 << 24},
                    "capacity; 0: every access hits");
  parameters.number("line_bytes", line_bytes, {.unit = "B", .least = 8, .most = 4096},
                    "size of a line: a power of two");
  parameters.number("ways", ways, {.least = 1, .most = 1024}, "lines in a set");
  parameters.number("miss_cycles", miss_cycles, {.unit = "core cycles", .least = 1, .most = 100000},
                    "latency of a miss");
}

void InstructionCacheDescription::storage(config::StorageList& list) {
  list.add({.name = "instruction_cache",
            .bits = "8 * icache.bytes",
            .meaning = "its data",
            .source = "the machine"});
}

void InstructionCacheCounters::declare(CounterList& counters) {
  counters.add("fetches", fetches, "accesses", "of the instruction cache");
  counters.add("hits", hits, "accesses", "that found their line");
  counters.add("merges", merges, "accesses", "that found their line being fetched");
  counters.add("misses", misses, "accesses", "that fetched their line");
}

InstructionCache::InstructionCache(const InstructionCacheDescription& description)
    : ways_(description.ways), miss_cycles_(description.miss_cycles) {
  if (description.bytes == 0) return;
  const std::uint32_t line_bytes = description.line_bytes;
  if (!std::has_single_bit(line_bytes) || line_bytes < kInstructionBytes) {
    throw InputError(
        fmt::format("an instruction cache cannot have lines of {} bytes: a power of two is "
                    "needed, and {} at least",
                    line_bytes, kInstructionBytes));
  }
  const std::uint64_t set_bytes = std::uint64_t{line_bytes} * description.ways;
  if (set_bytes == 0 || description.bytes % set_bytes != 0) {
    throw InputError(
        fmt::format("an instruction cache of {} bytes cannot be divided into sets of {} lines of "
                    "{} bytes",
                    description.bytes, description.ways, line_bytes));
  }
  sets_ = static_cast<std::uint32_t>(description.bytes / set_bytes);
  line_shift_ = std::countr_zero(line_bytes / kInstructionBytes);
  lines_.resize(std::size_t{sets_} * ways_);
}

Cycle InstructionCache::access(std::uint32_t pc, Cycle at) {
  ++counters_.fetches;
  if (sets_ == 0) {
    ++counters_.hits;
    return at;
  }
  const std::uint32_t number = pc >> line_shift_;
  Line* const first = lines_.data() + number % sets_ * ways_;
  for (Line* line = first; line != first + ways_; ++line) {
    if (line->number != number || line->last_use == 0) continue;
    line->last_use = ++use_count_;
    ++(line->arrives <= at ? counters_.hits : counters_.merges);
    // Accesses are not booked in order of time. If the access that fetched the line is in a later
    // cycle than this one, this access fetches the line instead.
    line->arrives = std::min(line->arrives, at + miss_cycles_);
    return std::max(line->arrives, at);
  }
  ++counters_.misses;
  Line* const victim = std::min_element(
      first, first + ways_, [](const Line& a, const Line& b) { return a.last_use < b.last_use; });
  *victim = {.number = number, .arrives = at + miss_cycles_, .last_use = ++use_count_};
  return victim->arrives;
}

void InstructionCache::invalidate() {
  for (Line& line : lines_) line = {};
}

}  // namespace heddle::sm
