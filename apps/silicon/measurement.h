#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "workload/verdict.h"
#include "workload/workload.h"

namespace heddle::silicon {

struct KernelTime {
  std::uint64_t launches = 0;
  double nanoseconds = 0;  ///< Of all launches.
};

/// What is run: of one workload.
struct Run {
  workload::GridShape grid = workload::GridShape::input;
  workload::Size size = workload::Size::small;
  std::uint64_t seed = 1;
};

struct Measurement {
  std::string workload;
  Run run{};
  workload::Verdict verdict{};
  std::map<std::string, KernelTime> kernels{};
  double clock_rate = 0;
};

/// Runs the workload once to warm up, and then `repetitions` times; a kernel's time is the median
/// over those of its launches' sum. The verdict is that of the last run.
Measurement measure(const workload::Workload& workload, const Run& run, int repetitions);

nlohmann::ordered_json to_json(const Measurement& measurement);
/// Which GPU, which software, which day, and how it was measured.
nlohmann::ordered_json describe_setup(int repetitions);

}  // namespace heddle::silicon
