#include "measurement.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <vector>

#include "clock_rate.h"
#include "cuda_check.h"
#include "cuda_device.h"

namespace heddle::silicon {
namespace {

using Times = std::map<std::string, KernelTime>;

Times times_of(const CudaDevice& device) {
  Times times;
  for (const CudaDevice::Launch& launch : device.launches()) {
    KernelTime& time = times[launch.kernel];
    ++time.launches;
    time.nanoseconds += launch.nanoseconds;
  }
  return times;
}

/// The median of each kernel's time over the runs, which all launch the same kernels.
Times median_of(const std::vector<Times>& runs) {
  Times result = runs.back();
  for (auto& [kernel, time] : result) {
    std::vector<double> values;
    values.reserve(runs.size());
    for (const Times& run : runs) values.push_back(run.at(kernel).nanoseconds);
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    time.nanoseconds =
        values.size() % 2 != 0 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  }
  return result;
}

std::string today() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

}  // namespace

Measurement measure(const workload::Workload& workload, const Run& run, const Method& method) {
  Measurement result{.workload = workload.name, .run = run};
  std::vector<Times> runs;
  for (int repetition = 0; repetition <= method.repetitions; ++repetition) {
    const std::unique_ptr<workload::HostProgram> program =
        workload.make_for(run.grid, run.size, run.seed);
    CudaDevice device(workload);
    program->run(device);
    if (repetition != 0) runs.push_back(times_of(device));
    if (repetition == method.repetitions) {
      // At once, before the GPU lowers its clock.
      result.clock_rate = measure_clock_rate(method.clock_time);
      result.check = program->check();
    }
  }
  result.kernels = median_of(runs);
  return result;
}

nlohmann::ordered_json to_json(const Measurement& measurement) {
  nlohmann::ordered_json json{{"workload", measurement.workload},
                              {"grid", workload::name_of(measurement.run.grid)},
                              {"size", workload::name_of(measurement.run.size)},
                              {"seed", measurement.run.seed},
                              {"verified", measurement.check.passed()},
                              {"compared", measurement.check.compared_count()},
                              {"differing", measurement.check.differing_count()},
                              {"clock_hz", measurement.clock_rate}};
  json["kernels"] = nlohmann::ordered_json::array();
  for (const auto& [name, time] : measurement.kernels) {
    json["kernels"].push_back({{"name", name},
                               {"launches", time.launches},
                               {"nanoseconds", time.nanoseconds},
                               {"cycles", time.nanoseconds * measurement.clock_rate / 1e9}});
  }
  return json;
}

nlohmann::ordered_json describe_setup(int repetitions) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0), "querying the GPU's properties");
  int driver = 0;
  int runtime = 0;
  check(cudaDriverGetVersion(&driver), "querying the driver's version");
  check(cudaRuntimeGetVersion(&runtime), "querying the runtime's version");
  return {{"schema", "heddle-silicon-1"},
          {"date", today()},
          {"device", properties.name},
          {"compute_capability",
           std::to_string(properties.major) + "." + std::to_string(properties.minor)},
          {"multiprocessors", properties.multiProcessorCount},
          {"cuda_driver", driver},
          {"cuda_runtime", runtime},
          {"method", "median of " + std::to_string(repetitions) +
                         " runs after one to warm up; time between two events around each launch, "
                         "summed over a kernel's launches; cycles: that time at the clock measured "
                         "right after the last run"}};
}

}  // namespace heddle::silicon
