#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "locality/distance_counts.h"
#include "locality/footprint.h"
#include "locality/reuse_counts.h"

namespace heddle::locality {

/// A line of the CUDA source.
struct SourceLine {
  std::string file;
  std::uint32_t line = 0;

  friend auto operator<=>(const SourceLine&, const SourceLine&) = default;
};

/// The locality of all launches of a kernel.
struct KernelLocality {
  std::string kernel;
  std::uint64_t launches = 0;
  std::uint64_t streams = 0;  ///< Those with at least one access.
  ReuseCounts counts{};
  /// By the line of the access that is reused. Accesses of instructions without a line are missing.
  std::map<SourceLine, ReuseCounts> lines{};
  DistanceCounts distances{};
  /// By launch: the intervals of all its accesses, whatever stream they belong to.
  std::vector<std::vector<Footprint::Interval>> footprints{};
};

}  // namespace heddle::locality
