#include "timing_json.h"

#include <span>
#include <string>
#include <variant>
#include <vector>

#include "energy_report.h"
#include "issue_slots.h"
#include "locality_report.h"
#include "machine_figures.h"
#include "sample_report.h"
#include "sm/residency/occupancy.h"
#include "sm/storage_sizes.h"

namespace heddle {
namespace {

using nlohmann::ordered_json;

ordered_json extent(const Dim3& dimensions) { return {dimensions.x, dimensions.y, dimensions.z}; }

ordered_json slots_to_json(const IssueSlots& slots) {
  ordered_json json;
  for (const auto& [name, cycles] : slots) json[name] = cycles;
  return json;
}

/// The name of the group; null for multiprocessors that belong to no group.
ordered_json group_to_json(const gpu::SmKind& kind) {
  return kind.group.empty() ? ordered_json() : ordered_json(kind.group);
}

void add_storage(ordered_json& json, const sm::StorageSizes& sizes, const gpu::SmKind& kind) {
  json["registers_per_sm"] = sizes.registers;
  json["shared_bytes_per_sm"] = sizes.shared_bytes;
  if (kind.sm->memory.l1.present) json["l1_bytes_per_sm"] = sizes.l1_bytes;
  if (kind.sm->launch_storage.shared_banks()) json["off_bytes_per_sm"] = sizes.off_bytes;
}

void add_occupancy(ordered_json& json, const sm::Occupancy& occupancy) {
  json["blocks_per_sm"] = occupancy.blocks;
  json["limit"] = sm::name_of(occupancy.limit);
}

ordered_json occupancy_to_json(const gpu::Machine& machine, const gpu::KernelRun& run) {
  ordered_json json{{"registers_per_thread", run.registers_per_thread},
                    {"shared_bytes_per_block", run.shared_bytes_per_block},
                    {"warps_per_block", run.warps_per_block}};
  add_occupancy(json, run.occupancy);
  if (machine.groups.empty()) {
    add_storage(json, run.storage_by_kind.front(), machine.kinds().front());
    return json;
  }
  json["groups"] = ordered_json::array();
  for (std::size_t i = 0; i < run.occupancy_by_kind.size(); ++i) {
    ordered_json of_kind{{"name", group_to_json(machine.kinds()[i])}};
    add_occupancy(of_kind, run.occupancy_by_kind[i]);
    add_storage(of_kind, run.storage_by_kind[i], machine.kinds()[i]);
    json["groups"].push_back(std::move(of_kind));
  }
  return json;
}

/// Counters and figures of each kind of multiprocessors: those of each group, and those of no
/// group.
ordered_json kinds_to_json(const TimedChip& timed, const Timing& timing) {
  const std::vector<gpu::CounterName>& names = timed.chip.counters();
  const std::vector<gpu::SmKind> kinds = timed.chip.machine().kinds();
  const Figures figures(timed.chip.machine(), names);
  std::vector<energy::Account> accounts;
  if (timed.technology) accounts = accounts_of_kinds(timed, timing);
  ordered_json groups = ordered_json::array();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const Timing of_kind = timing_of_kind(timing, i, names);
    ordered_json group{{"name", group_to_json(kinds[i])},
                       {"sms", kinds[i].sms},
                       {"warp_instructions", of_kind.warp_instructions},
                       {"thread_instructions", of_kind.thread_instructions},
                       {"ipc", figures.ipc(of_kind)},
                       {"warp_ipc", figures.warp_ipc(of_kind)},
                       {"issue_slots", slots_to_json(issue_slots(figures, of_kind))}};
    ordered_json counters = ordered_json::object();
    for (std::size_t c = 0; c < timed.chip.sm_counters().size(); ++c) {
      counters[names[c].name] = of_kind.counters[c];
    }
    group["counters"] = std::move(counters);
    if (!accounts.empty()) group["energy"] = energy_to_json(accounts[i]);
    groups.push_back(std::move(group));
  }
  return groups;
}

/// Lists for each counter its values in all components, in the order of the components' numbers.
ordered_json counters_to_json(std::span<const gpu::CounterName> names,
                              const gpu::CountersByComponent& components) {
  ordered_json json = ordered_json::object();
  for (std::size_t i = 0; i < names.size(); ++i) {
    ordered_json values = ordered_json::array();
    for (const std::vector<std::uint64_t>& counters : components) values.push_back(counters[i]);
    json[names[i].name] = std::move(values);
  }
  return json;
}

ordered_json component_counters_to_json(const gpu::Chip& chip,
                                        const gpu::ComponentCounters& values) {
  ordered_json json;
  if (!chip.machine().groups.empty()) {
    json["groups"] = ordered_json::array();
    for (const gpu::SmKind& kind : chip.machine().kinds()) {
      for (std::uint32_t i = 0; i < kind.sms; ++i) json["groups"].push_back(group_to_json(kind));
    }
  }
  json["sms"] = counters_to_json(chip.sm_counters(), values.sms);
  json["partitions"] = counters_to_json(chip.partition_counters(), values.partitions);
  return json;
}

}  // namespace

ordered_json value_to_json(const config::Parameter& parameter) {
  return std::visit([](const auto* value) { return ordered_json(*value); }, parameter.target);
}

