#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "cli_app.h"

namespace heddle {

/// The values of the options as texts; empty: no limit.
struct LimitOptions {
  std::string cycles;
  std::string instructions;
};

/// Declares --max-cycles and --max-instructions. The values that `options` holds are their
/// defaults.
void add_limit_options(CLI::App& verb, LimitOptions& options);

/// Limits of one launch. A launch that exceeds one of them faults.
struct Limits {
  std::uint64_t cycles = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t warp_instructions = std::numeric_limits<std::uint64_t>::max();
};
/// Throws InputError unless each given limit is a whole number of at least 1.
Limits parse_limits(const LimitOptions& options);

}  // namespace heddle
