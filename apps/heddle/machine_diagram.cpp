#include "machine_diagram.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/quantity.h"
#include "machine_figures.h"
#include "text_boxes.h"

namespace heddle {
namespace {

constexpr std::size_t kColumns = 96;  ///< The width of the drawing in characters.

std::string cycles(std::uint64_t count) { return count_text(count, "cycle"); }

std::string every(std::uint64_t count) {
  return count == 1 ? "every cycle" : "every " + cycles(count);
}

std::string ways_text(std::uint32_t ways, std::uint32_t line_bytes, std::uint32_t sector_bytes) {
  std::string text = fmt::format("{} of {}", count_text(ways, "way"), bytes_text(line_bytes));
  if (sector_bytes != 0 && sector_bytes != line_bytes) {
    text += fmt::format(" in sectors of {}", bytes_text(sector_bytes));
  }
  return text;
}

TextBox instruction_cache(const sm::InstructionCacheDescription& cache) {
  if (cache.bytes == 0) return {"I-cache", {"perfect"}};
  return {"I-cache",
          {bytes_text(cache.bytes), ways_text(cache.ways, cache.line_bytes, 0),
           "a miss: " + cycles(cache.miss_cycles)}};
}

TextBox fetch(const sm::FetchDescription& description) {
  return {
      "fetch and decode",
      {count_text(description.width, "instruction") + " per access",
       fmt::format("{} access{} per cycle", description.ports, description.ports == 1 ? "" : "es"),
       fmt::format("{}; buffers of {}", cycles(description.latency), description.buffer)}};
}

TextBox residency_limits(const sm::SmDescription& sm) {
  const sm::ResidencyDescription& description = sm.residency;
  return {"resident blocks: " + description.policy,
          {fmt::format("{}, {}", count_text(description.warps, "warp"),
                       count_text(description.blocks, "block")),
           fmt::format("{} registers, in units of {}", description.registers,
                       description.register_unit),
           fmt::format("at most {} per thread", description.registers_per_thread),
           fmt::format("{} shared, in units of {}", bytes_text(description.shared_bytes),
                       bytes_text(description.shared_unit)),
           "sizes for a launch: " + sm.launch_storage.policy}};
}

TextBox operands(const sm::OperandDescription& description) {
  return {"operands: " + description.policy, description.sketch()};
}

TextBox unit(const std::string& name, const sm::UnitDescription& description) {
  std::vector<std::string> lines{count_text(description.lanes, "lane"),
                                 "latency " + cycles(description.latency)};
  if (description.pipes != 1) lines.front() += fmt::format(" x {}", description.pipes);
  if (description.interval != 1) lines.push_back(every(description.interval));
  return {name, lines};
}

std::vector<TextBox> units(const sm::UnitsDescription& description) {
  std::vector<TextBox> boxes{unit("integer", description.integer), unit("fp32", description.fp32),
                             unit("fp64", description.fp64), unit("special", description.special)};
  if (description.shared_alu) {
    boxes[0].lines.emplace_back("one pipe for both");
    boxes[1].lines.emplace_back("one pipe for both");
  }
  return boxes;
}

TextBox cache(const std::string& name, const sm::CacheDescription& description) {
  return {name,
          {bytes_text(description.bytes),
           ways_text(description.ways, description.line_bytes, description.sector_bytes),
           "a hit: " + cycles(description.latency), count_text(description.mshrs, "MSHR")}};
}

std::vector<TextBox> memory_paths(const sm::LoadStoreDescription& description) {
  TextBox l1{"L1: none", {"loads go to the crossbar"}};
  if (description.l1.present) {
    l1 = cache("L1", description.l1.cache);
    const sm::L1Description& policy = description.l1;
    const bool is_one = policy.global_writes == policy.local_writes;
    l1.lines.push_back((is_one ? "writes: " : "global writes: ") + policy.global_writes);
    if (!is_one) l1.lines.push_back("local writes: " + policy.local_writes);
  }
  l1.lines.push_back("segments of " + bytes_text(description.coalescer.shape.segment_bytes));
  l1.lines.push_back("addresses: " + cycles(description.lsu.address_cycles));
  const memory::ScratchpadParameters& shape = description.scratchpad.shape;
  TextBox scratchpad{
      "scratchpad",
      {fmt::format("{} of {}", count_text(shape.banks, "bank"), bytes_text(shape.bank_bytes)),
       bytes_text(shape.pass_bytes) + " per pass",
       "latency " + cycles(description.scratchpad.latency)}};
  if (description.lsu.shared_pipe) scratchpad.lines.emplace_back("shares a pipe with the L1");
  TextBox texture = cache("texture", description.texture.cache);
  texture.lines.push_back(count_text(description.texture.lanes, "texel") + " per cycle");
  return {l1, scratchpad, cache("constant", description.constant.cache), texture};
}

void append(TextBlock& to, const TextBlock& more) { to.insert(to.end(), more.begin(), more.end()); }

TextBlock multiprocessor(const sm::SmDescription& sm, std::size_t columns) {
  TextBlock lines;
  const auto row = [&](const std::vector<TextBox>& boxes) {
    append(lines, draw_row(boxes, columns));
  };
  row({instruction_cache(sm.icache), fetch(sm.fetch), residency_limits(sm)});
  row({{(sm.sub_cores.count == 1 ? std::string()
                                 : fmt::format("{} sub-cores, each with ", sm.sub_cores.count)) +
            count_text(sm.schedule.schedulers, "scheduler"),
        {sm.schedule.policy, "1 instruction per cycle each"}},
       {"dependence", {sm.dependence.policy}},
       {"branches: " + sm.branch.policy,
        {"resolved in " + cycles(sm.branch.resolve_cycles),
         "jumps in " + cycles(sm.branch.jump_cycles), "barriers: " + cycles(sm.barrier.latency)}}});
  row({operands(sm.operands)});
  row(units(sm.units));
  row(memory_paths(sm.memory));
  return lines;
}

TextBox l2_slice(const memory::PartitionDescription& memory) {
  const memory::L2Description& l2 = memory.l2;
  if (!l2.present) return {"L2: none", {"requests go to DRAM"}};
  return {"L2 slice",
          {bytes_text(l2.bytes) + ", " + ways_text(l2.ways, l2.line_bytes, l2.sector_bytes),
           fmt::format("a hit: {}, one {}", cycles(l2.latency), every(l2.interval)),
           fmt::format("{}, write {}", count_text(l2.mshrs, "MSHR"), l2.write),
           "atomics: one " + every(memory.atomic.interval)}};
}

TextBox dram_channel(const memory::DramDescription& dram, const gpu::ClockDescription& clock) {
  TextBox box{
      "DRAM channel: " + dram.policy,
      {fmt::format("{} MHz, {} in {}, {} each", clock.dram_mhz, bytes_text(dram.bandwidth_bytes),
                   cycles(dram.bandwidth_cycles), bytes_text(dram.transaction_bytes)),
       fmt::format("holds {}", count_text(dram.queue_entries, "request"))}};
  const memory::DramProperties properties = dram.properties();
  box.lines.insert(box.lines.end(), properties.sketch.begin(), properties.sketch.end());
  if (dram.overhead != 0) box.lines.push_back("overhead: " + cycles(dram.overhead));
  return box;
}

std::map<std::string, std::string> values_of(sm::SmDescription sm) {
  config::Declarations parameters;
  sm.declare(parameters);
  std::map<std::string, std::string> values;
  for (const config::Parameter& each : parameters.all()) values[each.name] = each.value();
  return values;
}

/// For each group, the parameters whose values differ from those of the other multiprocessors.
std::string group_differences(const gpu::Machine& machine) {
  std::string text;
  const auto others = values_of(machine.sm);
  for (const gpu::SmGroup& group : machine.groups) {
    text += fmt::format("Group '{}' differs in:\n", group.name);
    for (const auto& [name, value] : values_of(group.sm)) {
      const auto found = others.find(name);
      if (found == others.end()) {
        text += fmt::format("  {:22}{}\n", name, value);
      } else if (found->second != value) {
        text += fmt::format("  {:22}{}, not {}\n", name, value, found->second);
      }
    }
  }
  return text;
}

/// Peak rates and latencies that follow from the parameters.
std::string derived_text(const gpu::Machine& machine) {
  const MachinePeaks peaks = peaks_of(machine);
  std::string text =
      "Peak rates, and unloaded latencies in core cycles without the transfer of the data:\n";
  const auto line = [&](std::string_view label, const std::string& what) {
    text += fmt::format("  {:22}{}\n", label, what);
  };
  line("issue", fmt::format("{} per cycle ({} thread instructions)",
                            count_text(peaks.warp_instructions, "warp instruction"),
                            32 * peaks.warp_instructions));
  line("arithmetic", fmt::format("{:.0f} threads per cycle; {:.1f} GFLOP/s of fp32 fused "
                                 "multiply-adds",
                                 peaks.arithmetic_threads, peaks.fp32_operations / 1e9));
  line("DRAM", fmt::format("{:.1f} GB/s", peaks.dram_bytes / 1e9));
  const std::vector<gpu::SmKind> kinds = machine.kinds();
  const bool have_same_latencies =
      std::all_of(kinds.begin(), kinds.end(), [&](const gpu::SmKind& kind) {
        return latencies_of(machine, *kind.sm) == latencies_of(machine, *kinds.front().sm);
      });
  for (const gpu::SmKind& kind : kinds) {
    const MachineLatencies latencies = latencies_of(machine, *kind.sm);
    if (!have_same_latencies) text += fmt::format("  on {}:\n", display_name(kind));
    if (latencies.l1_hit != 0) line("load, L1 hit", cycles(latencies.l1_hit));
    if (latencies.l2_hit != 0) line("load, L2 hit", cycles(latencies.l2_hit));
    line("load from DRAM", latencies.dram == latencies.dram_conflict
                               ? cycles(latencies.dram)
                               : fmt::format("{} if its row is open, {} if another row is open",
                                             cycles(latencies.dram), latencies.dram_conflict));
    if (have_same_latencies) break;
  }
  return text + group_differences(machine);
}

}  // namespace

std::string draw_machine(const gpu::Machine& machine) {
  const memory::PartitionDescription& memory = machine.memory;
  TextBlock lines{machine.name + (machine.summary.empty() ? "" : ": " + machine.summary), ""};
  lines.push_back(centred(fmt::format("block dispatch: {}, latency {}", machine.dispatch.policy,
                                      cycles(machine.dispatch.latency)),
                          kColumns));
  lines.push_back(centred("│", kColumns));
  for (const gpu::SmKind& kind : machine.kinds()) {
    std::string title = count_text(kind.sms, "multiprocessor");
    if (!machine.groups.empty()) title += fmt::format(" ({})", display_name(kind));
    title += fmt::format(" at {} MHz", machine.clock.core_mhz);
    append(lines,
           draw_row({{title, multiprocessor(*kind.sm, width_inside_frame(kColumns))}}, kColumns));
  }
  lines.push_back(centred("│", kColumns));
  lines.push_back(centred(
      fmt::format("crossbar at {} MHz: {} per cycle and port each way, {} of the core, {} header",
                  machine.clock.interconnect_mhz, bytes_text(machine.interconnect.bytes_per_cycle),
                  cycles(machine.interconnect.latency),
                  bytes_text(machine.interconnect.header_bytes)),
      kColumns));
  lines.push_back(centred("│", kColumns));
  append(lines, draw_row({{fmt::format("{} of memory, interleaved by {}",
                                       count_text(memory.memory.partitions, "partition"),
                                       bytes_text(memory.memory.interleave_bytes)),
                           draw_row({l2_slice(memory), dram_channel(memory.dram, machine.clock)},
                                    width_inside_frame(kColumns))}},
                         kColumns));
  std::string text;
  for (std::string& line : lines) {
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text + "\n" + derived_text(machine);
}

}  // namespace heddle
