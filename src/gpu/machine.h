#pragma once

// A complete simulated GPU, as read from a description.

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

/// The options of the compiler from PTX to machine code.
struct IsaDescription {
  bool predication = true;
  bool scheduling = true;
  std::uint32_t register_reuse_distance = code::kDefaultReuseDistance;

  void declare(config::Declarations& parameters);
};

struct Machine {
  std::string name;
  std::string summary;
  ChipDescription chip{};
  ClockDescription clock{};
  IsaDescription isa{};
  DispatchDescription dispatch{};
  sm::SmDescription sm{};  ///< The multiprocessors that are in no group.
  memory::InterconnectDescription interconnect{};
  memory::PartitionDescription memory{};
  std::vector<SmGroup> groups{};

  /// Declares all parameters under their full names ("l1.bytes", "group.big.l1.bytes").
  void declare(config::Declarations& parameters);
  /// Throws InputError if parts of the machine do not fit together.
  void check() const;

  /// All kinds of multiprocessors, in the order of their numbers: first the groups, then those in
  /// no group. The result refers to this machine.
  std::vector<SmKind> kinds() const;
  /// The largest value of a residency limit, such as `warps`, over all multiprocessors.
  std::uint32_t maximum(std::uint32_t sm::ResidencyDescription::*member) const;
  /// The largest number of registers per thread with which a block of `threads` threads fits on
  /// some multiprocessor.
  std::uint32_t max_registers(std::uint64_t threads) const;
  /// The compiler's options for this machine, except the limit of registers per thread.
  code::CompileOptions compile_options() const;
};

/// Loads the built-in machine `name`, or a file if `name` ends in ".toml" or contains '/'. Then
/// applies `settings` ("key=value"). Throws InputError.
Machine load_machine(const std::string& name, const std::vector<std::string>& settings = {});

struct KnownMachine {
  std::string_view name;
  std::string_view text;  ///< The description in TOML.

  /// Its summary in one line.
  std::string summary() const;
};
/// The built-in machines, sorted by name.
std::vector<KnownMachine> known_machines();

}  // namespace heddle::gpu
