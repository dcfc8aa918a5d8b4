// Runs all benchmarks, and records the host's processor and vector unit in the results. Exits with
// 1 if a workload computes a wrong result.

#include <benchmark/benchmark.h>

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "exec/vector_unit.h"
#include "peak_memory.h"
#include "timed_bench.h"
#include "workloads_bench.h"

namespace {

/// The model name of the host's processor.
std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == heddle::kReportPeakMemory) {
    return heddle::report_peak_memory(argv[2]);
  }
  benchmark::AddCustomContext("processor", processor_name());
  benchmark::AddCustomContext("vector unit", std::string(heddle::exec::best_vector_unit().name));
  // By default, each benchmark is repeated five times, and aggregates such as the median are
  // reported. Options of the caller come later and override these.
  std::vector<std::string> arguments = {argv[0], "--benchmark_repetitions=5",
                                        "--benchmark_report_aggregates_only=true"};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return 2;
  bool verified = true;
  heddle::register_workloads(verified);
  heddle::register_timed(verified);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return verified ? 0 : 1;
}
