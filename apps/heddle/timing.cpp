#include "timing.h"

#include <algorithm>
#include <array>

#include "machine_figures.h"

namespace heddle {
namespace {

/// Zero if the divisor is zero.
double ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

double as_double(std::uint64_t count) { return static_cast<double>(count); }

void add_counters(std::vector<std::uint64_t>& to, const std::vector<std::uint64_t>& more) {
  to.resize(std::max(to.size(), more.size()));
  for (std::size_t i = 0; i < more.size(); ++i) to[i] += more[i];
}

struct Cache {
  std::string_view name;  ///< In reports.
  std::string_view key;   ///< The prefix of its counters.
};
constexpr std::array<Cache, 5> kCaches{{{"L1", "l1"},
                                        {"L2", "l2"},
                                        {"constant", "constant"},
                                        {"texture", "texture"},
                                        {"instructions", "icache"}}};

}  // namespace

void Timing::add(const gpu::KernelRun& run, std::size_t launch) {
  ++launches;
  cycles += run.cycles.count;
  warp_instructions += run.warp_instructions;
  thread_instructions += run.thread_instructions;
  if (launch_with_fewest_blocks == nullptr ||
      run.occupancy.blocks < launch_with_fewest_blocks->occupancy.blocks)
    launch_with_fewest_blocks = &run;
  add_counters(counters, run.counters);
  by_component += run.by_component;
  counters_by_kind.resize(std::max(counters_by_kind.size(), run.counters_by_kind.size()));
  for (std::size_t kind = 0; kind < run.counters_by_kind.size(); ++kind) {
    add_counters(counters_by_kind[kind], run.counters_by_kind[kind]);
  }
  for (const gpu::Sample& sample : run.samples) {
    samples.push_back({.launch = launch, .sample = &sample});
  }
}

std::vector<Timing> timing_by_kernel(const std::vector<gpu::KernelRun>& runs) {
  std::vector<Timing> timings;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const gpu::KernelRun& run = runs[i];
    auto timing = std::find_if(timings.begin(), timings.end(),
                               [&](const Timing& t) { return t.kernel == run.kernel; });
    if (timing == timings.end()) {
      timings.push_back({.kernel = run.kernel});
      timing = timings.end() - 1;
    }
    timing->add(run, i);
  }
  return timings;
}

const Timing* find_timing(const std::vector<Timing>& timings, std::string_view kernel) {
  const auto found = std::find_if(timings.begin(), timings.end(),
                                  [&](const Timing& timing) { return timing.kernel == kernel; });
  return found == timings.end() ? nullptr : &*found;
}

Timing total_timing(const std::vector<gpu::KernelRun>& runs) {
  Timing timing;
  for (std::size_t i = 0; i < runs.size(); ++i) timing.add(runs[i], i);
  return timing;
}

Timing timing_of_kind(const Timing& timing, std::size_t kind,
                      const std::vector<gpu::CounterName>& counters) {
  Timing of_kind{.kernel = timing.kernel,
                 .launches = timing.launches,
                 .cycles = timing.cycles,
                 .counters = timing.counters_by_kind.at(kind)};
  for (std::size_t i = 0; i < of_kind.counters.size(); ++i) {
    if (counters[i].name == "sm.warp_instructions") {
      of_kind.warp_instructions = of_kind.counters[i];
    } else if (counters[i].name == "sm.thread_instructions") {
      of_kind.thread_instructions = of_kind.counters[i];
    }
  }
  return of_kind;
}

Figures::Figures(const gpu::Machine& machine, const std::vector<gpu::CounterName>& counters)
    : machine_(&machine) {
  for (std::size_t i = 0; i < counters.size(); ++i) index_.emplace(counters[i].name, i);
}

std::optional<std::uint64_t> Figures::counter(const Timing& timing, const std::string& name) const {
  const auto found = index_.find(name);
  if (found == index_.end() || found->second >= timing.counters.size()) return std::nullopt;
  return timing.counters[found->second];
}

double Figures::ipc(const Timing& timing) const {
  return ratio(as_double(timing.thread_instructions), as_double(timing.cycles));
}

double Figures::warp_ipc(const Timing& timing) const {
  return ratio(as_double(timing.warp_instructions), as_double(timing.cycles));
}

double Figures::peak_warp_ipc() const { return as_double(peaks_of(*machine_).warp_instructions); }

double Figures::seconds(const Timing& timing) const {
  return as_double(timing.cycles) / (1e6 * machine_->clock.core_mhz);
}

std::optional<Figures::MeanOccupancy> Figures::mean_occupancy(const Timing& timing) const {
  const auto warp_cycles = counter(timing, "sm.resident_warp_cycles");
  const auto active_cycles = counter(timing, "sm.active_cycles");
  if (!warp_cycles || !active_cycles || *active_cycles == 0) return std::nullopt;
  const double warps = ratio(as_double(*warp_cycles), as_double(*active_cycles));
  MeanOccupancy occupancy{.warps_per_sm = warps,
                          .active_sm_share = ratio(as_double(*active_cycles),
                                                   as_double(timing.cycles) * machine_->chip.sms)};
  if (const auto capacity = uniform_capacity(*machine_, &sm::ResidencyDescription::warps)) {
    occupancy.warp_share = warps / *capacity;
  }
  if (const auto capacity = uniform_capacity(*machine_, &sm::ResidencyDescription::registers)) {
    occupancy.register_share = ratio(as_double(counter(timing, "sm.register_cycles").value_or(0)),
                                     as_double(*active_cycles) * *capacity);
  }
  return occupancy;
}

std::optional<double> Figures::underutilisation(const Timing& timing) const {
  const auto blocks = counter(timing, "sm.ended_blocks");
  const auto millionths = counter(timing, "sm.underutilisation");
  if (!blocks || !millionths || *blocks == 0) return std::nullopt;
  return as_double(*millionths) / 1e6 / as_double(*blocks);
}

std::vector<Figures::HitRate> Figures::hit_rates(const Timing& timing) const {
  std::vector<HitRate> rates;
  for (const Cache& cache : kCaches) {
    const auto count_of = [&](const char* event) {
      return counter(timing, std::string(cache.key) + "." + event);
    };
    const auto hits = count_of("hits");
    const auto misses = count_of("misses");
    if (!hits || !misses) continue;
    // Accesses to lines in flight are named merges by some caches, merged by others.
    const std::uint64_t accesses =
        *hits + *misses + count_of("merges").value_or(0) + count_of("merged").value_or(0);
    if (accesses == 0) continue;
    rates.push_back({.cache = cache.name,
                     .key = cache.key,
                     .rate = ratio(as_double(*hits), as_double(accesses))});
  }
  return rates;
}

std::optional<Figures::Bandwidth> Figures::dram_bandwidth(const Timing& timing) const {
  const auto bytes = counter(timing, "dram.data_bytes");
  if (!bytes || timing.cycles == 0) return std::nullopt;
  const double rate = as_double(*bytes) / seconds(timing);
  return Bandwidth{.bytes_per_second = rate, .share = ratio(rate, peaks_of(*machine_).dram_bytes)};
}

}  // namespace heddle
