#include "code/placement/occupancy.h"

#include <algorithm>

namespace heddle::code {
namespace {

/// Calls visit(index, mask) for each 64-bit word of a bit vector that has slots of the interval,
/// with the mask of these slots. Stops and returns false if visit returns false.
template <class Visit>
bool for_each_word(const Interval& interval, Visit visit) {
  const Position last_word = interval.last / 64;
  for (Position word = interval.first / 64; word <= last_word; ++word) {
    std::uint64_t bits = ~std::uint64_t{0};
    if (word == interval.first / 64) bits &= ~std::uint64_t{0} << interval.first % 64;
    if (word == last_word) bits &= ~std::uint64_t{0} >> (63 - interval.last % 64);
    if (!visit(word, bits)) return false;
  }
  return true;
}

/// The last writer in [begin, end) that overwrites the old value in all threads; null if there is
/// none.
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
  ++call_number_;
  found_.clear();
  work_.clear();
  for (std::size_t i = served; i-- > 0;) {
    const Position at = value.reads[i].at;
    const bool known = !found_.empty() && found_.back().first < at && at <= found_.back().last;
    if (!known) trace_back(value, code_.block_of[at], at);
  }
  while (!work_.empty()) {
    const BlockIndex block = work_.back();
    work_.pop_back();
    trace_back(value, block, code_.first_position[block + 1]);
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

/// Adds the interval in which the value occupies its place before position `end` of the block. The
/// interval begins at a writer in the block, if there is one. Otherwise the value comes from all
/// predecessors. Every path back ends at a writer, because otherwise the read could not be served.
void Occupancy::trace_back(const Value& value, BlockIndex block, Position end) {
  const Position begin = code_.first_position[block];
  const ValueWriter* writer = last_whole_writer(value, begin, end);
  const Position from = writer == nullptr ? begin : writer->at;
  if (from < end) found_.push_back({from, end - 1});
  if (writer != nullptr) return;
  for (const BlockIndex before : code_.control_flow.predecessors(block)) {
    if (seen_[before] == call_number_) continue;
    seen_[before] = call_number_;
    work_.push_back(before);
  }
}

bool TakenSlots::is_free(std::span<const Interval> slots) const {
  return std::all_of(slots.begin(), slots.end(), [&](const Interval& interval) {
    return for_each_word(
        interval, [&](Position word, std::uint64_t bits) { return (bits_[word] & bits) == 0; });
  });
}

void TakenSlots::take(std::span<const Interval> slots) {
  for (const Interval& interval : slots) {
    for_each_word(interval, [&](Position word, std::uint64_t bits) {
      bits_[word] |= bits;
      return true;
    });
  }
}

}  // namespace heddle::code
