#include "sm/front_end/front_end.h"

#include <fmt/format.h>

#include <bit>

#include "base/error.h"

namespace heddle::sm {
namespace {

/// The number of instructions that a fetch brings: `fetch.width`, or a cache line if that is
/// shorter.
std::uint32_t group_size_of(const FetchDescription& fetch, const InstructionCache& cache) {
  if (!std::has_single_bit(fetch.width)) {
    throw InputError(
        fmt::format("fetch.width is {}: a fetch brings 1, 2, 4 or 8 instructions", fetch.width));
  }
  return std::min(cache.line_instructions(), fetch.width);
}

}  // namespace

void FetchDescription::declare(config::Declarations& parameters) {
  parameters.number("width", width, {.unit = "instructions", .least = 1, .most = 8},
                    "instructions of a fetch, aligned: a power of two");
  parameters.number("ports", ports, {.least = 1, .most = 8},
                    "accesses of a sub-core to the instruction cache in a cycle");
  parameters.number("latency", latency, {.unit = "core cycles", .least = 1, .most = 100},
                    "from the cache access until an instruction is decoded and can issue");
  parameters.number("buffer", buffer, {.unit = "instructions", .least = 1, .most = 16},
                    "size of a warp's instruction buffer; it holds one fetch at least");
}

FrontEnd::FrontEnd(const FetchDescription& fetch, InstructionCache& cache)
    : group_size_(group_size_of(fetch, cache)),
      group_shift_(std::countr_zero(group_size_)),
      capacity_(fetch.buffer),
      latency_(fetch.latency),
      cache_(cache),
      ports_(fetch.ports),
      buffers_(kMaxWarps),
      speculative_buffers_(kMaxWarps) {
  for (WarpSlot warp = 0; warp < kMaxWarps; ++warp) buffers_[warp].warp = warp;
  if (fetch.ports == 0) throw InputError("fetch.ports is 0: the instruction cache needs a port");
  if (fetch.buffer < fetch.width || fetch.buffer > kMaxBuffered) {
    throw InputError(fmt::format(
        "fetch.buffer is {}: a buffer must hold a fetch of {} instructions, and holds at "
        "most {}",
        fetch.buffer, fetch.width, kMaxBuffered));
  }
}

void FrontEnd::fill(Buffer& buffer, std::uint32_t pc, Cycle from) {
  buffer.access_from = std::max(buffer.access_from, from);
  do {
    fetch_group(buffer);
  } while (has_space(buffer, pc));
}

inline void FrontEnd::fetch_group(Buffer& buffer) {
  const Cycle access = port_for(buffer.access_from).book(buffer.access_from);
  buffer.ready[group_of(buffer.end)] =
      cache_.access(buffer.code_begin + buffer.end, access) + latency_;
  if (trace_) trace_fetch(buffer, access);
  buffer.access_from = access + Cycles(1);
  buffer.end = (buffer.end | (group_size_ - 1)) + 1;
}

FrontEnd::Bypassed FrontEnd::bypass(WarpSlot warp, std::uint32_t pc, std::uint32_t count,
                                    bool jumps, Cycle from) {
  Buffer& buffer = buffers_[warp];
  if (jumps) {
    buffer.end = pc;
    buffer.access_from = from;
  }
  const Bypassed bypassed{.begin = buffer.end,
                          .end = std::max(buffer.end, pc + std::min(count, capacity_))};
  buffer.end = bypassed.end;
  if (has_space(buffer, pc)) fill(buffer, pc, from);
  return bypassed;
}

Cycle FrontEnd::redirect_speculatively(WarpSlot warp, std::uint32_t pc, Cycle from, Cycle until) {
  redirect_ahead(warp, pc, from);
  return advance_speculatively(warp, pc, from, until);
}

Cycle FrontEnd::advance_speculatively(WarpSlot warp, std::uint32_t pc, Cycle from, Cycle until) {
  advance_ahead(warp, from);
  Buffer& buffer = speculative_buffers_[warp];
  while (has_space(buffer, pc)) {
    const Cycle earliest = buffer.access_from;
    if (port_for(earliest).first_free(earliest) >= until) break;
    fetch_group(buffer);
  }
  return buffer.end == pc ? Cycle::never() : std::max(from, buffer.ready[group_of(pc)]);
}

void FrontEnd::redirect_ahead(WarpSlot warp, std::uint32_t pc, Cycle from) {
  Buffer& buffer = speculative_buffers_[warp];
  buffer = buffers_[warp];
  buffer.end = pc;
  buffer.access_from = from;
}

void FrontEnd::fetch_ahead(WarpSlot warp, std::uint32_t pc, Cycle now) {
  Buffer& buffer = speculative_buffers_[warp];
  if (!has_space(buffer, pc) || buffer.access_from > now || port_for(now).first_free(now) > now)
    return;
  buffer.access_from = now;
  fetch_group(buffer);
}

/// Records in the trace that the group at the end of the buffer is fetched.
[[gnu::cold]] void FrontEnd::trace_fetch(const Buffer& buffer, Cycle at) const {
  trace_.fetch(at, buffer.warp, buffer.end, buffer.ready[group_of(buffer.end)]);
}

/// The port that is free first, from `earliest` on.
PortCalendar& FrontEnd::port_for(Cycle earliest) {
  auto best = ports_.begin();
  for (auto port = best + 1; port != ports_.end(); ++port) {
    if (port->first_free(earliest) < best->first_free(earliest)) best = port;
  }
  return *best;
}

}  // namespace heddle::sm
