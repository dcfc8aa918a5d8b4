#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/enum_array.h"

namespace heddle::sm {

/// The state of the warp in a slot. docs/timing/issue-and-scheduling.md has a diagram of the
/// transitions. The comment on a timed state says what happens when the state ends. The comment on
/// a state that ends with an event names the event.
enum class WarpState : std::uint8_t {
  free,      ///< The slot is free.
  deciding,  ///< The warp issues, or has been woken: its next state is being decided.
  // Timed states, which end in a cycle that is known:
  starting,    ///< The warp starts, and its first instruction is fetched.
  unfetched,   ///< Its next instruction is fetched. Only if dependence.policy is barrel.
  waiting,     ///< The warp becomes ready.
  regrouping,  ///< Its threads leave the pipeline and are formed into new warps.
  ending,      ///< The warp ends: its last pass has issued, and its last access has completed.
  // Neither timed nor ended by an event:
  ready,  ///< The warp issues when a scheduler picks it.
  // States that end with an event:
  awaits_memory,       ///< The completion of an access.
  at_barrier,          ///< The release of its barrier.
  at_fence,            ///< The end of the epoch, when stores become visible to the whole chip.
  awaits_chip,         ///< The end of the epoch, when chip-wide instructions are executed.
  awaits_last_access,  ///< The completion of its last accesses, after its last instruction.
  ended,               ///< The end of its block, when its slot becomes free.
};
inline constexpr std::size_t kWarpStates = values_up_to(WarpState::ended);

/// Whether the state ends in a cycle that is known.
constexpr bool is_timed(WarpState state) {
  return state == WarpState::starting || state == WarpState::unfetched ||
         state == WarpState::waiting || state == WarpState::regrouping ||
         state == WarpState::ending;
}
/// Whether the state ends with an event.
constexpr bool ends_with_event(WarpState state) {
  return state == WarpState::awaits_memory || state == WarpState::at_barrier ||
         state == WarpState::at_fence || state == WarpState::awaits_chip ||
         state == WarpState::awaits_last_access;
}
/// Whether `to` may follow `from`. All transitions go through `deciding`, except for a waiting warp
/// that becomes ready, and for slots that are freed or filled.
constexpr bool may_follow(WarpState from, WarpState to) {
  switch (from) {
    case WarpState::free:
      return to == WarpState::deciding;
    case WarpState::deciding:
      return to != WarpState::deciding;
    case WarpState::waiting:
      return to == WarpState::ready;
    case WarpState::ended:
      return to == WarpState::free;
    default:
      return to == WarpState::deciding;
  }
}

}  // namespace heddle::sm
