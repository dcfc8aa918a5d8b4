#pragma once

// The status of warps, for messages about launches that hang.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "exec/fault/warp_status.h"
#include "sm/warps/warp_table.h"

namespace heddle::sm {

/// The status of the warp in a slot, in words for a message.
struct SlotStatus {
  std::string what;                    ///< What the threads are doing.
  std::optional<std::uint64_t> since;  ///< The cycle since when they wait, if they wait.
};
/// The status of the warp in a slot that is not free.
SlotStatus status_of(const WarpTable& warps, WarpSlot warp);

/// Whether the warp has executed its last instruction.
constexpr bool is_past_last_instruction(WarpState state) {
  return state == WarpState::ending || state == WarpState::awaits_last_access ||
         state == WarpState::ended;
}
/// Calls each(warp) for the warps that have not executed their last instruction.
template <class Each>
void for_each_unended(const WarpTable& warps, Each each) {
  for_each_warp(warps.all() & ~warps.free(), [&](WarpSlot warp) {
    if (!is_past_last_instruction(warps[warp].state)) each(warp);
  });
}
/// Whether any warp has executed its last instruction but has not ended yet. When it ends, other
/// warps may be able to continue.
bool is_any_ending(const WarpTable& warps);

}  // namespace heddle::sm
