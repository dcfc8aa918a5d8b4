#pragma once

// The options that record samples (the counters of each interval of cycles), and the options of the
// files made from samples.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli_app.h"
#include "gpu/machine.h"

namespace heddle {

struct SampleOptions {
  std::string interval;  ///< Core cycles; empty: no samples.
  std::string counters;  ///< "l1,dram.data_bytes"; empty: all.
  std::string csv;       ///< The file of the samples as CSV; empty: none.
  std::string chart;     ///< The file of the chart of power; empty: none.

  /// The first option that was given and needs --sample; null if none was given.
  const char* dependent_option() const;
  /// The first of these options that was given; null if none was.
  const char* given_option() const { return interval.empty() ? dependent_option() : "--sample"; }
};

/// Which counters are sampled during a launch, and how often.
struct Sampling {
  std::uint64_t interval = 0;           ///< Core cycles; 0: no samples are taken.
  std::vector<std::size_t> counters{};  ///< Those to report, as indices in Chip::counters().
};

/// Declares --sample, --sample-counters, --sample-csv and --power-chart.
void add_sample_options(CLI::App& verb, SampleOptions& options);
/// `json` and `energy` are the values of --json and --energy. Throws InputError for a wrong value,
/// and if samples are requested and no option uses them.
Sampling parse_sampling(const SampleOptions& options, const std::string& json,
                        const std::string& energy, const gpu::Machine& machine);

}  // namespace heddle
