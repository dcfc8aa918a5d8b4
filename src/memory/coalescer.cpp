#include "memory/coalescer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>

#include "base/error.h"

namespace heddle::memory {

struct Coalescer::Accesses {
  const LaneAddresses& addresses;
  std::uint32_t bytes_per_lane;
};

Coalescer::Coalescer(const CoalescerParameters& parameters)
    : offset_mask_(parameters.segment_bytes - std::uint64_t{1}),
      segment_shift_(std::countr_zero(parameters.segment_bytes)),
      sector_shift_(std::countr_zero(parameters.sector_bytes)),
      group_lanes_(static_cast<int>(parameters.group)) {
  const std::uint32_t segment = parameters.segment_bytes;
  const std::uint32_t sector = parameters.sector_bytes;
  if (segment != 32 && segment != 64 && segment != 128) {
    throw InputError(fmt::format("segments must have 32, 64 or 128 bytes, not {}", segment));
  }
  if (!std::has_single_bit(sector) || sector > segment || segment / sector > 32) {
    throw InputError(
        fmt::format("segments of {} bytes cannot be divided into sectors of {} bytes: a sector "
                    "must be a power of two, with 1 to 32 sectors in a segment",
                    segment, sector));
  }
  if (parameters.group != 32 && parameters.group != 16) {
    throw InputError(
        fmt::format("the coalescer handles 32 or 16 lanes together, not {}", parameters.group));
  }
}

std::uint32_t Coalescer::sectors_between(std::uint64_t first_byte, std::uint64_t last_byte) const {
  const std::uint64_t first = (first_byte & offset_mask_) >> sector_shift_;
  const std::uint64_t last = (last_byte & offset_mask_) >> sector_shift_;
  return static_cast<std::uint32_t>((std::uint64_t{2} << last) - (std::uint64_t{1} << first));
}

/// Appends the segments of a run of lanes. Each lane's address must follow the bytes of the lane
/// before it.
void Coalescer::append_consecutive(const Accesses& accesses, LaneRun run, Segments& out) const {
  const int shift = std::countr_zero(accesses.bytes_per_lane);
  std::uint64_t address = accesses.addresses[static_cast<std::size_t>(run.first)];
  while (run.count > 0) {
    const std::uint64_t left_in_segment = offset_mask_ + 1 - (address & offset_mask_);
    const int count = std::min(run.count, static_cast<int>(left_in_segment >> shift));
    const std::uint64_t bytes = static_cast<std::uint64_t>(count) << shift;
    out.push_back({.address = address & ~offset_mask_,
                   .lanes = LaneMask(LaneMask::first_lanes(count).bits() << run.first),
                   .sectors = sectors_between(address, address + bytes - 1)});
    address += bytes;
    run = {.first = run.first + count, .count = run.count - count};
  }
}

void Coalescer::append_any(const Accesses& accesses, LaneMask lanes, Segments& out) const {
  const auto address_of_lowest = [&](LaneMask rest) {
    return accesses.addresses[static_cast<std::size_t>(rest.lowest())];
  };
  // The sectors that an access at the start of a segment touches.
  const std::uint32_t sectors_of_lane = sectors_between(0, accesses.bytes_per_lane - 1);
  const std::size_t begin = out.size();
  ValueNumbers numbers;
  LaneMask rest = lanes;
  while (!rest.empty()) {
    // Neighbouring lanes often access the same segment, so each run of them needs one look-up.
    const LaneMask rest_before = rest;
    const std::uint64_t segment = address_of_lowest(rest) & ~offset_mask_;
    std::uint64_t offset = address_of_lowest(rest) - segment;
    std::uint32_t sectors = 0;
    do {
      sectors |= sectors_of_lane << (offset >> sector_shift_);
      rest = rest.without_lowest();
      if (rest.empty()) break;
      offset = address_of_lowest(rest) - segment;
    } while (offset <= offset_mask_);

    const std::size_t index = begin + numbers.number_of(segment);
    if (index == out.size()) out.push_back({.address = segment, .lanes = {}});
    out[index].lanes = out[index].lanes | rest_before.without(rest);
    out[index].sectors |= sectors;
  }
}

void Coalescer::append(const Accesses& accesses, LaneMask lanes, Segments& out) const {
  if (const std::optional<LaneRun> run = as_run(lanes)) {
    if (has_step(accesses.addresses, *run, accesses.bytes_per_lane)) {
      return append_consecutive(accesses, *run, out);
    }
    if (has_step(accesses.addresses, *run, 0)) {
      const std::uint64_t address = accesses.addresses[static_cast<std::size_t>(run->first)];
      return out.push_back(
          {.address = address & ~offset_mask_,
           .lanes = lanes,
           .sectors = sectors_between(address, address + accesses.bytes_per_lane - 1)});
    }
  }
  append_any(accesses, lanes, out);
}

void Coalescer::coalesce(const LaneAddresses& addresses, LaneMask active,
                         std::uint32_t bytes_per_lane, Segments& out) const {
  assert(std::has_single_bit(bytes_per_lane) && bytes_per_lane <= 16);
  out.clear();
  const Accesses accesses{.addresses = addresses, .bytes_per_lane = bytes_per_lane};
  for (int first = 0; first < kWarpSize; first += group_lanes_) {
    const LaneMask lanes = active & LaneMask(LaneMask::first_lanes(group_lanes_).bits() << first);
    if (!lanes.empty()) append(accesses, lanes, out);
  }
}

}  // namespace heddle::memory
