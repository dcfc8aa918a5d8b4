#include "exec/memory/copy_async.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "base/lane_mask.h"
#include "exec/block/warp_context.h"
#include "exec/memory/memory_access.h"

namespace heddle::exec {
namespace {

/// The maximum number of bytes that cp.async copies for a lane.
constexpr std::size_t kMaxBytes = 16;

/// Executes cp.async. If the source has fewer bytes than are copied, the others are written as
/// zero.
void copy_async(WarpContext& context, const Decoded& decoded) {
  if (context.active == 0) return;
  const code::Instruction& instruction = context.code[decoded.index];
  const std::uint32_t bytes = instruction.copy_bytes;
  find_addresses(context, decoded);
  const Access from{AccessKind::load, code::Space::global, bytes, bytes, decoded.index};
  const Access to{AccessKind::store, code::Space::shared, bytes, bytes, decoded.index};
  const bool wide_source = instruction.sources[1].width == 2 ||
                           !(instruction.sources[1].is_register() ||
                             instruction.sources[1].kind == code::Operand::Kind::constant);
  const std::uint32_t* const source = context.lanes(decoded.source[1]);
  const std::uint32_t* const size =
      decoded.source[2].present() ? context.lanes(decoded.source[2]) : nullptr;
  const std::uint32_t ignored =
      decoded.predicate_source[0].present() ? context.predicate(decoded.predicate_source[0]) : 0;

  // All lanes are checked and read before the first byte is written.
  std::array<std::array<std::byte, kMaxBytes>, 32> values{};
  std::array<std::byte*, 32> targets{};
  for (LaneMask remaining(context.active); !remaining.empty();
       remaining = remaining.without_lowest()) {
    const int lane = remaining.lowest();
    const auto index = static_cast<std::size_t>(lane);
    targets[index] = resolve(context, to, lane, context.address()[index]).host;
    const std::uint32_t source_bytes = (ignored >> lane & 1) != 0 ? 0
                                       : size != nullptr          ? std::min(size[index], bytes)
                                                                  : bytes;
    if (source_bytes == 0) continue;
    std::uint64_t address = source[index];
    if (wide_source) address |= std::uint64_t{source[index + 32]} << 32;
    const Access read{from.kind, from.space, source_bytes, from.alignment, from.instruction};
    std::memcpy(values[index].data(), resolve(context, read, lane, address).host, source_bytes);
  }
  for (LaneMask remaining(context.active); !remaining.empty();
       remaining = remaining.without_lowest()) {
    const auto index = static_cast<std::size_t>(remaining.lowest());
    std::memcpy(targets[index], values[index].data(), bytes);
  }
}

}  // namespace

Handler select_copy_async(const code::Instruction& instruction) {
  const std::uint32_t bytes = instruction.copy_bytes;
  const bool exists = bytes <= kMaxBytes && std::has_single_bit(bytes) && bytes >= 4 &&
                      !instruction.sources.empty() && has_sources(instruction, 1, 1, 1);
  return exists ? copy_async : nullptr;
}

}  // namespace heddle::exec
