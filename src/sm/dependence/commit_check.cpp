#include "sm/dependence/commit_check.h"

#include <algorithm>

#include "exec/block/warp_context.h"

namespace heddle::sm {

CommitCheck::CommitCheck() : file_(std::size_t{kMostWarps} * kScoreboardEntries) {
  for (std::vector<Lanes>& words : held_) words.resize(2);
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

std::uint32_t CommitCheck::executed(const exec::WarpContext& context, std::uint16_t word,
                                    std::size_t lane) {
  if (word < kFirstPredicate) {
    return context.lanes(exec::OperandRef(exec::OperandRef::Base::registers, word))[lane];
  }
  const exec::PredicateRef predicate(static_cast<std::uint32_t>(word - kFirstPredicate), false);
  return context.predicate(predicate) >> lane & 1;
}

CommitCheck::Lanes CommitCheck::executed(WarpSlot warp, std::uint16_t word) const {
  Lanes values;
  for (std::size_t lane = 0; lane < values.size(); ++lane) {
    values[lane] = executed(*contexts_[warp], word, lane);
  }
  return values;
}

void CommitCheck::read(WarpSlot warp, std::uint16_t word, LaneMask lanes, std::uint8_t number,
                       const CommitBoard::Entry* entry, bool has_arrived) {
  const Committed& in_file = file(warp, word);
  for (LaneMask left = lanes; !left.empty(); left = left.without_lowest()) {
    const auto lane = static_cast<std::size_t>(left.lowest());
    const bool is_held = entry != nullptr && entry->lanes.contains(left.lowest());
    // A register that has never been written has an undefined value.
    if (!is_held && !in_file.written.contains(left.lowest())) continue;
    const std::uint32_t value =
        is_held ? held_[number][static_cast<std::size_t>(word - entry->tag)][lane]
                : in_file.values[lane];
    ++checked_;
    if ((is_held && !has_arrived) || value != executed(*contexts_[warp], word, lane)) ++wrong_;
  }
}

void CommitCheck::hold(WarpSlot warp, std::uint8_t number, const CommitBoard::Entry& entry) {
  for (std::uint8_t i = 0; i < entry.words; ++i) {
    held_[number][i] = executed(warp, static_cast<std::uint16_t>(entry.tag + i));
  }
}

void CommitCheck::commit(WarpSlot warp, std::uint8_t number, const CommitBoard::Entry& entry) {
  for (std::uint8_t i = 0; i < entry.words; ++i) {
    write(warp, static_cast<std::uint16_t>(entry.tag + i), entry.lanes, held_[number][i]);
  }
  committed_[warp] = sequence_of_[number];
}

void CommitCheck::commit_last(WarpSlot warp, std::span<const std::uint16_t> words, LaneMask lanes) {
  for (const std::uint16_t word : words) write(warp, word, lanes, executed(warp, word));
  committed_[warp] = issued_[warp];
}

void CommitCheck::write(WarpSlot warp, std::uint16_t word, LaneMask lanes, const Lanes& values) {
  Committed& committed = file_[warp * kScoreboardEntries + word];
  committed.written = committed.written | lanes;
  for (LaneMask left = lanes; !left.empty(); left = left.without_lowest()) {
    const auto lane = static_cast<std::size_t>(left.lowest());
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
