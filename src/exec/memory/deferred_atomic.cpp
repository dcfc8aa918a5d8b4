#include "exec/memory/deferred_atomic.h"

#include "exec/block/warp_context.h"
#include "exec/memory/global_memory.h"
#include "exec/memory/memory_access.h"

namespace heddle::exec {
namespace {

/// Copies an operand's values of all 32 lanes, although only those of captured lanes are used.
void copy_values(const std::uint32_t* words, std::uint32_t bytes,
                 std::array<std::uint64_t, 32>& out) {
  if (bytes == 8) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
      out[lane] = std::uint64_t{words[lane]} | std::uint64_t{words[lane + 32]} << 32;
    }
  } else {
    for (std::size_t lane = 0; lane < 32; ++lane) out[lane] = words[lane];
  }
}

}  // namespace

bool DeferredAtomic::capture(WarpContext& context, const Decoded& decoded) {
  lanes_ = LaneMask();
  destination_ = OperandRef::none();
  in_shared_memory_ = false;
  if (context.active == 0) return true;
  const code::Instruction& instruction = context.code[decoded.index];
  if (instruction.vector_count != 1) return false;
  bytes_ = static_cast<std::uint32_t>(size_of(instruction.type));
  const AtomicPlaces places = find_atomic_places(context, decoded, bytes_);
  if (places.global_lanes != context.active) {
    in_shared_memory_ = places.shared_lanes == context.active;
    return false;
  }

  lanes_ = LaneMask(context.active);
  destination_ = decoded.destination[0];
  action_ = select_atomic_action(instruction);
  elements_.memory = context.memory.global->host(kGlobalBase);
  elements_.address = context.address();
  const OperandRef* const sources = sources_of(context, decoded);
  copy_values(context.lanes(sources[1]), bytes_, elements_.operand);
  if (instruction.reduction == code::Reduction::compare_and_swap) {
    copy_values(context.lanes(sources[2]), bytes_, elements_.second);
  }
  return true;
}

void DeferredAtomic::deliver(const WarpContext& context) const {
  if (!destination_.present()) return;
  std::uint32_t* const words = context.lanes(destination_);
  for (LaneMask remaining = lanes_; !remaining.empty(); remaining = remaining.without_lowest()) {
    const auto lane = static_cast<std::size_t>(remaining.lowest());
    words[lane] = static_cast<std::uint32_t>(elements_.old[lane]);
    if (bytes_ == 8) words[lane + 32] = static_cast<std::uint32_t>(elements_.old[lane] >> 32);
  }
}

}  // namespace heddle::exec
