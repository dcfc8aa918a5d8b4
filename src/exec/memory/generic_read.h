#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "exec/block/warp_context.h"

namespace heddle::exec {

/// Reads bytes at a generic address as the thread in `lane` sees them, for the run-time system.
/// Raises a LaneFault if some of them are not accessible.
void read_generic(const WarpContext& context, int lane, std::uint64_t address,
                  std::span<std::byte> to);
/// Reads a string up to its terminating zero, but at most `max_characters` characters.
std::string read_generic_string(const WarpContext& context, int lane, std::uint64_t address,
                                std::size_t max_characters = std::size_t{64} * 1024);

}  // namespace heddle::exec
