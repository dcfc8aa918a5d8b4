// Benchmarks of functional execution, that is, of simulation without timing. The counter
// warp_instructions is the rate in warp instructions per second of the host's time; `lanes` is the
// mean number of threads per warp instruction.

#include <benchmark/benchmark.h>

#include <numeric>
#include <random>
#include <vector>

#include "device/device.h"
#include "device/loaded_module.h"

namespace heddle {
namespace {

const std::string kKernels = std::string(HEDDLE_SOURCE_DIR) + "/bench/kernels/kernels.ptx";

/// Measures repeated launches of the kernel with the parameters `values`.
template <class... Values>
void measure(benchmark::State& state, device::Device& device, const char* name,
             const device::LaunchConfiguration& configuration, const Values&... values) {
  const device::LoadedModule& module = device.load_file(kKernels);
  const device::Kernel kernel = device.find_kernel(module, name);
  std::uint64_t instructions = 0;
  std::uint64_t threads = 0;
  for (auto _ : state) {
    const device::LaunchResult result = device.launch_with(kernel, configuration, values...);
    instructions += result.warp_instructions;
    threads += result.thread_instructions;
  }
  state.counters["warp_instructions"] =
      benchmark::Counter(static_cast<double>(instructions), benchmark::Counter::kIsRate);
  state.counters["lanes"] = static_cast<double>(threads) / static_cast<double>(instructions);
}

void arithmetic(benchmark::State& state) {
  device::Device device;
  const device::DevicePointer out = device.allocate(8 * 256 * 4);
  measure(state, device, "arithmetic", {.grid = {8, 1, 1}, .block = {256, 1, 1}}, out, 200);
}
BENCHMARK(arithmetic)->Unit(benchmark::kMillisecond)->UseRealTime();

void matrix_multiply(benchmark::State& state) {
  constexpr std::uint32_t kWidth = 256;
  device::Device device;
  std::vector<float> matrix(kWidth * kWidth);
  std::iota(matrix.begin(), matrix.end(), 0.0f);
  const device::DevicePointer a = device.upload(matrix);
  const device::DevicePointer b = device.upload(matrix);
  const device::DevicePointer c = device.allocate(matrix.size() * 4);
  measure(state, device, "matrix_multiply",
          {.grid = {kWidth / 16, kWidth / 16, 1}, .block = {16, 16, 1}}, a, b, c,
          static_cast<int>(kWidth));
}
BENCHMARK(matrix_multiply)->Unit(benchmark::kMillisecond)->UseRealTime();

void pointer_chase(benchmark::State& state) {
  constexpr std::uint32_t kThreads = 8192;
  constexpr std::uint32_t kLayers = 256, kNodesPerLayer = 4096, kNodes = kLayers * kNodesPerLayer;
  std::mt19937 random(1);
  // Each thread follows a linked list. A node points to a random node of the next layer or, with a
  // probability of about 1/64, to the end.
  std::vector<std::uint32_t> next(kNodes), first(kThreads);
  for (std::uint32_t i = 0; i < kNodes; ++i) {
    const std::uint32_t layer = i / kNodesPerLayer + 1;
    const auto target =
        static_cast<std::uint32_t>(layer * kNodesPerLayer + random() % kNodesPerLayer);
    next[i] = layer == kLayers || random() % 64 == 0 ? kNodes : target;
  }
  for (std::uint32_t& f : first) f = static_cast<std::uint32_t>(random() % kNodesPerLayer);
  device::Device device;
  const device::DevicePointer nodes = device.upload(next);
  const device::DevicePointer starts = device.upload(first);
  const device::DevicePointer out = device.allocate(kThreads * 4);
  measure(state, device, "pointer_chase", {.grid = {kThreads / 256, 1, 1}, .block = {256, 1, 1}},
          nodes, starts, out, kNodes);
}
BENCHMARK(pointer_chase)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace heddle
