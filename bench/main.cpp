// Runs all benchmarks, on one thread; says first what it runs on.

#include <benchmark/benchmark.h>

#include <fstream>
#include <string>
#include <vector>

#include "exec/vector_unit.h"
#include "workloads_bench.h"

namespace {

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::AddCustomContext("processor", processor_name());
  benchmark::AddCustomContext("vector unit", std::string(heddle::exec::best_vector_unit().name));
  // Medians of several runs, unless the caller asks for something else: what comes later wins.
  std::vector<std::string> arguments = {argv[0], "--benchmark_repetitions=5",
                                        "--benchmark_report_aggregates_only=true"};
  arguments.insert(arguments.end(), argv + 1, argv + argc);
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  int count = static_cast<int>(pointers.size());
  benchmark::Initialize(&count, pointers.data());
  if (benchmark::ReportUnrecognizedArguments(count, pointers.data())) return 2;
  heddle::register_workloads();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return heddle::workloads_verified() ? 0 : 1;
}
