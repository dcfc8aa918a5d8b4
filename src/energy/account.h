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

/// The counters of a run, or of an interval of a run.
struct RunCounters {
  std::uint64_t cycles = 0;  ///< Core clock cycles.
  std::map<std::string, std::uint64_t, std::less<>> counters{};

  /// `values` has one value for each name, in the same order.
  static RunCounters from_values(const std::vector<gpu::CounterName>& names,
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

/// The dynamic energy of reading and writing instructions' operands.
struct RegisterEnergy {
  Picojoules actual = 0;        ///< In the banks and wires of all levels of the register file.
  Picojoules in_main_file = 0;  ///< The same if all operands were in the main register file.

  /// `energy` as a fraction of `in_main_file`; 0 if there are no operands.
  double fraction_of_main_file(Picojoules energy) const;
  /// The fraction of `in_main_file` that was saved; negative if `actual` is larger.
  double saved_fraction() const;
};

/// The energy of a run by component. A figure is an energy or a leakage power that the technology
/// states.
struct Account {
  std::string technology;                     ///< Its name.
  std::vector<ComponentEnergy> components{};  ///< Components with energy greater than 0.
  /// Describes what the sums lack: events that occurred and components that exist without a figure
  /// in the technology, and non-zero counters without a charge rule.
  std::vector<std::string> missing{};
  /// Describes the figures that were estimated because no table has the array's size, with the
  /// estimate's error.
  std::vector<std::string> estimated{};
  double seconds = 0;     ///< Simulated time.
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

  // Quotients are 0 if the divisor is 0.
  double watts() const;
  double chip_watts() const;              ///< Without DRAM.
  double joules_per_instruction() const;  ///< Per thread instruction.
  double joule_seconds() const;           ///< Energy times delay.
  /// Performance per watt: thread instructions per second, divided by watts.
  double instructions_per_joule() const;
};

/// Computes the energy of a run on the machine from the run's counters.
Account account(const Technology& technology, const gpu::Machine& machine, const RunCounters& run);

}  // namespace heddle::energy
