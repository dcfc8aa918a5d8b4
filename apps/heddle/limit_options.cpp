#include "limit_options.h"

#include <CLI/CLI.hpp>

#include "option_values.h"

namespace heddle {

void add_limit_options(CLI::App& verb, LimitOptions& options) {
  verb.add_option("--max-cycles", options.cycles,
                  "Fault a launch that takes more than this many cycles")
      ->capture_default_str()
      ->type_name("N");
  verb.add_option("--max-instructions", options.instructions,
                  "Fault a launch that executes more than this many warp instructions")
      ->capture_default_str()
      ->type_name("N");
}

Limits parse_limits(const LimitOptions& options) {
  Limits limits;
  if (!options.cycles.empty()) {
    limits.cycles = parse_whole_number("--max-cycles", options.cycles, 1);
  }
  if (!options.instructions.empty()) {
    limits.warp_instructions = parse_whole_number("--max-instructions", options.instructions, 1);
  }
  return limits;
}

}  // namespace heddle
