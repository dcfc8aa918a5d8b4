#include "sm/redundancy/reuse_buffer.h"

#include <algorithm>
#include <optional>

namespace heddle::sm {
namespace {

constexpr std::uint32_t kPartialPcs = 1 << 10;  // 10 bits of the program counter (section 2.5).

std::uint64_t predicate_value(const code::Operand& operand, const PassValues& values, int lane) {
  const auto number = static_cast<std::uint16_t>(kFirstPredicate + operand.index);
  return values.value(number, lane) ^ (operand.negated ? 1U : 0U);
}

/// The part of the block's number that a read of a special register reads. Not present if the
/// instruction is another one.
std::optional<std::uint32_t> block_number(const PassValues& before) {
  if (before.code().operation != code::Operation::read_special) return std::nullopt;
  switch (before.code().special) {
    case code::Special::block_x:
      return before.identity().block_x;
    case code::Special::block_y:
      return before.identity().block_y;
    case code::Special::block_z:
      return before.identity().block_z;
    default:
      return std::nullopt;
  }
}

/// Whether the instructions compute the same function of their sources: whether their opcodes are
/// equal.
bool have_same_opcode(const code::Instruction& a, const code::Instruction& b) {
  if (&a == &b) return true;
  if (a.operation != b.operation || a.type != b.type) return false;
  const auto without_operands = [](code::Instruction instruction) {
    instruction.guard = {};
    instruction.writes_whole = false;
    instruction.destinations = {};
    instruction.sources = {};
    instruction.ptx_line = 0;
    instruction.source = code::kNone;
    return instruction;
  };
  return without_operands(a) == without_operands(b);
}

}  // namespace

void list_reuse_buffer(config::StorageList& list) {
  list.add({.name = "reuse_buffer",
            .bits = "sm.sub_cores * redundancy.reuse_entries * (10 + 8 + 4 * "
                    "redundancy.reuse_operand_bits + "
                    "bits(redundancy.reuse_entries))",
            .meaning = "partial pc, opcode, three sources and a result, and the order of use",
            .source = "simt, section 2.5"});
}

ReuseBuffer::ReuseBuffer(const RedundancyDescription& description)
    : operand_words_(description.reuse_operand_bits / 32), entries_(description.reuse_entries) {}

/// Whether an entry has space for the instruction's sources and result.
bool ReuseBuffer::fits(const code::Instruction& instruction) const {
  if (instruction.sources.size() > kSources || instruction.destinations.size() != 1) return false;
  const auto is_small = [this](const code::Operand& operand) {
    return operand.width <= operand_words_;
  };
  return is_small(instruction.destinations[0]) &&
         std::all_of(instruction.sources.begin(), instruction.sources.end(), is_small);
}

/// Constants are compared by where they are: during a launch, they do not change.
ReuseBuffer::Source ReuseBuffer::source_of(const code::Operand& operand, const PassValues& before) {
  using Kind = code::Operand::Kind;
  const int lane = before.active().lowest();
  switch (operand.kind) {
    case Kind::none:
      return {};
    case Kind::reg:
      return {Kind::reg, before.register_value(operand, lane)};
    case Kind::predicate:
      return {Kind::predicate, predicate_value(operand, before, lane)};
    case Kind::immediate:
      return {Kind::immediate, operand.bits};
    case Kind::constant:
    case Kind::function:
      return {operand.kind, operand.index};
    case Kind::variable:
    case Kind::generic_variable:
      return {operand.kind, operand.bits ^ (std::uint64_t{operand.index} << 40)};
  }
  return {};
}

/// The entry whose partial program counter and opcode are the instruction's; null if there is none.
ReuseBuffer::Entry* ReuseBuffer::find(const PassValues& before) {
  const std::uint32_t partial_pc = before.pc() % kPartialPcs;
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.partial_pc == partial_pc && entry.code != nullptr &&
           entry.launch == before.launch() && have_same_opcode(*entry.code, before.code());
  });
  return found == entries_.end() ? nullptr : &*found;
}

bool ReuseBuffer::look_up(const PassValues& before, Cycle now, FaultInjector* faults) {
  pending_ = Pending::nothing;
  const code::Instruction& instruction = before.code();
  const std::optional<std::uint32_t> block = block_number(before);
  if ((!before.instruction().is_repeatable && !block) || !fits(instruction)) return false;
  ++counters_.lookups;
  Sources sources{};
  if (block) sources[0].value = *block;
  std::transform(instruction.sources.begin(), instruction.sources.end(), sources.begin(),
                 [&](const code::Operand& operand) { return source_of(operand, before); });
  looked_up_ = find(before);
  const bool is_found = looked_up_ != nullptr;
  if (!is_found) {
    looked_up_ =
        &*std::min_element(entries_.begin(), entries_.end(),
                           [](const Entry& a, const Entry& b) { return a.last_use < b.last_use; });
  }
  looked_up_->last_use = ++uses_;
  if (faults != nullptr) [[unlikely]] {
    using Use = FaultInjector::EntryUse;
    faults->use_entry(before, static_cast<std::size_t>(looked_up_ - entries_.data()),
                      is_found ? Use::found : Use::replaced, now);
  }
  if (is_found && looked_up_->sources == sources) {
    // While the result is computed, the instruction is computed again, for this warp only.
    if (looked_up_->has_result_from > now) return false;
    ++counters_.hits;
    pending_ = Pending::result_is_used;
    return true;
  }
  ++counters_.updates;
  pending_ = Pending::gets_result;
  *looked_up_ = {.code = &instruction,
                 .launch = before.launch(),
                 .partial_pc = before.pc() % kPartialPcs,
                 .sources = sources,
                 .last_use = looked_up_->last_use};
  return false;
}

void ReuseBuffer::set_computed(Cycle at) {
  if (pending_ == Pending::gets_result) looked_up_->has_result_from = at;
}

ReuseBuffer::ResultWords ReuseBuffer::found_result(const PassValues& after) const {
  if (pending_ != Pending::result_is_used) return {};
  const code::Operand& destination = after.code().destinations[0];
  if (destination.is_predicate()) {
    return {static_cast<std::uint32_t>(looked_up_->result) ^ (destination.negated ? 1U : 0U)};
  }
  ResultWords words{static_cast<std::uint32_t>(looked_up_->result)};
  if (destination.width == 2) words.push_back(static_cast<std::uint32_t>(looked_up_->result >> 32));
  return words;
}

void ReuseBuffer::observe_executed(const PassValues& after) {
  if (pending_ == Pending::nothing) return;
  const code::Operand& destination = after.code().destinations[0];
  const int lane = after.active().lowest();
  const std::uint64_t result = destination.is_predicate()
                                   ? predicate_value(destination, after, lane)
                                   : after.register_value(destination, lane);
  if (pending_ == Pending::gets_result) looked_up_->result = result;
  if (pending_ == Pending::result_is_used && looked_up_->result != result) {
    ++counters_.wrong_results;
  }
  pending_ = Pending::nothing;
}

void ReuseBuffer::declare(CounterList& counters) {
  counters.add("lookups", counters_.lookups, "warp instructions", "looked up in the reuse buffer");
  counters.add("hits", counters_.hits, "warp instructions",
               "whose result was in the reuse buffer, so that they skipped their unit");
  counters.add("updates", counters_.updates, "entries", "written with other sources");
  counters.add("wrong_results", counters_.wrong_results, "warp instructions",
               "whose stored result was not the computed one: 0 unless there is an error");
}

}  // namespace heddle::sm
