#include "code/placement/occupancy.h"

#include <algorithm>

namespace heddle::code {
namespace {

/// Calls visit(index of 64 slots, those of the interval) until it returns false.
template <class Visit>
bool for_each_piece(const Interval& interval, Visit visit) {
  const Position last_piece = interval.last / 64;
  for (Position piece = interval.first / 64; piece <= last_piece; ++piece) {
    std::uint64_t bits = ~std::uint64_t{0};
    if (piece == interval.first / 64) bits &= ~std::uint64_t{0} << interval.first % 64;
    if (piece == last_piece) bits &= ~std::uint64_t{0} >> (63 - interval.last % 64);
    if (!visit(piece, bits)) return false;
  }
  return true;
}

/// The last writer from `begin` on and before `end` that leaves nothing of what was there.
const ValueWriter* last_whole_writer(const Value& value, Position begin, Position end) {
  auto after = std::lower_bound(value.writers.begin(), value.writers.end(), end,
                                [](const ValueWriter& a, Position at) { return a.at < at; });
  while (after != value.writers.begin() && (after - 1)->at >= begin) {
    --after;
    if (!after->keeps_old) return &*after;
  }
  return nullptr;
}

}  // namespace

std::vector<Interval> Occupancy::slots_of(const Value& value, std::size_t served) {
  ++call_;
  found_.clear();
  work_.clear();
  for (std::size_t i = served; i-- > 0;) {
    const Position at = value.reads[i].at;
    const bool known = !found_.empty() && found_.back().first < at && at <= found_.back().last;
    if (!known) go_back_from(value, code_.block[at], at);
  }
  while (!work_.empty()) {
    const BlockIndex block = work_.back();
    work_.pop_back();
    go_back_from(value, block, code_.first[block + 1]);
  }
  std::sort(found_.begin(), found_.end(),
            [](const Interval& a, const Interval& b) { return a.first < b.first; });
  std::vector<Interval> slots;
  for (const Interval& interval : found_) {
    if (!slots.empty() && interval.first <= slots.back().last + 1) {
      slots.back().last = std::max(slots.back().last, interval.last);
    } else {
      slots.push_back(interval);
    }
  }
  return slots;
}

/// The value is there before position `end` of the block: from a writer in it, or from all blocks
/// that lead to it. No way leads further back than to a writer: else it would not be served.
void Occupancy::go_back_from(const Value& value, BlockIndex block, Position end) {
  const Position begin = code_.first[block];
  const ValueWriter* writer = last_whole_writer(value, begin, end);
  const Position from = writer == nullptr ? begin : writer->at;
  if (from < end) found_.push_back({from, end - 1});
  if (writer != nullptr) return;
  for (const BlockIndex before : code_.control_flow.predecessors(block)) {
    if (seen_[before] == call_) continue;
    seen_[before] = call_;
    work_.push_back(before);
  }
}

bool TakenSlots::is_free(std::span<const Interval> slots) const {
  return std::all_of(slots.begin(), slots.end(), [&](const Interval& interval) {
    return for_each_piece(
        interval, [&](Position piece, std::uint64_t bits) { return (bits_[piece] & bits) == 0; });
  });
}

void TakenSlots::take(std::span<const Interval> slots) {
  for (const Interval& interval : slots) {
    for_each_piece(interval, [&](Position piece, std::uint64_t bits) {
      bits_[piece] |= bits;
      return true;
    });
  }
}

}  // namespace heddle::code
