#pragma once

#include <cstdint>

#include "locality/choices.h"
#include "memory/coalescer_parameters.h"

namespace heddle::locality {

struct Options {
  StreamKind stream = StreamKind::warp;
  AccessChoice accesses = AccessChoice::all;
  Stage stage = Stage::lanes;
  Reading reading = Reading::group;
  /// For Stage::segments.
  memory::CoalescerParameters coalescer{};
  /// The accesses in an interval of footprints; at least 1.
  std::uint64_t interval = 65536;
};

}  // namespace heddle::locality
