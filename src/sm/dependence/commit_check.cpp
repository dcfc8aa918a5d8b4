#include "sm/dependence/commit_check.h"

#include <algorithm>

#include "exec/block/warp_context.h"

namespace heddle::sm {

CommitCheck::CommitCheck() : file_(std::size_t{kMaxWarps} * kScoreboardEntries) {
  for (std::vector<Lanes>& values : entry_values_) values.resize(2);
}

void CommitCheck::start(WarpSlot warp) {
  std::fill_n(file_.begin() + static_cast<std::ptrdiff_t>(warp * kScoreboardEntries),
              kScoreboardEntries, Committed{});
  contexts_[warp] = nullptr;
  issued_[warp] = 0;
  committed_[warp] = 0;
}

void CommitCheck::begin(WarpSlot warp, const exec::WarpContext& context) {
  contexts_[warp] = &context;
  ++issued_[warp];
}

std::uint32_t CommitCheck::executed(const exec::WarpContext& context, std::uint16_t reg,
                                    std::size_t lane) {
  if (reg < kFirstPredicate) {
    return context.lanes(exec::OperandRef(exec::OperandRef::Base::registers, reg))[lane];
  }
  const exec::PredicateRef predicate(static_cast<std::uint32_t>(reg - kFirstPredicate), false);
  return context.predicate(predicate) >> lane & 1;
}

CommitCheck::Lanes CommitCheck::executed(WarpSlot warp, std::uint16_t reg) const {
  Lanes values;
  for (std::size_t lane = 0; lane < values.size(); ++lane) {
    values[lane] = executed(*contexts_[warp], reg, lane);
  }
  return values;
}

void CommitCheck::read(WarpSlot warp, std::uint16_t reg, LaneMask lanes, std::uint8_t number,
                       const CommitBoard::Entry* entry, bool has_arrived) {
  const Committed& in_file = committed_value(warp, reg);
  for (LaneMask rest = lanes; !rest.empty(); rest = rest.without_lowest()) {
    const auto lane = static_cast<std::size_t>(rest.lowest());
    const bool is_in_entry = entry != nullptr && entry->lanes.contains(rest.lowest());
    // A register that has never been written has an undefined value.
    if (!is_in_entry && !in_file.written.contains(rest.lowest())) continue;
    const std::uint32_t value =
        is_in_entry ? entry_values_[number][static_cast<std::size_t>(reg - entry->tag)][lane]
                    : in_file.values[lane];
    ++checked_;
    if ((is_in_entry && !has_arrived) || value != executed(*contexts_[warp], reg, lane)) ++wrong_;
  }
}

void CommitCheck::hold(WarpSlot warp, std::uint8_t number, const CommitBoard::Entry& entry) {
  for (std::uint8_t i = 0; i < entry.width; ++i) {
    entry_values_[number][i] = executed(warp, static_cast<std::uint16_t>(entry.tag + i));
  }
}

void CommitCheck::commit(WarpSlot warp, std::uint8_t number, const CommitBoard::Entry& entry) {
  for (std::uint8_t i = 0; i < entry.width; ++i) {
    write(warp, static_cast<std::uint16_t>(entry.tag + i), entry.lanes, entry_values_[number][i]);
  }
  committed_[warp] = sequence_of_[number];
}

void CommitCheck::commit_last(WarpSlot warp, std::span<const std::uint16_t> registers,
                              LaneMask lanes) {
  for (const std::uint16_t reg : registers) write(warp, reg, lanes, executed(warp, reg));
  committed_[warp] = issued_[warp];
}

void CommitCheck::write(WarpSlot warp, std::uint16_t reg, LaneMask lanes, const Lanes& values) {
  Committed& committed = file_[warp * kScoreboardEntries + reg];
  committed.written = committed.written | lanes;
  for (LaneMask rest = lanes; !rest.empty(); rest = rest.without_lowest()) {
    const auto lane = static_cast<std::size_t>(rest.lowest());
    committed.values[lane] = values[lane];
  }
}

void CommitCheck::declare(CounterList& counters) {
  counters.add("checked_values", checked_, "values",
               "of threads, read from an entry or from the committed registers, and checked");
  counters.add("wrong_values", wrong_, "values",
               "that differed from the values that the thread computes with");
}

}  // namespace heddle::sm
