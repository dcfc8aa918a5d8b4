#include "run_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "device/occupancy.h"
#include "print.h"
#include "timing_json.h"
#include "timing_report.h"

namespace heddle {
namespace {

using nlohmann::ordered_json;
using workload::KernelResult;
using workload::RunResult;

device::Occupancy occupancy_of(const KernelResult& kernel, const lab::RegisterChoice& registers) {
  return device::occupancy_of(device::kGtx480Sm,
                              {.threads = static_cast<std::uint32_t>(kernel.block.count()),
                               .registers_per_thread = registers_for_residency(registers, kernel),
                               .shared_bytes = kernel.shared_bytes_per_block});
}

ordered_json extent(const Dim3& dimensions) { return {dimensions.x, dimensions.y, dimensions.z}; }

ordered_json mix_to_json(const workload::InstructionMix& mix) {
  ordered_json json;
  for (const code::InstructionClass kind : code::kInstructionClasses) {
    json[std::string(code::name_of(kind))] = mix.count(kind);
  }
  return json;
}

/// The summary leaves out classes of instructions below this share.
constexpr double kMinShare = 0.0005;

double rate_of(const RunResult& result) {
  if (result.seconds.simulation <= 0) return 0;
  return static_cast<double>(result.warp_instructions()) / result.seconds.simulation;
}

ordered_json kernel_to_json(const KernelResult& kernel, const lab::RegisterChoice& registers,
                            bool timed) {
  ordered_json json{{"name", kernel.name},
                    {"block", extent(kernel.block)},
                    {"registers_per_thread", kernel.registers_per_thread}};
  if (kernel.paper) {
    json["paper"] = {{"source", kernel.paper->source},
                     {"registers_per_thread", kernel.paper->registers_per_thread},
                     {"shared_bytes_per_block", kernel.paper->shared_bytes_per_block},
                     {"blocks_per_sm", kernel.paper->blocks_per_sm}};
  }
  json["shared_bytes_per_block"] = kernel.shared_bytes_per_block;
  if (!timed) {
    const device::Occupancy occupancy = occupancy_of(kernel, registers);
    json["residency"] = {{"sm", "GTX 480"},
                         {"registers_per_thread", registers_for_residency(registers, kernel)},
                         {"blocks_per_sm", occupancy.blocks},
                         {"limit", device::name_of(occupancy.limit)}};
  }
  json["launches"] = kernel.launches;
  json["warp_instructions"] = kernel.warp_instructions;
  json["thread_instructions"] = kernel.thread_instructions;
  json["mean_active_lanes"] =
      workload::mean_active_lanes(kernel.thread_instructions, kernel.warp_instructions);
  json["warp_instructions_by_class"] = mix_to_json(kernel.mix);
  return json;
}

ordered_json check_to_json(const workload::CheckResult& check) {
  ordered_json json{{"compared", check.compared_count()}, {"differing", check.differing_count()}};
  json["differences"] = ordered_json::array();
  for (const workload::Difference& difference : check.differences()) {
    json["differences"].push_back(
        {{"where", difference.where}, {"got", difference.got}, {"want", difference.want}});
  }
  json["bounds"] = ordered_json::array();
  for (const workload::CheckResult::UsedBound& used : check.bounds()) {
    json["bounds"].push_back({{"what", used.what},
                              {"relative", used.bound.relative},
                              {"absolute", used.bound.absolute},
                              {"reason", used.bound.reason},
                              {"used", used.used_fraction}});
  }
  return json;
}

void print_bound(const workload::CheckResult::UsedBound& used) {
  const workload::Bound& bound = used.bound;
  if (bound.absolute == 0 && bound.relative == 0) {
    print("tolerance               {}: none ({})\n", used.what, bound.reason);
    return;
  }
  print("tolerance               {}: {:.3g} + {:.3g} of the value ({}); {:.0f} % of it used\n",
        used.what, bound.absolute, bound.relative, bound.reason, 100 * used.used_fraction);
}

void print_mix(const workload::InstructionMix& mix) {
  print("  instruction mix       ");
  const char* separator = "";
  for (const code::InstructionClass kind : code::kInstructionClasses) {
    if (mix.share(kind) < kMinShare) continue;
    std::string name(code::name_of(kind));
    std::replace(name.begin(), name.end(), '_', ' ');
    print("{}{} {:.1f} %", separator, name, 100 * mix.share(kind));
    separator = ", ";
  }
  print("\n");
}

void print_kernel(const KernelResult& kernel, const lab::RegisterChoice& registers, bool timed) {
  print("kernel {}: {} launch{} of blocks of {}\n", kernel.name, kernel.launches,
        kernel.launches == 1 ? "" : "es", to_text(kernel.block));
  print("  warp instructions     {}, {:.1f} lanes active\n", kernel.warp_instructions,
        workload::mean_active_lanes(kernel.thread_instructions, kernel.warp_instructions));
  print_mix(kernel.mix);
  print("  registers per thread  {}", kernel.registers_per_thread);
  if (kernel.paper) {
    print(" ({}: {})", kernel.paper->source, kernel.paper->registers_per_thread);
  }
  print("\n  shared memory         {} bytes per block\n", kernel.shared_bytes_per_block);
  if (timed) return;  // The timing report has the occupancy.
  const device::Occupancy occupancy = occupancy_of(kernel, registers);
  print("  resident on an SM     {} blocks on a GTX 480, {} registers per thread; limit: {}\n",
        occupancy.blocks, registers_for_residency(registers, kernel),
        device::name_of(occupancy.limit));
}

}  // namespace

ordered_json run_header(const workload::Workload& workload, const workload::RunOptions& options,
                        const lab::RegisterChoice& registers, const TimedChip* timed) {
  ordered_json header{{"schema", "heddle-run-3"},
                      {"workload", workload.name},
                      {"size", workload::name_of(options.size)},
                      {"seed", options.seed},
                      {"grid", workload::name_of(options.grid)},
                      {"registers", lab::name_of(registers)},
                      {"kernels_from", options.kernels ? options.kernels->file : "the workload"}};
  if (timed != nullptr) header["machine"] = machine_to_json(timed->chip.machine());
  return header;
}

ordered_json run_to_json(ordered_json header, const RunResult& result,
                         const lab::RegisterChoice& registers, const TimedChip* timed) {
  ordered_json json = std::move(header);
  json["verified"] = result.check.passed();
  json["verification"] = check_to_json(result.check);
  json["warp_instructions"] = result.warp_instructions();
  json["thread_instructions"] = result.thread_instructions();
  json["mean_active_lanes"] =
      workload::mean_active_lanes(result.thread_instructions(), result.warp_instructions());
  json["warp_instructions_by_class"] = mix_to_json(result.mix());
  const std::vector<Timing> timings =
      timed != nullptr ? timing_by_kernel(timed->chip.runs()) : std::vector<Timing>();
  json["kernels"] = ordered_json::array();
  for (const KernelResult& kernel : result.kernels) {
    ordered_json described = kernel_to_json(kernel, registers, timed != nullptr);
    if (const Timing* timing = find_timing(timings, kernel.name)) {
      // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): functional runs have no timings.
      add_timing(described, *timed, *timing);
    }
    json["kernels"].push_back(std::move(described));
  }
  json["launches"] = ordered_json::array();
  for (std::size_t i = 0; i < result.launches.size(); ++i) {
    const workload::LaunchRecord& launch = result.launches[i];
    ordered_json described{{"kernel", result.kernels[launch.kernel].name},
                           {"grid", extent(launch.shape.grid)},
                           {"block", extent(launch.shape.block)},
                           {"dynamic_shared_bytes", launch.shape.dynamic_shared_bytes},
                           {"warp_instructions", launch.result.warp_instructions},
                           {"thread_instructions", launch.result.thread_instructions}};
    if (timed != nullptr) add_timing(described, *timed, timed->chip.runs().at(i));
    json["launches"].push_back(std::move(described));
  }
  if (timed != nullptr) json["totals"] = totals_to_json(*timed);
  json["host"] = {{"input_seconds", result.seconds.input},
                  {"compilation_seconds", result.seconds.compilation},
                  {"simulation_seconds", result.seconds.simulation},
                  {"check_seconds", result.seconds.check},
                  {"threads", timed != nullptr ? timed->threads : 1},
                  {"warp_instructions_per_second", rate_of(result)}};
  return json;
}

void print_run(const workload::Workload& workload, const workload::RunOptions& options,
               const RunResult& result, const lab::RegisterChoice& registers,
               const TimedChip* timed) {
  print("{}: {}; size {}, seed {}\n", workload.name, workload.summary,
        workload::name_of(options.size), options.seed);
  if (options.grid == workload::GridChoice::resident) {
    print("resident grid: as many threads as the GPU holds at once\n");
  }
  if (options.kernels) print("kernels from {}\n", options.kernels->file);
  if (timed != nullptr) print("{}", machine_text(*timed, {}));
  const std::vector<Timing> timings =
      timed != nullptr ? timing_by_kernel(timed->chip.runs()) : std::vector<Timing>();
  for (const KernelResult& kernel : result.kernels) {
    print_kernel(kernel, registers, timed != nullptr);
    if (const Timing* timing = find_timing(timings, kernel.name)) {
      print("{}", timing_text(*timed, *timing, {.indent = 2}));
    }
  }
  if (result.kernels.size() > 1) {
    const std::uint64_t instructions = result.warp_instructions();
    print("all kernels             {} warp instructions, {:.1f} lanes active\n", instructions,
          workload::mean_active_lanes(result.thread_instructions(), instructions));
  }
  if (timings.size() > 1) {
    print("{}", timing_text(*timed, total_timing(timed->chip.runs()), {.indent = 2}));
  }
  print(
      "host time               input {:.2f} s, compilation {:.2f} s, simulation {:.2f} s "
      "({:.1f} million warp instructions per second), check {:.2f} s\n",
      result.seconds.input, result.seconds.compilation, result.seconds.simulation,
      rate_of(result) / 1e6, result.seconds.check);
  const workload::CheckResult& check = result.check;
  for (const workload::CheckResult::UsedBound& used : check.bounds()) {
    print_bound(used);
  }
  if (check.passed()) {
    print("check                   passed: {} value{}\n", check.compared_count(),
          check.compared_count() == 1 ? "" : "s");
    return;
  }
  print("check                   FAILED: {} of {} values differ\n", check.differing_count(),
        check.compared_count());
  for (const workload::Difference& difference : check.differences()) {
    print("  {}: {}, should be {}\n", difference.where, difference.got, difference.want);
  }
}

}  // namespace heddle
