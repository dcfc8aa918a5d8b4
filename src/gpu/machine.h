#pragma once

// The description of a complete simulated GPU. In all structs of this file, declare() says what
// each parameter means.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "code/compile.h"
#include "code/multiply_add.h"
#include "config/declarations.h"
#include "gpu/dispatch/dispatch_description.h"
#include "gpu/sm_group.h"
#include "locality/description.h"
#include "memory/interconnect_description.h"
#include "memory/partition/partition_description.h"
#include "sm/sm_description.h"

namespace heddle::gpu {

struct ChipDescription {
  std::uint32_t sms = 15;
  bool groups_first = true;

  void declare(config::Declarations& parameters);
};

struct ClockDescription {
  std::uint32_t core_mhz = 1400;
  std::uint32_t interconnect_mhz = 1400;
  std::uint32_t dram_mhz = 924;

  void declare(config::Declarations& parameters);
};

/// The options of the compiler from PTX to machine code, and the choice of workloads' PTX.
struct IsaDescription {
  bool fused_multiply_add = true;
  bool optimisation = true;
  bool parameter_operands = false;
  bool predication = true;
  bool scheduling = true;
  bool one_word_addresses = false;
  std::uint32_t register_reuse_distance = code::kDefaultReuseDistance;

  void declare(config::Declarations& parameters);
  code::MultiplyAdd multiply_add() const;
};

/// A simulated GPU.
struct Machine {
  std::string name;
  std::string summary;
  ChipDescription chip{};
  ClockDescription clock{};
  IsaDescription isa{};
  DispatchDescription dispatch{};
  sm::SmDescription sm{};  ///< The multiprocessors that belong to no group.
  memory::InterconnectDescription interconnect{};
  memory::PartitionDescription memory{};
  locality::Description locality{};
  std::vector<SmGroup> groups{};  ///< Multiprocessors with parameters of their own.

  /// Declares all parameters under their full names ("l1.bytes", "group.big.l1.bytes").
  void declare(config::Declarations& parameters);
  /// Throws InputError if parts of the machine do not fit together.
  void check() const;

  /// Returns the kinds of multiprocessors, in the order of the multiprocessors' numbers. The result
  /// must not outlive this machine.
  std::vector<SmKind> kinds() const;
  /// The largest value of a limit of the residency, such as `warps`, over all multiprocessors.
  std::uint32_t maximum(std::uint32_t sm::ResidencyDescription::*member) const;
  /// The largest number of registers per thread with which a block of `threads` threads fits on
  /// some multiprocessor.
  std::uint32_t max_registers(std::uint64_t threads) const;
  /// The compiler's options for this machine, without a limit of registers per thread.
  code::CompileOptions compile_options() const;
};

/// Loads the built-in machine `name`, or a file if `name` ends in ".toml" or contains '/'. Then
/// applies `settings` ("key=value"). Throws InputError if the machine is unknown or not valid.
Machine load_machine(const std::string& name, const std::vector<std::string>& settings = {});

/// A built-in machine.
struct KnownMachine {
  std::string_view name;
  std::string_view text;  ///< The description in TOML.

  /// The summary of the machine, in one line.
  std::string summary() const;
};
/// The built-in machines, sorted by name.
std::vector<KnownMachine> known_machines();

}  // namespace heddle::gpu
