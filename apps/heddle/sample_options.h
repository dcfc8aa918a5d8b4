#pragma once

// The options that record samples (counters by interval), and those of the files made from samples.

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
  std::string chart;     ///< Empty: no chart of power.

  /// The first option that was given and needs --sample; null if none was given.
  const char* dependent_option() const;
  /// The first of these options that was given; null if none was.
  const char* given_option() const { return interval.empty() ? dependent_option() : "--sample"; }
};

/// Which counters are sampled during a launch, and how often.
struct Sampling {
  std::uint64_t interval = 0;           ///< Core cycles; 0: no samples are taken.
  std::vector<std::size_t> counters{};  ///< The reported ones: indices of Chip::counters().
};

/// Declares --sample, --sample-counters, --sample-csv and --power-chart.
void add_sample_options(CLI::App& verb, SampleOptions& options);
/// `json` and `energy` are the values of --json and --energy. Throws InputError, also if samples
/// are requested and no option uses them.
Sampling parse_sampling(const SampleOptions& options, const std::string& json,
                        const std::string& energy, const gpu::Machine& machine);

}  // namespace heddle
