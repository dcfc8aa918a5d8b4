// cp.async of whole elements from one allocation. Other copies are performed lane by lane, in
// exec/memory/copy_async.h.

#include "exec/memory/copy_async.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "exec/lanes/families.h"
#include "exec/lanes/lanes.h"
#include "exec/lanes/memory_address.h"
#include "exec/memory/memory_access.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

struct LaneAddresses {
  alignas(64) std::uint64_t by_lane[32];
};

/// Reads the source addresses. Inactive lanes get that of the lowest active lane.
void find_source_addresses(const WarpContext& context, const Decoded& decoded,
                           LaneAddresses& addresses) {
  const std::uint32_t* const source = context.lanes(decoded.source[1]);
  const std::uint64_t lowest = get<std::uint64_t>(source, __builtin_ctz(context.active));
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    const std::uint64_t keep = std::uint64_t{0} - (context.active >> lane & 1);
    addresses.by_lane[lane] = (get<std::uint64_t>(source, lane) & keep) | (lowest & ~keep);
  }
}

/// Whether every active lane copies at least `bytes` bytes from its source.
bool copies_all(const WarpContext& context, const Decoded& decoded, std::uint32_t bytes) {
  if (!decoded.source[2].present()) return true;
  const std::uint32_t* const sizes = context.lanes(decoded.source[2]);
  std::uint32_t smaller = 0;
  for (int lane = 0; lane < 32; ++lane) {
    smaller |= choose(has_lane(context.active, lane), sizes[lane] < bytes ? 1 : 0, 0);
  }
  return smaller == 0;
}

bool are_aligned(const std::uint64_t* address, std::uint32_t bytes) {
  std::uint64_t all_bits = 0;
  for (int lane = 0; lane < 32; ++lane) all_bits |= address[lane];
  return (all_bits & (bytes - 1)) == 0;
}

template <std::uint32_t kBytes>
void copy(WarpContext& context, const Decoded& decoded) {
  if (context.active == 0) return;
  if (has_narrow_address(context.code[decoded.index])) {
    addresses_from_narrow(context, context.lanes(decoded.source[0]), decoded.offset);
  } else {
    addresses_from_wide<true>(context, context.lanes(decoded.source[0]), decoded.offset);
  }
  const std::uint64_t* const target = context.address().data();
  const Region to = shared_region(context, 0);
  LaneAddresses source;
  find_source_addresses(context, decoded, source);
  const Region from = global_region(context, source.by_lane[0], AccessKind::load);
  if (!copies_all(context, decoded, kBytes) || !are_aligned(target, kBytes) ||
      !are_aligned(source.by_lane, kBytes) || !all_inside(target, to, kBytes) ||
      !all_inside(source.by_lane, from, kBytes)) [[unlikely]] {
    return select_copy_async(context.code[decoded.index])(context, decoded);
  }
  // All lanes are read before the first byte is written.
  alignas(64) std::byte values[32 * kBytes];
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    std::memcpy(values + lane * kBytes,
                reinterpret_cast<const std::byte*>(from.host + source.by_lane[lane]), kBytes);
  }
  for_each_lane(
      context.active, [&](int lane) __attribute__((always_inline)) {
        std::memcpy(reinterpret_cast<std::byte*>(to.host + target[lane]),
                    values + static_cast<std::uint32_t>(lane) * kBytes, kBytes);
      });
}

}  // namespace

Handler select_copy_async_for_warp(const code::Instruction& instruction) {
  const Handler lane_by_lane = select_copy_async(instruction);
  if (lane_by_lane == nullptr) return nullptr;
  const code::Operand& source = instruction.sources[1];
  const bool is_wide =
      source.width == 2 || !(source.is_register() || source.kind == code::Operand::Kind::constant);
  bool has_predicate = false;
  for (const code::Operand& operand : instruction.sources) has_predicate |= operand.is_predicate();
  if (!is_wide || has_predicate || instruction.space != code::Space::shared ||
      !instruction.sources[0].present() ||
      instruction.offset != static_cast<std::int32_t>(instruction.offset)) {
    return lane_by_lane;
  }
  switch (instruction.copy_bytes) {
    case 4:
      return copy<4>;
    case 8:
      return copy<8>;
    case 16:
      return copy<16>;
    default:
      return lane_by_lane;
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
