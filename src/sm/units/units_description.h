#pragma once

#include <cstdint>

#include "config/declarations.h"

namespace heddle::sm {

struct SmDescription;

/// A unit. A warp goes through it in slices of `lanes` threads, one every `interval` cycles.
struct UnitDescription {
  std::uint32_t lanes = 32;
  std::uint32_t latency = 8;  ///< In cycles, from a slice's start until its results can be used.
  std::uint32_t interval = 1;
  std::uint32_t pipes = 1;  ///< The number of copies of the unit.

  void declare(config::Declarations& parameters);
};

/// Integer multiplications of 32 and 64 bits, which older GPUs have no hardware for. Those of 24
/// bits are as fast as other integer instructions.
struct MultiplicationDescription {
  /// The number of hardware instructions that a multiplication of 32 bits represents.
  std::uint32_t instructions = 1;
  /// In cycles, by which a multiplication's latency exceeds that of so many instructions.
  std::uint32_t delay = 0;

  void declare(config::Declarations& parameters);
};

struct UnitsDescription {
  UnitDescription integer{};
  MultiplicationDescription multiplication{};  ///< In the integer unit.
  UnitDescription fp32{};
  UnitDescription fp64{};
  UnitDescription special{.lanes = 8, .latency = 20};
  bool shared_alu = true;  ///< Whether integer and fp32 instructions share the same pipes.
  bool chained = false;    ///< Whether each slice waits only for the values of its own threads.
  bool bypass = false;     ///< See units/bypass.h.
  std::uint32_t register_cycles = 2;  ///< The cycles of a unit's latency that a bypass saves.

  void declare(config::Declarations& parameters);
  /// Throws InputError if the bypass does not fit the units or the other policies.
  void check(const SmDescription& sm) const;
};

}  // namespace heddle::sm
