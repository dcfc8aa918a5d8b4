#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "exec/block/lane_context.h"

namespace heddle::exec {

/// Reads bytes at a generic address as the thread in `lane` sees them, for the run-time system.
/// Raises a LaneFault where they are not all there.
void read_generic(const LaneContext& context, int lane, std::uint64_t address,
                  std::span<std::byte> to);
/// A string up to its terminating zero, `most` characters of it at most.
std::string read_generic_string(const LaneContext& context, int lane, std::uint64_t address,
                                std::size_t most = std::size_t{64} * 1024);

}  // namespace heddle::exec
