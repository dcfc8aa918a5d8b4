#pragma once

// What the pipeline asks the owners of the threads in its slots. A row is 32 threads side by side,
// whose registers one exec::Warp has; what travels together in a slot is threads of one row or of
// several.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/cycle.h"
#include "base/lane_mask.h"
#include "exec/block/block.h"
#include "sm/ids.h"
#include "sm/issue_table.h"

namespace heddle::exec {
class Rehearsal;
struct Standing;
}  // namespace heddle::exec

namespace heddle::sm {

struct Resident;

/// What of a row executes an instruction.
struct Row {
  exec::Block* block = nullptr;
  exec::Warp* warp = nullptr;
  std::uint32_t home = 0;  ///< The row's number on its multiprocessor.
  LaneMask path{};
};

/// Threads in different lanes that go through a unit together.
struct Pass {
  LaneMask lanes;
  const Row* row = nullptr;  ///< The one they are all of; null where they are of several.
};

/// What follows an instruction that has been executed.
struct Next {
  enum class Fate : std::uint8_t {
    goes_on,   ///< At `pc`.
    waits,     ///< At a barrier, for others.
    reforms,   ///< Its threads leave the pipeline and look for company.
    finished,  ///< All its threads have exited.
    gone,      ///< Nothing of it is left here; its threads wait elsewhere, or have exited.
  };
  Fate fate = Fate::goes_on;
  std::uint32_t pc = 0;
};

/// An answer has slots, and these members. The pipeline is compiled for each answer.
template <class T>
concept Travellers = requires(T& all, const T& same, WarpSlot warp, const IssueInfo& instruction,
                              Cycle at, const Resident& resident, exec::Rehearsal& rehearsal,
                              std::vector<exec::Standing>& standings) {
  /// Whether its threads look for company anew after each instruction (Fate::reforms).
  { T::kReforms } -> std::convertible_to<bool>;
  // -- they come and go ---------------------------------------------------------------------------
  all.start_warps();  ///< Gives all that is starting() at the residents slots.
  all.arrive(warp);   ///< The warp, which was started, is there.
  all.end(warp, at);  ///< Its threads have exited, and nothing is under way.

  // -- an instruction -----------------------------------------------------------------------------
  all.fetched(warp);                    ///< Its next one is.
  all.prefetch(warp, std::uint32_t{});  ///< The host may fetch what it needs at a program counter.
  all.picked(warp);                     ///< By its scheduler.
  all.enter(warp);  ///< Makes rows() those that execute it, and their contexts ready for it.
  { all.rows(warp) } -> std::convertible_to<std::span<const Row>>;
  /// After enter(): in what passes they go through their unit; an atomic's are its rows.
  all.passes(warp, instruction);
  /// After enter(). Threads that others have waited for may let those go on at `at`.
  all.execute(warp, at);
  all.skip(warp);  ///< It has been executed otherwise.
  { all.next(warp) } -> std::same_as<Next>;
  /// What it has executed may let others go on at `at`: a barrier, or an exit.
  all.release_others(warp, std::uint32_t{}, instruction, at);
  all.end_finished_rows(at);
  all.reform(warp);  ///< Fate::reforms: its threads go on with whoever is at their instruction.

  // -- launches that do not end, between epochs ---------------------------------------------------
  same.add_standings(standings);  ///< Adds where all threads are.
  /// The same where none of them is at work; false where some are.
  { same.add_idle(rehearsal, standings) } -> std::same_as<bool>;
  { same.may_be_stuck(resident) } -> std::same_as<bool>;
};

}  // namespace heddle::sm
