#pragma once

// Injects a fault into a multiprocessor whose policy detects errors. The policy reports what it
// does; the injector counts moments, and acts when that of the fault comes. What happens then
// follows from how the policy keeps the value or computes the operation.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/cycle.h"
#include "sm/redundancy/error_detection.h"
#include "sm/redundancy/fault.h"
#include "sm/redundancy/pass_values.h"

namespace heddle::sm {

class FaultInjector {
 public:
  /// `sm`: the number of this multiprocessor. The injection must outlive the injector.
  FaultInjector(FaultInjection& injection, std::uint32_t sm);

  // -- registers ----------------------------------------------------------------------------------
  /// The instruction reads a register, which has been live for these stretches.
  void read_register(const PassValues& before, std::uint16_t number,
                     std::span<const Stretch> stretches, Cycle now);
  /// What becomes of the single copy of a uniform value.
  enum class SingleCopy : std::uint8_t { copied, lost };
  /// The last stretch of a register ends with a write, or with the warp.
  void end_stretch(HardwareWarpId hardware_warp, std::uint16_t number, const Stretch& stretch,
                   SingleCopy copy);

  // -- arithmetic ---------------------------------------------------------------------------------
  /// An arithmetic instruction is planned.
  void plan(const PassValues& before, Computed computed, Cycle now);
  /// The planned instruction has been executed. `reused`: the words of the result that was taken
  /// from the reuse buffer; empty if it was computed.
  void observe_executed(const PassValues& after, Computed computed,
                        std::span<const std::uint32_t> reused, Cycle now);

  // -- the reuse buffer ---------------------------------------------------------------------------
  /// The instruction finds the entry with this number, or replaces it.
  enum class EntryUse : std::uint8_t { found, replaced };
  void use_entry(const PassValues& before, std::size_t entry, EntryUse use, Cycle now);

 private:
  std::optional<std::uint64_t> reach(FaultSite site, std::uint64_t moments);
  void note(FaultFate fate, const PassValues& pass, std::uint32_t number, std::uint32_t lane,
            Cycle now);
  [[noreturn]] void settle(FaultFate fate, const PassValues& pass, std::uint32_t number,
                           std::uint32_t lane, Cycle now);
  void flip_result(const PassValues& after, Computed computed, int lane, Cycle now);

  FaultInjection& injection_;
  FaultMoments& moments_;
  /// The lane of the planned operation that the fault hits.
  std::optional<int> hit_lane_;
  std::vector<Cycle> entries_since_;  ///< When each entry was written or found last.
};

}  // namespace heddle::sm
