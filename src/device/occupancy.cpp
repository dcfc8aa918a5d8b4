#include "device/occupancy.h"

#include <limits>

namespace heddle::device {

Occupancy occupancy_of(const SmResources& sm, const BlockNeeds& block) {
  const std::uint32_t warps = (block.threads + 31) / 32;
  Occupancy occupancy{.blocks = std::numeric_limits<std::uint32_t>::max(),
                      .limit = Occupancy::Limit::blocks};
  const auto apply = [&](Occupancy::Limit limit, std::uint64_t available, std::uint64_t needed) {
    if (needed == 0 || available / needed >= occupancy.blocks) return;
    occupancy = {.blocks = static_cast<std::uint32_t>(available / needed), .limit = limit};
  };
  apply(Occupancy::Limit::registers, sm.registers,
        std::uint64_t{block.registers_per_thread} * 32 * warps);
  apply(Occupancy::Limit::shared_memory, sm.shared_bytes, block.shared_bytes);
  apply(Occupancy::Limit::threads, sm.threads, std::uint64_t{warps} * 32);
  apply(Occupancy::Limit::blocks, sm.blocks, 1);
  return occupancy;
}

std::string_view name_of(Occupancy::Limit limit) {
  switch (limit) {
    case Occupancy::Limit::registers:
      return "registers";
    case Occupancy::Limit::shared_memory:
      return "shared memory";
    case Occupancy::Limit::threads:
      return "threads";
    case Occupancy::Limit::blocks:
      return "blocks";
  }
  return "";
}

}  // namespace heddle::device
