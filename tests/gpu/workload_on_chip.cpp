#include "gpu/workload_on_chip.h"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

namespace heddle::gpu::test {
namespace {

constexpr std::array<Misfit, 4> kMisfits{{
    {"ilp", "dgemm", "shared memory"},
    {"ilp", "needle-64", "shared memory"},
    {"uniform", "dgemm", "shared memory"},
    {"uniform", "needle-64", "shared memory"},
}};

std::string text_of(const Dim3& d) { return fmt::format("{}x{}x{}", d.x, d.y, d.z); }

}  // namespace

std::optional<Misfit> find_misfit(std::string_view machine, std::string_view workload) {
  for (const Misfit& misfit : kMisfits) {
    if (misfit.machine == machine && misfit.workload == workload) return misfit;
  }
  return std::nullopt;
}

std::string difference(const KernelRun& a, const KernelRun& b,
                       const std::vector<CounterName>& counters) {
  std::string found;
  const auto compare = [&](std::string_view what, const auto& x, const auto& y) {
    if (found.empty() && x != y) found = fmt::format("{}: {} and {}", what, x, y);
  };
  compare("kernel", a.kernel, b.kernel);
  compare("grid", text_of(a.grid), text_of(b.grid));
  compare("block", text_of(a.block), text_of(b.block));
  compare("registers", a.registers_per_thread, b.registers_per_thread);
  compare("shared bytes", a.shared_bytes_per_block, b.shared_bytes_per_block);
  compare("occupancy", a.occupancy.blocks, b.occupancy.blocks);
  compare("limit", sm::name_of(a.occupancy.limit), sm::name_of(b.occupancy.limit));
  compare("warps of a block", a.warps_per_block, b.warps_per_block);
  compare("begin", a.begin.number, b.begin.number);
  compare("cycles", a.cycles.count, b.cycles.count);
  compare("blocks done", a.blocks_done, b.blocks_done);
  compare("warp instructions", a.warp_instructions, b.warp_instructions);
  compare("thread instructions", a.thread_instructions, b.thread_instructions);
  compare("number of counters", a.counters.size(), counters.size());
  compare("number of counters", b.counters.size(), counters.size());
  for (std::size_t i = 0; found.empty() && i < counters.size(); ++i) {
    compare(counters[i].name, a.counters[i], b.counters[i]);
  }
  return found;
}

std::string difference(const std::vector<KernelRun>& a, const std::vector<KernelRun>& b,
                       const std::vector<CounterName>& counters) {
  if (a.size() != b.size()) return fmt::format("launches: {} and {}", a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    const std::string found = difference(a[i], b[i], counters);
    if (!found.empty()) return fmt::format("launch {}, '{}': {}", i, a[i].kernel, found);
  }
  return {};
}

std::uint64_t counter_of(const KernelRun& run, const std::vector<CounterName>& counters,
                         std::string_view name) {
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (counters[i].name == name) return run.counters.at(i);
  }
  throw std::invalid_argument(fmt::format("no counter '{}'", name));
}

std::uint64_t sum_of(const KernelRun& run, const std::vector<CounterName>& counters,
                     std::string_view prefix) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (counters[i].name.starts_with(prefix)) sum += run.counters.at(i);
  }
  return sum;
}

}  // namespace heddle::gpu::test
