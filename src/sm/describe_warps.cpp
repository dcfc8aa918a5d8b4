#include "sm/describe_warps.h"

#include <fmt/format.h>

namespace heddle::sm {
namespace {

bool has_ended(WarpState state) {
  return state == WarpState::ending || state == WarpState::awaits_last_one ||
         state == WarpState::ended;
}

}  // namespace

std::string describe_warp(const Slot& slot, Cycle now) {
  if (has_ended(slot.state)) return "has ended";
  const bool waits = is_reported(slot.state) || slot.ready_at > now;
  return fmt::format("at instruction {}, {}", slot.pc,
                     waits ? meaning_of(slot.cause) : "ready to issue");
}

void describe_slots(const WarpTable& warps, const Residents& residents, Cycle now,
                    std::string& text) {
  for_each_warp(warps.all() & ~warps.free(), [&](WarpSlot warp) {
    const Slot& slot = warps[warp];
    text += fmt::format("  slot {}, from block {}: {}\n", warp,
                        residents[slot.resident].block->index(), describe_warp(slot, now));
  });
}

}  // namespace heddle::sm
