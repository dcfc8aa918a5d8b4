#pragma once

// The options that measure the locality of accesses to global memory.

#include <optional>
#include <string>

#include "cli_app.h"
#include "locality/options.h"

namespace heddle {

/// The values of the options as texts; empty if an option was not given.
struct LocalityOptions {
  std::string file;   ///< JSON, or CSV if its name ends in .csv.
  std::string chart;  ///< SVG.
  std::string stream;
  std::string accesses;
  std::string stage;
  std::string reading;
  std::string interval;

  /// The first option that was given and needs --locality or --locality-chart; null if none was.
  const char* dependent_option() const;
  /// The first of these options that was given; null if none was.
  const char* given_option() const;
};

/// Declares --locality and the options that begin with its name.
void add_locality_options(CLI::App& verb, LocalityOptions& options);

/// What the options request, except for the parameters of coalescing; empty if they request
/// nothing. Throws InputError.
std::optional<locality::Options> parse_locality(const LocalityOptions& options, bool is_timed);

}  // namespace heddle
