#pragma once

// Computes the energy of a run by component, from the counters of the machine.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "energy/component.h"
#include "energy/technology.h"
#include "gpu/kernel_run.h"
#include "gpu/machine.h"

namespace heddle::energy {

/// Whole picojoules, so that parts add up to their sum exactly.
using Picojoules = std::uint64_t;

inline double in_joules(Picojoules energy) { return static_cast<double>(energy) / 1e12; }

/// The counters of a run, or of an interval of one.
struct Counted {
  std::uint64_t cycles = 0;  ///< Core clock cycles.
  std::map<std::string, std::uint64_t, std::less<>> counters{};

  static Counted from_values(const std::vector<gpu::CounterName>& names,
                             const std::vector<std::uint64_t>& values, std::uint64_t cycles);
  /// The counter's value; 0 if there is no such counter.
  std::uint64_t find(std::string_view counter) const;
};

struct ComponentEnergy {
  Component component;
  Picojoules dynamic_energy = 0;
  Picojoules static_energy = 0;

  Picojoules total() const { return dynamic_energy + static_energy; }
};

/// The energy that instructions' operands take in the banks and wires of all levels of the register
/// file, and the energy that they would take if all were in the main register file.
struct RegisterEnergy {
  Picojoules taken = 0;
  Picojoules in_main_file = 0;

  /// `energy` as a fraction of `in_main_file`; 0 if there are no operands.
  double share(Picojoules energy) const;
  /// The fraction of `in_main_file` that was saved; negative if `taken` is larger.
  double saved() const;
};

struct Account {
  std::string technology;
  std::vector<ComponentEnergy> components{};  ///< Components with energy greater than 0.
  /// The names of events that occurred and of components that exist, if they have no figure, and of
  /// counters without a rule. Their energy is in no sum.
  std::vector<std::string> missing{};
  /// Figures that were estimated because no table has the array's size, with the estimate's
  /// error.
  std::vector<std::string> estimated{};
  double seconds = 0;
  std::uint32_t sms = 0;  ///< Number of multiprocessors in the account.
  std::uint64_t thread_instructions = 0;
  RegisterEnergy registers{};
  /// The technology's chip model, if it has one.
  std::optional<ChipModel> chip_model{};

  Picojoules total() const;
  /// The total without DRAM, which is on separate chips.
  Picojoules chip_total() const;
  /// The component's energy; zero if the component took none.
  ComponentEnergy find(Component component) const;

  // These are zero if the divisor is zero:
  double watts() const;
  double chip_watts() const;
  double joules_per_instruction() const;  ///< Per thread instruction.
  double joule_seconds() const;           ///< Energy times delay.
  double instructions_per_joule()
      const;  ///< Performance per watt: thread instructions per second and watt.
};

Account account(const Technology& technology, const gpu::Machine& machine, const Counted& counted);

}  // namespace heddle::energy
