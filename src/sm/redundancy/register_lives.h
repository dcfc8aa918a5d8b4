#pragma once

// The stretches of time in which vector registers are live. A register is live from when it is
// written until it is read for the last time, so that only a read shows that it was live before.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/cycle.h"
#include "base/lane_mask.h"
#include "sm/ids.h"
#include "sm/instructions/issue_table.h"

namespace heddle::sm {

/// Whether the value of a register is kept twice, and which kind of instruction has written it.
enum class Protection : std::uint8_t { none, duplicated, duplicated_load };

constexpr bool is_duplicated(Protection protection) { return protection != Protection::none; }

/// The cycles from `begin` to before `end`, in which a register was neither read nor written.
struct Stretch {
  Cycle begin;
  Cycle end;
  Protection protection = Protection::none;
  LaneMask lanes = LaneMask::all();  ///< Those that have not been written since.

  std::uint64_t cycles() const { return (end - begin).count; }
  friend bool operator==(const Stretch&, const Stretch&) = default;
};

class RegisterLives {
 public:
  RegisterLives() : registers_(kMaxWarps) {}

  /// A register is read at `now`. Returns the stretches before, in order, in which it was live only
  /// because of this read. Valid until the next call.
  std::span<const Stretch> read(HardwareWarpId hardware_warp, std::uint16_t number, Cycle now);
  /// These lanes of a register are written at `now`. Its value is protected from then on as stated.
  void write(HardwareWarpId hardware_warp, std::uint16_t number, Cycle now, LaneMask lanes,
             Protection protection);
  /// The last stretch so far, which ends at `now`; not present if the register was never written.
  std::optional<Stretch> last(HardwareWarpId hardware_warp, std::uint16_t number, Cycle now) const;
  /// The registers of the hardware warp are not read any more.
  void ended(HardwareWarpId hardware_warp);

 private:
  struct Register {
    /// When it was written or read last; never() if it has not been written.
    Cycle since = Cycle::never();
    Protection protection = Protection::none;
    /// Stretches before `since` that a read will show to have been live: writes have kept some of
    /// the lanes. Their lanes differ, so there are at most 33. The list keeps its memory when it
    /// becomes empty.
    std::vector<Stretch> kept{};
  };
  using Registers = std::array<Register, kFirstPredicate>;

  std::vector<Registers> registers_;  ///< By hardware warp.
  std::vector<Stretch> read_;         ///< The last result of read().
};

}  // namespace heddle::sm
