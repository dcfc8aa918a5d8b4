#include "sm/describe_warps.h"

#include <fmt/format.h>

namespace heddle::sm {
namespace {

bool has_ended(WarpState state) {
  return state == WarpState::ending || state == WarpState::awaits_last_one ||
         state == WarpState::ended;
}

std::string describe_slot(const Slot& slot, Cycle now) {
  if (has_ended(slot.state)) return "has ended";
  const bool waits = is_reported(slot.state) || slot.ready_at > now;
  return fmt::format("at instruction {}, {}", slot.pc,
                     waits ? meaning_of(slot.cause) : "ready to issue");
}

}  // namespace

std::string describe_warp(const WarpTable& warps, const Resident& resident, std::uint32_t number,
                          Cycle now) {
  if (number >= resident.started) return "has not started: there is no room for it yet";
  const WarpSlot home = resident.homes[number];
  return home == kNoWarp ? "has ended" : describe_slot(warps[home], now);
}

void describe_slots(const WarpTable& warps, const Residents& residents, Cycle now,
                    std::string& text) {
  for_each_warp(warps.all() & ~warps.free(), [&](WarpSlot warp) {
    const Slot& slot = warps[warp];
    text += fmt::format("  slot {}, from block {}: {}\n", warp,
                        residents[slot.resident].block->index(), describe_slot(slot, now));
  });
}

}  // namespace heddle::sm
