#pragma once

// The options that ask for counters by interval, and for what is made of them.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli_app.h"
#include "gpu/machine.h"

namespace heddle {

struct SampleOptions {
  std::string interval;  ///< Empty: no samples.
  std::string counters;  ///< "l1,dram.data_bytes"; empty: all.
  std::string csv;       ///< Empty: no file.
  std::string chart;     ///< Empty: no picture of power.

  /// The option that was given and has no meaning without samples, or without time; null where
  /// there is none.
  const char* given_alone() const;
  const char* given() const { return interval.empty() ? given_alone() : "--sample"; }
};

/// What of a launch is noted how often.
struct Sampling {
  std::uint64_t interval = 0;           ///< Core cycles; 0: there are no samples.
  std::vector<std::size_t> counters{};  ///< That are written down: indices of Chip::counters().
};

/// Declares --sample, --sample-counters, --sample-csv and --power-chart.
void add_sample_options(CLI::App& verb, SampleOptions& options);
/// `json` and `energy` are what these options ask for: a result that nobody gets is not made.
/// Throws InputError.
Sampling parse_sampling(const SampleOptions& options, const std::string& json,
                        const std::string& energy, const gpu::Machine& machine);

}  // namespace heddle
