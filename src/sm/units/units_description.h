#pragma once

#include <cstdint>

#include "config/declarations.h"

namespace heddle::sm {

struct SmDescription;

/// A warp goes through a unit in slices of `lanes` threads, one every `interval` cycles.
struct UnitDescription {
  std::uint32_t lanes = 32;
  std::uint32_t latency = 8;
  std::uint32_t interval = 1;
  std::uint32_t pipes = 1;

  void declare(config::Declarations& parameters);
};

struct UnitsDescription {
  UnitDescription integer{};
  UnitDescription fp32{};
  UnitDescription fp64{};
  UnitDescription special{.lanes = 8, .latency = 20};
  bool shared_alu = true;
  bool chained = false;
  bool bypass = false;
  std::uint32_t register_cycles = 2;

  void declare(config::Declarations& parameters);
  /// Throws InputError if the bypass does not fit the units or the other policies.
  void check(const SmDescription& sm) const;
};

}  // namespace heddle::sm
