#pragma once

#include <cstdint>
#include <limits>
#include <string>

#include "cli_app.h"

namespace heddle {

/// As the command line has them; empty: none.
struct LimitOptions {
  std::string cycles;
  std::string instructions;
};

/// Declares --max-cycles and --max-instructions. What is in `options` is what they are if not
/// given.
void add_limit_options(CLI::App& verb, LimitOptions& options);

/// What a launch may take; after that it faults.
struct Limits {
  std::uint64_t cycles = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t warp_instructions = std::numeric_limits<std::uint64_t>::max();
};
/// Throws InputError for what is no whole number from 1.
Limits parse_limits(const LimitOptions& options);

}  // namespace heddle
