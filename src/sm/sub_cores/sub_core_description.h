#pragma once

#include <cstdint>

#include "config/declarations.h"

namespace heddle::sm {

struct SmDescription;

/// The parameter sm.sub_cores. The parameters schedule.*, fetch.*, dependence.*, operands.* and
/// units.* describe one sub-core.
struct SubCoreDescription {
  std::uint32_t count = 1;  ///< The number of sub-cores of a multiprocessor.

  void declare(config::Declarations& parameters);
  /// Throws InputError if the multiprocessor's warps cannot be divided among the sub-cores.
  void check(const SmDescription& sm) const;
};

}  // namespace heddle::sm
