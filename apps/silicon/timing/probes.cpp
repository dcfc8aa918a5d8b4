#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "kernels.h"
#include "probe.h"

namespace heddle::silicon {
namespace {

constexpr std::uint32_t kLoops = 64;  ///< Iterations of a probe's loop.

/// Launches a probe's kernel and returns the cycles of each of its blocks.
std::vector<std::uint64_t> launch(workload::Gpu& gpu, const std::string& kernel,
                                  std::uint32_t blocks, std::uint32_t threads, workload::Address in,
                                  std::uint32_t count, std::uint32_t mask) {
  const auto out = gpu.allocate<std::uint64_t>(std::size_t{blocks} * 2, "cycles");
  gpu.launch(kernel, {.grid = {blocks}, .block = {threads}}, out, in, count, mask);
  std::vector<std::uint64_t> cycles;
  const std::vector<std::uint64_t> words = gpu.download(out);
  for (std::size_t i = 0; i < words.size(); i += 2) cycles.push_back(words[i]);
  return cycles;
}

/// Launches one block of a probe's kernel and returns its cycles.
double cycles_of(workload::Gpu& gpu, const std::string& kernel, std::uint32_t threads,
                 workload::Address in, std::uint32_t mask, std::uint32_t count = kLoops) {
  return static_cast<double>(launch(gpu, kernel, 1, threads, in, count, mask).front());
}

/// An array of `bytes` bytes with one element every `stride` bytes. Each element contains the
/// address of another one; together they form a ring in an order that a prefetcher cannot predict.
workload::Array<std::uint64_t> make_ring(workload::Gpu& gpu, std::uint64_t bytes,
                                         std::uint64_t stride) {
  const std::size_t places = bytes / stride;
  std::vector<std::uint32_t> order(places);
  std::iota(order.begin(), order.end(), 0U);
  std::uint64_t state = 1;
  for (std::size_t i = places - 1; i > 0; --i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    // The first element stays in place: the ring starts at the beginning of the array.
    std::swap(order[i], order[1 + (state >> 33) % i]);
  }
  const auto array = gpu.allocate<std::uint64_t>(bytes / 8, "ring");
  std::vector<std::uint64_t> next(bytes / 8);
  for (std::size_t i = 0; i < places; ++i) {
    next[order[i] * stride / 8] = array.address + order[(i + 1) % places] * stride;
  }
  gpu.write(array, next);
  return array;
}

}  // namespace

std::vector<Probe> instruction_probes(workload::Gpu& gpu) {
  std::vector<Probe> probes;
  const double steps = kLoops * kUnrolled;
  for (const InstructionKind& kind : instruction_kinds()) {
    const double one_warp = cycles_of(gpu, "latency_" + kind.name, 32, 0, 3);
    probes.push_back({"latency " + kind.name, "cycles", one_warp / steps});
    if (kind.latency_only) continue;
    const double all_warps = cycles_of(gpu, "throughput_" + kind.name, 1024, 0, 3);
    probes.push_back({"throughput " + kind.name, "threads a cycle and multiprocessor",
                      steps * 1024 / all_warps});
  }
  return probes;
}

std::vector<Probe> latency_probes(workload::Gpu& gpu) {
  std::vector<Probe> probes;
  for (std::uint64_t bytes = 4 << 10; bytes <= 512 << 20; bytes *= 2) {
    const auto ring = make_ring(gpu, bytes, 128);
    // So many iterations that the loop goes round the ring once, within limits.
    const std::uint64_t loops = std::clamp<std::uint64_t>(bytes / 128 / kUnrolled, 16, 4096);
    for (const char* how : {"ca", "cg"}) {
      const double cycles = cycles_of(gpu, fmt::format("chase_{}", how), 1, ring.address, 0,
                                      static_cast<std::uint32_t>(loops));
      probes.push_back({fmt::format("ld.global.{} in a ring of {} KB", how, bytes >> 10), "cycles",
                        cycles / static_cast<double>(loops * kUnrolled)});
    }
  }
  const double steps = kLoops * kUnrolled;
  probes.push_back({"ld.shared", "cycles", cycles_of(gpu, "chase_shared", 32, 0, 0) / steps});
  for (const std::uint32_t stride : {0U, 4U, 8U, 16U, 32U, 64U, 128U}) {
    probes.push_back({fmt::format("ld.shared by a warp, lanes {} bytes apart", stride),
                      "cycles a load", cycles_of(gpu, "shared_stride", 32, 0, stride) / steps});
    probes.push_back({fmt::format("ld.shared by 32 warps, lanes {} bytes apart", stride),
                      "cycles a load of a warp",
                      cycles_of(gpu, "shared_stride", 1024, 0, stride) / steps / 32});
  }
  const auto word = gpu.upload(std::vector<std::uint32_t>(32), "word");
  probes.push_back({"atom.global.add by one thread", "cycles",
                    cycles_of(gpu, "atomic_chase", 1, word.address, 0) / steps * 4});
  for (const std::uint32_t threads : {32U, 256U, 1024U}) {
    probes.push_back({fmt::format("bar.sync of {} threads", threads), "cycles",
                      cycles_of(gpu, "barrier", threads, 0, 0) / steps});
  }
  return probes;
}

std::vector<Probe> bandwidth_probes(workload::Gpu& gpu, std::uint32_t multiprocessors) {
  std::vector<Probe> probes;
  const std::uint32_t threads = 1024;
  const auto stream = [&](const std::string& name, const char* how, std::uint32_t blocks,
                          std::uint64_t bytes, std::uint32_t count) {
    const auto data = gpu.allocate<std::uint64_t>(bytes / 8, "stream");
    gpu.fill(data, 1);
    const std::string kernel = fmt::format("stream_{}", how);
    const auto mask = static_cast<std::uint32_t>(bytes - 1) & ~std::uint32_t{15};
    launch(gpu, kernel, blocks, threads, data.address, count, mask);
    const auto cycles = launch(gpu, kernel, blocks, threads, data.address, count, mask);
    const auto longest = static_cast<double>(*std::max_element(cycles.begin(), cycles.end()));
    probes.push_back(
        {name, "bytes a cycle", static_cast<double>(blocks) * threads * 16 * 8 * count / longest});
  };
  stream("L1, one multiprocessor, 16 KB", "ca", 1, 16 << 10, 256);
  stream("L1, one multiprocessor, 128 KB", "ca", 1, 128 << 10, 256);
  stream("L2, one multiprocessor, 2 MB", "cg", 1, 2 << 20, 256);
  stream("L2, all multiprocessors, 2 MB", "cg", 2 * multiprocessors, 2 << 20, 256);
  stream("L2, all multiprocessors, 16 MB", "cg", 2 * multiprocessors, 16 << 20, 256);
  stream("DRAM, one multiprocessor, 1 GB", "cg", 1, 1 << 30, 256);
  stream("DRAM, all multiprocessors, 2 GB", "cg", 2 * multiprocessors, std::uint64_t{2} << 30, 256);
  return probes;
}

}  // namespace heddle::silicon
