#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "workload/check_result.h"
#include "workload/workload.h"

namespace heddle::silicon {

struct KernelTime {
  std::uint64_t launches = 0;
  double nanoseconds = 0;  ///< The sum over all launches.
};

/// The choices that determine a workload's grid and input.
struct Run {
  workload::GridChoice grid = workload::GridChoice::input;
  workload::Size size = workload::Size::small;
  std::uint64_t seed = 1;
};

/// How a workload is measured.
struct Method {
  int repetitions = 5;  ///< Timed runs, after one run to warm up.
  /// How long the clock is measured after the last run.
  std::chrono::milliseconds clock_time{50};
};

struct Measurement {
  std::string workload;
  Run run{};
  workload::CheckResult check{};
  std::map<std::string, KernelTime> kernels{};  ///< By the kernels' names.
  double clock_rate = 0;  ///< The multiprocessors' clock in Hz, right after the last run.
};

/// Runs the workload once to warm up, and then as often as the method says. In each of these runs,
/// the times of a kernel's launches are added; the kernel's time is the median of these sums. The
/// result of the last run is checked.
Measurement measure(const workload::Workload& workload, const Run& run, const Method& method);

nlohmann::ordered_json to_json(const Measurement& measurement);
/// The GPU, the software, the date, and the method of measurement.
nlohmann::ordered_json describe_setup(int repetitions);

}  // namespace heddle::silicon
