#include "exec/fault/warp_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "exec/block/block.h"
#include "exec/fault/fault_report.h"
#include "exec/fault/number_ranges.h"

namespace heddle::exec {
namespace {

// The maximum number of lines in a message, and of blocks that a line names. The message says only
// how many more there are.
constexpr std::size_t kMaxLines = 12;
constexpr std::size_t kMaxBlocks = 4;

/// A line of the message: threads of one launch, perhaps of several blocks, that do the same at the
/// same instruction.
struct StatusLine {
  const Launch* launch = nullptr;
  std::uint32_t pc = 0;
  std::string_view what;
  std::vector<const WarpStatus*> statuses;
  std::uint64_t threads = 0;
};

std::vector<StatusLine> group_statuses(const std::vector<WarpStatus>& statuses) {
  using Key = std::tuple<std::uint64_t, std::uint32_t, std::string_view>;
  std::map<Key, StatusLine> lines_by_key;
  for (const WarpStatus& status : statuses) {
    const Launch& launch = status.block->launch();
    StatusLine& line = lines_by_key[{launch.grid_id, status.pc, status.what}];
    line.launch = &launch;
    line.pc = status.pc;
    line.what = status.what;
    line.statuses.push_back(&status);
    line.threads += static_cast<std::uint64_t>(status.lanes.count());
  }
  std::vector<StatusLine> lines;
  lines.reserve(lines_by_key.size());
  for (auto& [key, line] : lines_by_key) lines.push_back(std::move(line));
  std::stable_sort(lines.begin(), lines.end(),
                   [](const StatusLine& a, const StatusLine& b) { return a.threads > b.threads; });
  return lines;
}

std::string format_lanes(LaneMask lanes) {
  std::vector<int> numbers;
  for (; !lanes.empty(); lanes = lanes.without_lowest()) numbers.push_back(lanes.lowest());
  return format_ranges("lane", numbers);
}

/// Formats threads of one block, as in "block (1,0,0), warps 0 to 3, warp 4 lanes 0 to 7".
std::string format_threads(const Block& block, const std::vector<const WarpStatus*>& statuses) {
  std::vector<std::uint32_t> whole_warps;
  std::string partial_warps;
  for (const WarpStatus* status : statuses) {
    // The statuses may be of several Blocks, each of which runs some warps of the program's block.
    const Block& running = *status->block;
    const std::uint32_t index = status->warp - running.first_warp();
    const LaneMask existing(running.warps()[index].identity.existing);
    if (status->lanes.empty() || status->lanes == existing) {
      whole_warps.push_back(status->warp);
    } else {
      partial_warps += fmt::format(", warp {} {}", status->warp, format_lanes(status->lanes));
    }
  }
  std::sort(whole_warps.begin(), whole_warps.end());
  std::string text = "block " + name_of_block(block);
  if (!whole_warps.empty()) text += ", " + format_ranges("warp", whole_warps);
  return text + partial_warps;
}

/// Formats the cycle, or range of cycles, since which the threads do what they do. Empty if no
/// cycle is known.
std::string since_when(const StatusLine& line) {
  std::optional<std::uint64_t> first;
  std::optional<std::uint64_t> last;
  for (const WarpStatus* status : line.statuses) {
    if (!status->since) continue;
    first = std::min(first.value_or(*status->since), *status->since);
    last = std::max(last.value_or(*status->since), *status->since);
  }
  if (!first) return {};
  return *first == *last ? fmt::format(" since cycle {}", *first)
                         : fmt::format(" since cycles {} to {}", *first, *last);
}

std::string describe_line(const StatusLine& line, bool names_launch) {
  std::string text = "  ";
  if (names_launch) text += fmt::format("kernel '{}', ", line.launch->info().name);
  const bool has_started = line.threads != 0;
  if (has_started)
    text += fmt::format("at {}, ", place_in_function(*line.launch->program, line.pc));
  text += fmt::format("{}{}: ", line.what, since_when(line));
  std::map<std::uint64_t, std::vector<const WarpStatus*>> blocks;
  for (const WarpStatus* status : line.statuses) blocks[status->block->index()].push_back(status);
  std::size_t named_blocks = 0;
  for (const auto& [index, statuses] : blocks) {
    if (named_blocks == kMaxBlocks) break;
    if (named_blocks++ > 0) text += "; ";
    text += format_threads(*statuses.front()->block, statuses);
  }
  if (blocks.size() > named_blocks) {
    text += fmt::format("; and {} more blocks", blocks.size() - named_blocks);
  }
  return text;
}

}  // namespace

std::string describe(const std::vector<WarpStatus>& statuses) {
  const std::vector<StatusLine> lines = group_statuses(statuses);
  const bool has_several_launches = std::any_of(
      lines.begin(), lines.end(), [&](const StatusLine& l) { return l.launch != lines[0].launch; });
  std::string text;
  for (std::size_t i = 0; i < lines.size() && i < kMaxLines; ++i) {
    if (i > 0) text += "\n";
    text += describe_line(lines[i], has_several_launches);
  }
  if (lines.size() > kMaxLines) {
    text += fmt::format("\n  and threads at {} more places", lines.size() - kMaxLines);
  }
  return text;
}

std::string waiting_at(const Launch& launch, std::uint32_t pc, std::uint32_t barrier) {
  if (launch.program->instructions[pc].operation == code::Operation::barrier) {
    return fmt::format("waiting at barrier {}", barrier);
  }
  return "waiting for other lanes of its member mask";
}

void add_statuses(const Block& block, const Warp& warp, std::string_view running,
                  std::optional<std::uint64_t> since, std::vector<WarpStatus>& statuses) {
  bool is_top = true;
  for_each_place(warp.stack, [&](const ReconvergenceStack::Entry& entry, LaneMask threads) {
    WarpStatus status{
        .block = &block, .warp = warp.identity.warp, .lanes = threads, .pc = entry.pc};
    const bool has_arrived = !entry.arrived.empty();
    if (has_arrived) {
      status.what = waiting_at(block.launch(), entry.pc, warp.barrier);
    } else {
      status.what = is_top ? running : kBelowOthers;
    }
    status.is_below_others = !is_top && !has_arrived;
    if (!status.is_below_others) status.since = since;
    is_top = false;
    statuses.push_back(std::move(status));
  });
}

void add_statuses(const Block& block, std::vector<WarpStatus>& statuses) {
  for (const Warp& warp : block.warps()) {
    if (warp.state == Warp::State::finished) continue;
    add_statuses(block, warp, kRunning, std::nullopt, statuses);
  }
}

}  // namespace heddle::exec
