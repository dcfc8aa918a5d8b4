#include "timing_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "energy_report.h"
#include "issue_slots.h"
#include "lookahead_text.h"
#include "machine_figures.h"
#include "sample_report.h"
#include "sm/residency/occupancy.h"
#include "sm/storage/launch_sizes.h"
#include "sm/storage_sizes.h"
#include "value_lines.h"

namespace heddle {
namespace {

/// The summary leaves out causes with less than this share of the issue slots.
constexpr double kMinShare = 0.005;

/// Less idle time than this would be printed as 0.0 %.
constexpr double kMinIdleShare = 0.0005;

std::string line(Margin margin, std::string_view label, const std::string& text) {
  return fmt::format("{:{}}{:{}}{}\n", "", margin.indent, label, margin.column - margin.indent,
                     text);
}

std::string with_spaces(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string max_blocks_text(const gpu::Machine& machine, const gpu::KernelRun& run) {
  std::string text;
  const std::vector<gpu::SmKind> kinds = machine.kinds();
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const sm::Occupancy& occupancy = run.occupancy_by_kind[i];
    if (i != 0) text += "; ";
    if (kinds.size() > 1) text += display_name(kinds[i]) + ": ";
    text += fmt::format("{} block{} at most, limit: {}", occupancy.blocks,
                        occupancy.blocks == 1 ? "" : "s", sm::name_of(occupancy.limit));
  }
  return text;
}

std::string occupancy_text(const gpu::Machine& machine, const Figures& figures,
                           const Timing& timing) {
  std::string text;
  if (const auto mean = figures.mean_occupancy(timing)) {
    text = fmt::format("{:.1f} of {} warps per SM on average", mean->warps_per_sm,
                       machine.maximum(&sm::ResidencyDescription::warps));
    if (mean->warp_share) text += fmt::format(", {:.1f} %", 100 * *mean->warp_share);
    if (mean->register_share) {
      text += fmt::format("; {:.1f} % of the registers", 100 * *mean->register_share);
    }
    if (timing.launch_with_fewest_blocks != nullptr) text += "; ";
  }
  if (timing.launch_with_fewest_blocks != nullptr)
    text += max_blocks_text(machine, *timing.launch_with_fewest_blocks);
  return text;
}

/// The sizes of memories for the launch with the fewest blocks; empty if they are those of the
/// parameters.
std::string storage_text(const gpu::Machine& machine, const Timing& timing) {
  if (!machine.groups.empty() || timing.launch_with_fewest_blocks == nullptr) return "";
  const sm::StorageSizes& sizes = timing.launch_with_fewest_blocks->storage_by_kind.front();
  if (sizes == sm::parameter_sizes(machine.sm)) return "";
  const auto kilobytes = [](std::uint64_t bytes) { return static_cast<double>(bytes) / 1024; };
  std::string text = fmt::format("{:g} KB of registers, {:g} KB of shared memory, {:g} KB of L1",
                                 kilobytes(4 * std::uint64_t{sizes.registers}),
                                 kilobytes(sizes.shared_bytes), kilobytes(sizes.l1_bytes));
  if (sizes.off_bytes != 0) text += fmt::format(", {:g} KB off", kilobytes(sizes.off_bytes));
  return text;
}

/// The shares of the issue slots, the largest first.
std::string slots_text(IssueSlots slots) {
  const double total = static_cast<double>(total_of(slots));
  std::stable_sort(slots.begin(), slots.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [name, cycles] : slots) {
    const double share = static_cast<double>(cycles) / total;
    if (share < kMinShare) break;
    text += fmt::format("{}{} {:.1f} %", text.empty() ? "" : ", ", with_spaces(name), 100 * share);
  }
  return text;
}

/// One line for each kind of multiprocessors (those of a group, or of no group); empty if there is
/// only one kind.
std::string kinds_text(const TimedChip& timed, const Timing& timing, Margin margin) {
  const std::vector<gpu::SmKind> kinds = timed.chip.machine().kinds();
  const Figures figures(timed.chip.machine(), timed.chip.counters());
  std::vector<energy::Account> accounts;
  if (timed.technology) accounts = accounts_of_kinds(timed, timing);
  std::string lines;
  for (std::size_t i = 0; i < timing.counters_by_kind.size(); ++i) {
    const Timing of_kind = timing_of_kind(timing, i, timed.chip.counters());
    std::string text = fmt::format("warp IPC {:.2f}", figures.warp_ipc(of_kind));
    if (!accounts.empty()) text += fmt::format("; {:.4g} uJ", 1e-6 * double(accounts[i].total()));
    const IssueSlots slots = issue_slots(figures, of_kind);
    if (total_of(slots) != 0) text += "; " + slots_text(slots);
    lines += line(margin, fmt::format("{} {}", kinds[i].sms, display_name(kinds[i])), text);
  }
  return lines;
}

}  // namespace

std::string machine_text(const TimedChip& timed, Margin margin) {
  const gpu::Machine& machine = timed.chip.machine();
  std::string text = machine.name;
  if (!timed.settings.empty()) text += fmt::format(" with {}", fmt::join(timed.settings, ", "));
  if (!machine.summary.empty()) text += ": " + machine.summary;
  std::string lines = line(margin, "machine", text);
  if (machine.groups.empty()) return lines;
  std::string groups;
  for (const gpu::SmKind& kind : machine.kinds()) {
    groups += fmt::format("{}{} {}", groups.empty() ? "" : ", ", kind.sms, display_name(kind));
  }
  return lines + line(margin, "multiprocessors", groups);
}

std::string timing_text(const TimedChip& timed, const Timing& timing, Margin margin) {
  const gpu::Machine& machine = timed.chip.machine();
  const Figures figures(machine, timed.chip.counters());
  std::string lines;
  const auto add = [&](std::string_view label, const std::string& text) {
    if (!text.empty()) lines += line(margin, label, text);
  };
  add("cycles", fmt::format("{} ({:.2f} us at {} MHz)", timing.cycles,
                            1e6 * figures.seconds(timing), machine.clock.core_mhz));
  if (timing.cycles == 0) return lines;
  add("IPC", fmt::format("{:.1f} of threads; {:.2f} of warps, {:.1f} % of the peak {:.0f}",
                         figures.ipc(timing), figures.warp_ipc(timing),
                         100 * figures.warp_ipc(timing) / figures.peak_warp_ipc(),
                         figures.peak_warp_ipc()));
  add("occupancy", occupancy_text(machine, figures, timing));
  if (const std::string text = storage_text(machine, timing); !text.empty()) add("storage", text);
  if (const auto share = figures.underutilisation(timing); share && *share >= kMinIdleShare) {
    add("idle resources",
        fmt::format("{:.1f} % of what warps hold, from their end to their block's", 100 * *share));
  }
  if (const IssueSlots slots = issue_slots(figures, timing); total_of(slots) != 0) {
    add("issue slots", slots_text(slots));
  }
  add("lookahead", lookahead_text(figures, timing));
  for (const auto& [label, text] : value_lines(figures, timing)) add(label, text);
  lines += kinds_text(timed, timing, margin);
  std::string rates;
  for (const Figures::HitRate& hit : figures.hit_rates(timing)) {
    rates += fmt::format("{}{} {:.1f} %", rates.empty() ? "" : ", ", hit.cache, 100 * hit.rate);
  }
  add("cache hits", rates);
  if (const auto dram = figures.dram_bandwidth(timing)) {
    add("DRAM", fmt::format("{:.1f} GB/s, {:.1f} % of {:.1f}", dram->bytes_per_second / 1e9,
                            100 * dram->share, peaks_of(machine).dram_bytes / 1e9));
  }
  if (!timed.technology) return lines;
  const energy::Account account = account_of(timed, timing);
  lines += energy_text(account, timed.listed_components, margin);
  // Power is reported for each kernel, not for several kernels together.
  if (!timing.kernel.empty()) lines += power_text(timed, timing, account, margin);
  return lines;
}

}  // namespace heddle
