#pragma once

// Which threads travel together through a multiprocessor.

#include <cstdint>
#include <string>

#include "base/registry.h"
#include "config/declarations.h"

namespace heddle::sm {

struct DivergenceDescription {
  std::string policy = "stack";
  std::uint32_t large_warp = 256;
  bool memory_by_rows = true;
  bool jumps_at_once = true;
  std::uint32_t formed_warps = 64;

  void declare(config::Declarations& parameters);
  /// Throws InputError for what does not go together with it.
  void check(std::uint32_t warps) const;
  /// How many rows of 32 threads travel as one at most.
  std::uint32_t rows() const;
};

/// What a slot of a multiprocessor holds.
enum class Travel : std::uint8_t {
  warps,         ///< A warp, which moves its threads with its own stack.
  large_warps,   ///< Several, with one stack.
  formed_warps,  ///< Threads that have come together, until they leave the pipeline.
};

using DivergenceRegistry = Registry<Travel (*)()>;

}  // namespace heddle::sm
