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
  memory::ValueNumbers numbers;
  for (LaneMask rest = lanes; !rest.empty(); rest = rest.without_lowest()) {
    const std::uint64_t address = addresses[static_cast<std::size_t>(rest.lowest())] & address_mask;
    const std::size_t at = numbers.number_of(address);
    if (at == out.size()) out.push_back({.address = address, .lanes = {}, .sectors = 1});
    out[at].lanes = out[at].lanes | LaneMask::of_lane(rest.lowest());
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
