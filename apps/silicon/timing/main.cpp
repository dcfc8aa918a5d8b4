// Measures latency and throughput of instructions and of memory on a real NVIDIA GPU.

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "base/output_file.h"
#include "cuda_device.h"
#include "measurement.h"
#include "probe.h"
#include "program.h"

namespace {

using namespace heddle;
using namespace heddle::silicon;

void append(std::vector<Probe>& all, std::vector<Probe> more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Measures latency and throughput of instructions and memory on a real NVIDIA GPU.",
               "heddle_silicon_timing"};
  std::string output;
  app.add_option("-o,--output", output, "Write the JSON to this file")
      ->required()
      ->type_name("FILE");
  app.footer(kExitCodes);
  return run_program(app, argc, argv, [&] {
    const OutputFile json_file(output);
    require_gpu();
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, 0), "querying the GPU's properties");
    nlohmann::ordered_json json = describe_setup(1);
    json["schema"] = "heddle-silicon-timing-1";
    json["method"] =
        "each kernel reads %clock64 around a loop of 64 equal instructions, after an untimed loop "
        "to warm up; latency: one warp, in which each instruction waits for the previous one; "
        "throughput: 32 warps, each with eight independent chains of instructions";
    json["probes"] = nlohmann::ordered_json::array();
    CudaDevice gpu(probe_module());
    std::vector<Probe> probes = instruction_probes(gpu);
    append(probes, latency_probes(gpu));
    append(probes,
           bandwidth_probes(gpu, static_cast<std::uint32_t>(properties.multiProcessorCount)));
    for (const Probe& probe : probes) {
      json["probes"].push_back(
          {{"name", probe.name}, {"unit", probe.unit}, {"value", probe.value}});
      fmt::print("{:60} {:10.2f} {}\n", probe.name, probe.value, probe.unit);
    }
    json_file.write(json.dump(1) + "\n");
    return true;
  });
}
