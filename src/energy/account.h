#pragma once

// The energy of what a machine counted, by component.

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

/// What a run, or a part of one, counted.
struct Counted {
  std::uint64_t cycles = 0;  ///< Of the core clock.
  std::map<std::string, std::uint64_t, std::less<>> counters{};

  static Counted of(const std::vector<gpu::CounterName>& names,
                    const std::vector<std::uint64_t>& values, std::uint64_t cycles);
  /// 0 where it is not counted.
  std::uint64_t find(std::string_view counter) const;
};

struct ComponentEnergy {
  Component component;
  Picojoules dynamic_energy = 0;
  Picojoules static_energy = 0;

  Picojoules total() const { return dynamic_energy + static_energy; }
};

/// What banks and wires took for the operands of instructions, wherever these lay, and what it
/// would have been with all of them in the main register file.
struct RegisterEnergy {
  Picojoules taken = 0;
  Picojoules in_main_file = 0;

  /// Of what it would have been in the main file; 0 where there are no operands.
  double share(Picojoules energy) const;
  /// The share that was saved; below 0 where it took more.
  double saved() const;
};

struct Account {
  std::string technology;
  std::vector<ComponentEnergy> components{};  ///< Those that took any.
  /// Events that happened, components that are there and counters that nobody charges, of which the
  /// technology says nothing. Their energy is in no sum.
  std::vector<std::string> missing{};
  /// Figures of arrays of a size that no table has, with how good the estimate is.
  std::vector<std::string> estimated{};
  double seconds = 0;
  std::uint32_t sms = 0;  ///< That it is of.
  std::uint64_t thread_instructions = 0;
  RegisterEnergy registers{};
  /// The technology's, where it has one.
  std::optional<ChipModel> chip_model{};

  Picojoules total() const;
  /// Without DRAM, which is on chips of its own.
  Picojoules of_chip() const;
  /// Zero where it took none.
  ComponentEnergy find(Component component) const;

  // Zero where there is nothing to divide by:
  double watts() const;
  double chip_watts() const;
  double joules_an_instruction() const;  ///< Of a thread.
  double joule_seconds() const;          ///< Energy times delay.
  double instructions_a_joule() const;   ///< Performance a watt: of threads, a second and watt.
};

Account account(const Technology& technology, const gpu::Machine& machine, const Counted& counted);

}  // namespace heddle::energy
