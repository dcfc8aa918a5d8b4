#pragma once

// What lives on a multiprocessor at once, and what it takes of its registers, scratchpad, warps and
// places for blocks.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/registry.h"
#include "config/declarations.h"

namespace heddle::sm {

/// What a multiprocessor has for its residents.
struct ResidencyDescription {
  std::string policy = "block";
  std::uint32_t warps = 48;
  std::uint32_t blocks = 8;
  std::uint32_t registers = 32768;
  std::uint32_t register_unit = 64;
  std::uint32_t registers_per_thread = 255;
  std::uint32_t shared_bytes = 49152;
  std::uint32_t shared_unit = 128;

  void declare(config::Declarations& parameters);
  /// The most registers that a thread can have if a block of `threads` is to fit.
  std::uint32_t most_registers(std::uint64_t threads) const;
};

/// What one block of a kernel takes.
struct BlockNeeds {
  std::uint32_t warps = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;
  /// How many warps travel as one, where they do: a block takes places for whole ones, or shares
  /// one evenly with others.
  std::uint32_t warps_together = 1;

  std::uint32_t places() const {
    if (warps >= warps_together) {
      return (warps + warps_together - 1) / warps_together * warps_together;
    }
    return warps_together / (warps_together / warps);
  }
};

enum class ResidencyLimit : std::uint8_t { registers, shared_memory, warps, blocks };
std::string_view name_of(ResidencyLimit limit);

/// How many blocks of a kernel an empty multiprocessor takes.
struct Occupancy {
  std::uint32_t blocks = 0;
  ResidencyLimit limit = ResidencyLimit::blocks;  ///< What keeps the next block out.
};

class Residency {
 public:
  Residency() = default;
  Residency(const Residency&) = delete;
  Residency& operator=(const Residency&) = delete;
  virtual ~Residency() = default;

  virtual bool fits(const BlockNeeds& needs) const = 0;
  virtual void take(const BlockNeeds& needs) = 0;
  /// One of a block's warps has ended, perhaps its last.
  virtual void warp_ended(const BlockNeeds& needs) = 0;
  virtual void block_ended(const BlockNeeds& needs) = 0;
  /// Registers that are given to residents.
  virtual std::uint32_t registers_taken() const = 0;
  virtual Occupancy occupancy(const BlockNeeds& needs) const = 0;
};

using MakeResidency = std::unique_ptr<Residency> (*)(const ResidencyDescription&);
using ResidencyRegistry = Registry<MakeResidency>;

}  // namespace heddle::sm