ordered_json machine_to_json(const gpu::Machine& machine) {
  ordered_json parameters;
  for_each_parameter(machine, [&](const config::Parameter& parameter) {
    parameters[parameter.name] = value_to_json(parameter);
  });
  ordered_json json{
      {"name", machine.name}, {"summary", machine.summary}, {"parameters", parameters}};
  if (machine.groups.empty()) return json;
  json["groups"] = ordered_json::array();
  for (const gpu::SmKind& kind : machine.kinds()) {
    json["groups"].push_back(
        {{"name", group_to_json(kind)}, {"first_sm", kind.first}, {"sms", kind.sms}});
  }
  return json;
}

void add_timing(ordered_json& json, const TimedChip& timed, const Timing& timing) {
  const std::vector<gpu::CounterName>& names = timed.chip.counters();
  const Figures figures(timed.chip.machine(), names);
  json["cycles"] = timing.cycles;
  json["microseconds"] = 1e6 * figures.seconds(timing);
  json["warp_instructions"] = timing.warp_instructions;
  json["thread_instructions"] = timing.thread_instructions;
  json["ipc"] = figures.ipc(timing);
  json["warp_ipc"] = figures.warp_ipc(timing);
  // The occupancy's limits are reported for one kernel only, because kernels have different limits.
  ordered_json occupancy = ordered_json::object();
  if (!timing.kernel.empty() && timing.launch_with_fewest_blocks != nullptr) {
    occupancy = occupancy_to_json(timed.chip.machine(), *timing.launch_with_fewest_blocks);
  }
  if (const auto mean = figures.mean_occupancy(timing)) {
    occupancy["most_warps_per_sm"] = timed.chip.machine().maximum(&sm::ResidencyDescription::warps);
    occupancy["warps_per_sm"] = mean->warps_per_sm;
    if (mean->warp_share) occupancy["share"] = *mean->warp_share;
    occupancy["active_sm_share"] = mean->active_sm_share;
    if (mean->register_share) occupancy["registers_share"] = *mean->register_share;
  }
  if (const auto share = figures.underutilisation(timing)) {
    occupancy["temporal_underutilisation"] = *share;
  }
  if (!occupancy.empty()) json["occupancy"] = std::move(occupancy);
  json["issue_slots"] = {{"nsight", slots_to_json(issue_slots(figures, timing))},
                         {"preexec", slots_to_json(preexec_issue_slots(figures, timing))}};
  ordered_json rates = ordered_json::object();
  for (const Figures::HitRate& hit : figures.hit_rates(timing)) {
    rates[std::string(hit.key)] = hit.rate;
  }
  json["hit_rates"] = std::move(rates);
  if (const auto dram = figures.dram_bandwidth(timing)) {
    json["dram"] = {{"bytes_per_second", dram->bytes_per_second},
                    {"peak_bytes_per_second", peaks_of(timed.chip.machine()).dram_bytes},
                    {"share", dram->share}};
  }
  ordered_json counters = ordered_json::object();
  for (std::size_t i = 0; i < timing.counters.size(); ++i) {
    counters[names.at(i).name] = timing.counters[i];
  }
  json["counters"] = std::move(counters);
  // Peaks and samples are reported per kernel: no sample covers the time between launches.
  const bool is_sampled = timed.sampling.interval != 0 && !timing.kernel.empty();
  std::vector<energy::Interval> intervals;
  if (timed.technology) {
    const energy::Account account = account_of(timed, timing);
    json["energy"] = energy_to_json(account);
    if (is_sampled) {
      intervals = power_of(timed, timing, account);
      add_peaks(json["energy"], timed, intervals);
    }
  }
  if (is_sampled) json["samples"] = samples_to_json(timed, timing, intervals);
  if (!timing.counters_by_kind.empty()) json["groups"] = kinds_to_json(timed, timing);
  if (!timing.by_component.empty()) {
    json["by_component"] = component_counters_to_json(timed.chip, timing.by_component);
  }
}

void add_timing(ordered_json& launch, const TimedChip& timed, const gpu::KernelRun& run) {
  launch["begin_cycle"] = run.begin.number;
  launch["cycles"] = run.cycles.count;
  launch["blocks_done"] = run.blocks_done;
  launch["occupancy"] = occupancy_to_json(timed.chip.machine(), run);
}

ordered_json totals_to_json(const TimedChip& timed) {
  ordered_json totals;
  add_timing(totals, timed, total_timing(timed.chip.runs()));
  if (timed.locality != nullptr) totals["locality"] = locality_totals_to_json(*timed.locality);
  return totals;
}

void add_unfinished(ordered_json& json, const TimedChip& timed) {
  json["kernels"] = ordered_json::array();
  for (const Timing& timing : timing_by_kernel(timed.chip.runs())) {
    ordered_json kernel{{"name", timing.kernel}, {"launches", timing.launches}};
    add_timing(kernel, timed, timing);
    json["kernels"].push_back(std::move(kernel));
  }
  json["launches"] = ordered_json::array();
  for (const gpu::KernelRun& run : timed.chip.runs()) {
    ordered_json launch{
        {"kernel", run.kernel}, {"grid", extent(run.grid)}, {"block", extent(run.block)}};
    launch["warp_instructions"] = run.warp_instructions;
    launch["thread_instructions"] = run.thread_instructions;
    add_timing(launch, timed, run);
    json["launches"].push_back(std::move(launch));
  }
  json["totals"] = totals_to_json(timed);
}

}  // namespace heddle
