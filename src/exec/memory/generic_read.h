#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "exec/block/warp_context.h"

namespace heddle::exec {

/// Reads to.size() bytes from a generic address, as the thread in `lane` sees them. The run-time
/// system (printf and others) reads its operands with this function. Raises a LaneFault if the
/// thread cannot access some of the bytes.
void read_generic(const WarpContext& context, int lane, std::uint64_t address,
                  std::span<std::byte> to);
/// As read_generic(), for a string. Reads up to the terminating zero, and at most `max_characters`
/// characters.
std::string read_generic_string(const WarpContext& context, int lane, std::uint64_t address,
                                std::size_t max_characters = std::size_t{64} * 1024);

}  // namespace heddle::exec
