#pragma once

// A whole simulated GPU, as a description gives it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "code/compile.h"
#include "config/declarations.h"
#include "gpu/dispatch/dispatch_description.h"
#include "gpu/sm_group.h"
#include "memory/interconnect_description.h"
#include "memory/partition/partition_description.h"
#include "sm/sm_description.h"

namespace heddle::gpu {

struct ChipDescription {
  std::uint32_t sms = 15;

  void declare(config::Declarations& parameters);
};

struct ClockDescription {
  std::uint32_t core_mhz = 1400;
  std::uint32_t interconnect_mhz = 1400;
  std::uint32_t dram_mhz = 924;

  void declare(config::Declarations& parameters);
};

/// What programs are compiled to.
struct IsaDescription {
  bool predication = true;
  bool scheduling = true;
  std::uint32_t registers_rest = code::kUsualRest;

  void declare(config::Declarations& parameters);
};

struct Machine {
  std::string name;
  std::string summary;
  ChipDescription chip{};
  ClockDescription clock{};
  IsaDescription isa{};
  DispatchDescription dispatch{};
  sm::SmDescription sm{};  ///< Of the multiprocessors in no group.
  memory::InterconnectDescription interconnect{};
  memory::PartitionDescription memory{};
  std::vector<SmGroup> groups{};

  /// Everything that a description may set, under its name ("l1.bytes", "group.big.l1.bytes").
  void declare(config::Declarations& parameters);
  /// Throws InputError for what does not go together.
  void check() const;

  /// All multiprocessors by kind, in the order of their numbers: those of the groups, then those in
  /// none. They live as long as the machine.
  std::vector<SmKind> kinds() const;
  /// The most that any multiprocessor has for its residents, of warps, say.
  std::uint32_t most(std::uint32_t sm::ResidencyDescription::*of) const;
  /// The most registers that a thread can have if a block of `threads` is to fit on some
  /// multiprocessor.
  std::uint32_t most_registers(std::uint64_t threads) const;
  /// What programs are compiled to, whatever their kernels' registers.
  code::CompileOptions compile_options() const;
};

/// The machine of a built-in name or, where `name` ends in ".toml" or holds a '/', of a file; with
/// `settings` ("key=value") on top. Throws InputError.
Machine load_machine(const std::string& name, const std::vector<std::string>& settings = {});

struct KnownMachine {
  std::string_view name;
  std::string_view text;  ///< The description in TOML.

  /// What it says of itself, in a line.
  std::string summary() const;
};
/// The built-in ones, by name.
std::vector<KnownMachine> known_machines();

}  // namespace heddle::gpu
