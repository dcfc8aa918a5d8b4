#include "sm/lookahead/result_reuse.h"

#include <cassert>
#include <cstring>

#include "base/lane_mask.h"
#include "sm/sm_description.h"

namespace heddle::sm {
namespace {

bool is_register(std::uint16_t entry) { return entry < kFirstPredicate; }

const std::uint32_t* lanes_of(const exec::WarpContext& context, std::uint16_t entry) {
  return context.lanes({exec::OperandRef::Base::registers, entry});
}

std::uint32_t predicate_of(const exec::WarpContext& context, std::uint16_t entry) {
  const exec::PredicateRef predicate{std::uint32_t{entry} - kFirstPredicate, false};
  return context.predicates[predicate.slot()];
}

void copy_value(const exec::WarpContext& context, std::uint16_t entry, exec::VectorRegister& to) {
  if (is_register(entry)) {
    std::memcpy(to.lane, lanes_of(context, entry), sizeof(to.lane));
  } else {
    to.lane[0] = predicate_of(context, entry);
  }
}

/// Whether the register or predicate has this value in these lanes.
bool has_value(const exec::WarpContext& context, std::uint16_t entry,
               const exec::VectorRegister& value, LaneMask lanes) {
  if (!is_register(entry)) {
    return ((predicate_of(context, entry) ^ value.lane[0]) & lanes.bits()) == 0;
  }
  const std::uint32_t* const words = lanes_of(context, entry);
  if (std::memcmp(words, value.lane, sizeof(value.lane)) == 0) return true;
  for (LaneMask rest = lanes; !rest.empty(); rest = rest.without_lowest()) {
    if (words[rest.lowest()] != value.lane[rest.lowest()]) return false;
  }
  return true;
}

}  // namespace

ResultReuse::ResultReuse(const ReuseParameters& parameters, const SmDescription& sm,
                         SubCores& sub_cores)
    : sub_cores_(sub_cores),
      registers_(parameters.rename_registers, sm.residency.registers / kWarpSize,
                 sub_cores[0].operand_policy->banks()),
      warps_(kMaxWarps, WarpState(parameters.queue_entries)) {}

void ResultReuse::replace(RenamingTable& table, std::uint16_t entry, RenamingRegister number) {
  const RenamingRegister before = table.set(entry, number);
  if (before != kNotRenamed) registers_.release(before);
}

void ResultReuse::release_results(const PreexecutedInstruction& instruction) {
  for (const PreexecutedResult& result : instruction.results) {
    if (result.renamed != kNotRenamed) registers_.release(result.renamed);
  }
}

void ResultReuse::release_table(RenamingTable& table) {
  for (std::size_t i = 0; i < RenamingTable::kEntries; ++i) {
    const RenamingRegister number = table.set_index(i, kNotRenamed);
    if (number != kNotRenamed) registers_.release(number);
  }
}

void ResultReuse::clear_queue(WarpState& state) {
  state.queue.for_each([&](const PreexecutedInstruction& instruction) {
    ++counters_.dropped;
    release_results(instruction);
  });
  state.queue.clear();
}

void ResultReuse::begin(WarpSlot warp) {
  WarpState& state = warps_[warp];
  live_ |= set_of(warp);
  clear_queue(state);
  state.ahead = state.normal;
  for (const RenamingRegister number : state.ahead.numbers()) {
    if (number != kNotRenamed) registers_.add_user(number);
  }
  state.is_ahead = true;
  state.is_closed = false;
}

void ResultReuse::end(WarpSlot warp) {
  release_table(warps_[warp].ahead);
  warps_[warp].is_ahead = false;
}

bool ResultReuse::can_rename(std::span<const std::uint16_t> results) {
  return results.size() <= PreexecutedInstruction::kMostResults &&
         std::all_of(results.begin(), results.end(), RenamingTable::has);
}

void ResultReuse::add(WarpSlot warp, std::uint32_t pc, std::span<const std::uint16_t> results,
                      const exec::WarpContext& executed, Cycle now, Cycle usable,
                      std::uint32_t token) {
  if (results.empty()) return;
  WarpState& state = warps_[warp];
  const Operands& operands = *sub_cores_.of(warp).operand_policy;
  if (!state.is_closed && !state.queue.has_space(results.size())) state.is_closed = true;
  PreexecutedInstruction* queued = nullptr;
  if (state.is_closed) {
    ++counters_.not_queued;
  } else {
    queued = &state.queue.push(pc, results.size(), usable);
    queued->token = token;
    counters_.queue_accesses += results.size();
  }
  Load* load = nullptr;
  if (usable == Cycle::never())
    load = &loads_.emplace_back(Load{.token = token, .warp = warp, .renamed = {}});
  for (const std::uint16_t entry : results) {
    const std::uint32_t bank = is_register(entry) ? operands.bank_of(warp, entry) : 0;
    const RenamingRegister number = registers_.take(bank, now);
    ++counters_.renamings;
    replace(state.ahead, entry, number);
    if (load != nullptr) {
      load->renamed.push_back(number);
    } else {
      registers_.set_written(number, usable);
    }
    if (queued == nullptr) continue;
    registers_.add_user(number);
    copy_value(executed, entry, queued->values[queued->results.size()]);
    queued->results.push_back({.entry = entry, .renamed = number});
  }
}

void ResultReuse::complete(std::uint32_t token, Cycle usable) {
  const auto load = std::find_if(loads_.begin(), loads_.end(),
                                 [token](const Load& each) { return each.token == token; });
  if (load == loads_.end()) return;  // A preload: it has no results.
  for (const RenamingRegister number : load->renamed) registers_.set_written(number, usable);
  warps_[load->warp].queue.for_each([&](PreexecutedInstruction& instruction) {
    if (instruction.usable == Cycle::never() && instruction.token == token)
      instruction.usable = usable;
  });
  *load = loads_.back();
  loads_.pop_back();
}

bool ResultReuse::take(WarpSlot warp, std::uint32_t pc) {
  WarpState& state = warps_[warp];
  if (state.queue.empty()) return false;
  if (state.queue.head().pc != pc) {
    ++counters_.queue_misses;
    return false;
  }
  state.queue.pop(state.next);
  counters_.queue_accesses += state.next.results.size();
  if (state.next.usable == Cycle::never()) {
    ++counters_.late;
    release_results(state.next);
    return false;
  }
  reusing_ |= set_of(warp);
  return true;
}

Cycle ResultReuse::reuse(WarpSlot warp, const exec::Warp& executed, Cycle now) {
  WarpState& state = warps_[warp];
  reusing_ &= ~set_of(warp);
  ++counters_.reused;
  for (std::size_t i = 0; i < state.next.results.size(); ++i) {
    const PreexecutedResult& result = state.next.results[i];
    if (!has_value(executed.context, result.entry, state.next.values[i], executed.stack.live()))
      ++counters_.wrong_results;
    ++counters_.renamings;
    replace(state.normal, result.entry, result.renamed);
  }
  return std::max(state.next.usable, now + Cycles(1));
}

/// A result that all threads write goes to the register's own place. The register that it was
/// renamed to keeps no value that anyone reads any more. (Instructions read their sources when they
/// issue.) If only some threads write, they write to the renaming register, which has the values of
/// the others.
void ResultReuse::observe_issue(WarpSlot warp, std::size_t sources,
                                std::span<const std::uint16_t> results, bool by_all) {
  WarpState& state = warps_[warp];
  if (!state.normal.has_any()) return;
  counters_.renaming_lookups += sources;
  if (!by_all) return;
  for (const std::uint16_t entry : results) {
    if (RenamingTable::has(entry)) replace(state.normal, entry, kNotRenamed);
  }
}

void ResultReuse::end_warp(WarpSlot warp) {
  WarpState& state = warps_[warp];
  assert(!state.is_ahead && !is_reusing(warp));
  clear_queue(state);
  release_table(state.normal);
  live_ &= ~set_of(warp);
}

/// The values of the normal context that are in registers of blocks are moved to the registers' own
/// places, which the warp still has.
void ResultReuse::move_back(WarpSlot warp, WarpState& state) {
  const auto& normal = state.normal.numbers();
  const auto& ahead = state.ahead.numbers();
  for (std::size_t i = 0; i < normal.size(); ++i) {
    if (normal[i] == kNotRenamed || !registers_.belongs_to_block(normal[i])) continue;
    ++counters_.moved;
    if (ahead[i] == normal[i]) registers_.release(state.ahead.set_index(i, kNotRenamed));
    registers_.release(state.normal.set_index(i, kNotRenamed));
  }
  if (!is_reusing(warp)) return;
  for (PreexecutedResult& result : state.next.results) {
    if (result.renamed == kNotRenamed || !registers_.belongs_to_block(result.renamed)) continue;
    ++counters_.moved;
    registers_.release(result.renamed);
    result.renamed = kNotRenamed;
  }
}

/// Whether a result of the second context is in a register of a block.
bool ResultReuse::has_lost(WarpState& state) const {
  const auto is_lost = [this](RenamingRegister number) {
    return number != kNotRenamed && registers_.belongs_to_block(number);
  };
  const auto& ahead = state.ahead.numbers();
  bool lost = std::any_of(ahead.begin(), ahead.end(), is_lost);
  state.queue.for_each([&](const PreexecutedInstruction& instruction) {
    for (const PreexecutedResult& result : instruction.results)
      lost = lost || is_lost(result.renamed);
  });
  return lost;
}

WarpSet ResultReuse::set_free_registers(std::uint32_t free) {
  const bool are_taken_back = free < free_;
  free_ = free;
  registers_.set_free(free);
  WarpSet losers = 0;
  if (!are_taken_back) return losers;
  for_each_warp(live_, [&](WarpSlot warp) {
    WarpState& state = warps_[warp];
    move_back(warp, state);
    if (!has_lost(state)) return;
    losers |= set_of(warp);
    clear_queue(state);
    release_table(state.ahead);
    state.is_closed = true;
  });
  return losers;
}

void ResultReuse::Counters::declare(CounterList& counters) {
  counters.add("reused", reused, "instructions",
               "not executed, because their results had been computed ahead");
  counters.add("preloads", preloads, "instructions",
               "issued ahead as preloads: loads that only fetch their lines");
  counters.add("renamings", renamings, "results",
               "renamed: when they are computed ahead, and when they are reused");
  counters.add("queue_accesses", queue_accesses, "entries",
               "written to a queue of results ahead, or taken from it");
  counters.add("queue_misses", queue_misses, "instructions",
               "compared with the head of a queue that was another instruction");
  counters.add("renaming_lookups", renaming_lookups, "sources",
               "looked up in a renaming table that had entries");
  counters.add("not_queued", not_queued, "instructions",
               "executed ahead that cannot be reused: the queue is full or closed");
  counters.add("late", late, "instructions",
               "executed again, because their result was on its way, and its arrival not known");
  counters.add("dropped", dropped, "instructions",
               "dropped from a queue: another wait began, the warp ended, or a block took a "
               "register");
  counters.add("moved", moved, "registers",
               "moved to their own places, because a block took the renaming register");
  counters.add("wrong_results", wrong_results, "results",
               "reused with another value than the program computes: always 0");
}

void ResultReuse::declare(CounterList& counters) {
  counters_.declare(counters);
  registers_.declare(counters);
}

}  // namespace heddle::sm
