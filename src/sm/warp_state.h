#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "base/enum_array.h"

namespace heddle::sm {

/// What the warp in a slot is about. docs/timing.md draws how one state follows another.
enum class WarpState : std::uint8_t {
  free,      ///< There is none.
  deciding,  ///< It issues, or has been woken: what comes next is being found out.
  // Until a cycle that is known.
  starting,   ///< It comes with its block, and is fetched for then.
  unfetched,  ///< Its next instruction is fetched then, and not before.
  waiting,    ///< Its next instruction can issue then, if there is room.
  reforming,  ///< Its threads leave the pipeline then, and look for company.
  ending,     ///< What it has under way will be done then.
  ready,      ///< It issues when a scheduler picks it.
  // Until something is reported.
  awaits_memory,    ///< The completion of an access.
  at_barrier,       ///< The release of its barrier.
  at_fence,         ///< The epoch's end, with which its stores are everybody's.
  awaits_chip,      ///< The epoch's end, when what concerns the whole chip is executed.
  awaits_last_one,  ///< It has ended, but for accesses under way.
  ended,            ///< Its block's end, with which its slot becomes free.
};
inline constexpr std::size_t kWarpStates = values_up_to(WarpState::ended);

/// Whether it has a cycle in which it goes on.
constexpr bool is_timed(WarpState state) {
  return state == WarpState::starting || state == WarpState::unfetched ||
         state == WarpState::waiting || state == WarpState::reforming || state == WarpState::ending;
}
/// Whether something has to be reported before it goes on.
constexpr bool is_reported(WarpState state) {
  return state == WarpState::awaits_memory || state == WarpState::at_barrier ||
         state == WarpState::at_fence || state == WarpState::awaits_chip ||
         state == WarpState::awaits_last_one;
}
/// Whether `to` may follow `from`. All go through `deciding`, but for a warp whose instruction can
/// issue at last, and for slots that change hands.
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
