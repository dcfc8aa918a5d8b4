#include "exec/fault/standing.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "exec/block/block.h"
#include "exec/fault/fault_report.h"
#include "exec/fault/number_ranges.h"

namespace heddle::exec {
namespace {

// What a message names of each before it only counts them.
constexpr std::size_t kMostLines = 12;
constexpr std::size_t kMostBlocks = 4;

/// Of a line: threads of any blocks that do the same at the same instruction.
struct Alike {
  const Launch* launch = nullptr;
  std::uint32_t pc = 0;
  std::string_view what;
  std::vector<const Standing*> all;
  std::uint64_t threads = 0;
};

std::vector<Alike> gather_alike(const std::vector<Standing>& standings) {
  using Key = std::tuple<std::uint64_t, std::uint32_t, std::string_view>;
  std::map<Key, Alike> alike;
  for (const Standing& standing : standings) {
    const Launch& launch = standing.block->launch();
    Alike& line = alike[{launch.grid_id, standing.pc, standing.what}];
    line.launch = &launch;
    line.pc = standing.pc;
    line.what = standing.what;
    line.all.push_back(&standing);
    line.threads += static_cast<std::uint64_t>(standing.lanes.count());
  }
  std::vector<Alike> lines;
  lines.reserve(alike.size());
  for (auto& [key, line] : alike) lines.push_back(std::move(line));
  std::stable_sort(lines.begin(), lines.end(),
                   [](const Alike& a, const Alike& b) { return a.threads > b.threads; });
  return lines;
}

std::string lanes_of(LaneMask lanes) {
  std::vector<int> numbers;
  for (; !lanes.empty(); lanes = lanes.without_lowest()) numbers.push_back(lanes.lowest());
  return ranges_of("lane", numbers);
}

/// "block (1,0,0), warps 0 to 3, warp 4 lanes 0 to 7": some threads of one block.
std::string threads_of(const Block& block, const std::vector<const Standing*>& standings) {
  std::vector<std::uint32_t> whole;
  std::string parts;
  for (const Standing* standing : standings) {
    const LaneMask existing(block.warps()[standing->warp].identity.existing);
    if (standing->lanes.empty() || standing->lanes == existing) {
      whole.push_back(standing->warp);
    } else {
      parts += fmt::format(", warp {} {}", standing->warp, lanes_of(standing->lanes));
    }
  }
  std::sort(whole.begin(), whole.end());
  std::string text = "block " + name_of_block(block);
  if (!whole.empty()) text += ", " + ranges_of("warp", whole);
  return text + parts;
}

std::string since_when(const Alike& line) {
  std::optional<std::uint64_t> first;
  std::optional<std::uint64_t> last;
  for (const Standing* standing : line.all) {
    if (!standing->since) continue;
    first = std::min(first.value_or(*standing->since), *standing->since);
    last = std::max(last.value_or(*standing->since), *standing->since);
  }
  if (!first) return {};
  return *first == *last ? fmt::format(" since cycle {}", *first)
                         : fmt::format(" since cycles {} to {}", *first, *last);
}

std::string describe_line(const Alike& line, bool of_several_launches) {
  std::string text = "  ";
  if (of_several_launches) text += fmt::format("kernel '{}', ", line.launch->info().name);
  const bool has_started = line.threads != 0;
  if (has_started)
    text += fmt::format("at {}, ", place_in_function(*line.launch->program, line.pc));
  text += fmt::format("{}{}: ", line.what, since_when(line));
  std::map<std::uint64_t, std::vector<const Standing*>> blocks;
  for (const Standing* standing : line.all) blocks[standing->block->index()].push_back(standing);
  std::size_t named = 0;
  for (const auto& [index, standings] : blocks) {
    if (named == kMostBlocks) break;
    if (named++ > 0) text += "; ";
    text += threads_of(*standings.front()->block, standings);
  }
  if (blocks.size() > named) text += fmt::format("; and {} more blocks", blocks.size() - named);
  return text;
}

}  // namespace

std::string describe(const std::vector<Standing>& standings) {
  const std::vector<Alike> lines = gather_alike(standings);
  const bool of_several_launches = std::any_of(
      lines.begin(), lines.end(), [&](const Alike& l) { return l.launch != lines[0].launch; });
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < kMostLines; ++i) {
    if (i > 0) text += "\n";
    text += describe_line(lines[i], of_several_launches);
  }
  if (lines.size() > kMostLines) {
    text += fmt::format("\n  and threads at {} more places", lines.size() - kMostLines);
  }
  return text;
}

std::string waiting_at(const Launch& launch, std::uint32_t pc, std::uint32_t barrier) {
  if (launch.program->instructions[pc].operation == code::Operation::barrier) {
    return fmt::format("waiting at barrier {}", barrier);
  }
  return "waiting for lanes that it names";
}

void add_standings(const Block& block, const Warp& warp, std::string_view running,
                   std::optional<std::uint64_t> since, std::vector<Standing>& standings) {
  bool is_top = true;
  for_each_place(warp.stack, [&](const ReconvergenceStack::Entry& entry, LaneMask threads) {
    Standing standing{
        .block = &block, .warp = warp.identity.warp, .lanes = threads, .pc = entry.pc};
    const bool has_arrived = !entry.arrived.empty();
    if (has_arrived) {
      standing.what = waiting_at(block.launch(), entry.pc, warp.barrier);
    } else {
      standing.what = is_top ? running : kBelowOthers;
    }
    standing.is_below_others = !is_top && !has_arrived;
    if (!standing.is_below_others) standing.since = since;
    is_top = false;
    standings.push_back(std::move(standing));
  });
}

void add_standings(const Block& block, std::vector<Standing>& standings) {
  for (const Warp& warp : block.warps()) {
    if (warp.state == Warp::State::finished) continue;
    add_standings(block, warp, kRunning, std::nullopt, standings);
  }
}

}  // namespace heddle::exec
