#include "sm/memory/touched_pieces.h"

#include <algorithm>
#include <array>
#include <optional>

namespace heddle::sm {

void find_touched_pieces(const memory::LaneAddresses& addresses, LaneMask lanes,
                         std::uint32_t piece_bytes, memory::Segments& out) {
  out.clear();
  const std::uint64_t address_mask = ~(piece_bytes - std::uint64_t{1});
  // In most constant loads all lanes read the same constant, which is found faster.
  if (const std::optional<memory::LaneRun> run = memory::as_run(lanes)) {
    if (memory::has_step(addresses, *run, 0)) {
      const std::uint64_t address = addresses[static_cast<std::size_t>(run->first)] & address_mask;
      return out.push_back({.address = address, .lanes = lanes, .sectors = 1});
    }
  }
  const auto piece_of_lowest = [&](LaneMask rest) {
    return addresses[static_cast<std::size_t>(rest.lowest())] & address_mask;
  };
  memory::ValueNumbers numbers;
  LaneMask rest = lanes;
  while (!rest.empty()) {
    // Neighbouring lanes often access the same piece, so each run of them needs one look-up.
    const LaneMask rest_before = rest;
    const std::uint64_t address = piece_of_lowest(rest);
    do {
      rest = rest.without_lowest();
    } while (!rest.empty() && piece_of_lowest(rest) == address);
    const std::size_t at = numbers.number_of(address);
    if (at == out.size()) out.push_back({.address = address, .lanes = {}, .sectors = 1});
    out[at].lanes = out[at].lanes | rest_before.without(rest);
  }
}

std::uint8_t max_lanes_per_address(const memory::LaneAddresses& addresses, LaneMask lanes) {
  memory::ValueNumbers numbers;
  std::array<std::uint8_t, kWarpSize> lanes_of{};
  std::uint8_t max_lanes = 0;
  for (LaneMask rest = lanes; !rest.empty(); rest = rest.without_lowest()) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(rest.lowest())];
    max_lanes = std::max(max_lanes, ++lanes_of[numbers.number_of(address)]);
  }
  return max_lanes;
}

}  // namespace heddle::sm
