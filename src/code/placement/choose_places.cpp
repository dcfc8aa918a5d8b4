#include "code/placement/choose_places.h"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include "code/placement/occupancy.h"
#include "code/placement/savings.h"

namespace heddle::code {
namespace {

/// The maximum number of words of a last-result file.
constexpr std::size_t kLastResultEntries = 3;

class Chooser {
 public:
  Chooser(const CodeOrder& code, const std::vector<Value>& values, const Hierarchy& hierarchy)
      : values_(values),
        hierarchy_(hierarchy),
        savings_(code, hierarchy),
        occupancy_(code),
        slots_(values.size()),
        choices_(values.size()),
        last_results_(kLastResultEntries, TakenSlots(code.size())),
        operands_(hierarchy.operand_entries, TakenSlots(code.size())) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      slots_[i] = occupancy_.slots_of(values[i], values[i].reads.size());
    }
  }

  /// Places values in the last-result file first, which serves all reads of a value or none. The
  /// remaining values compete for the operand file (section 6.4.5). If a value does not fit there,
  /// the operand file may serve fewer of its reads.
  std::vector<Choice> choose() {
    Queue queue = by_savings(RegisterLevel::last_result);
    for (; !queue.empty(); queue.pop()) place_in_last_result(queue.top());
    queue = by_savings(RegisterLevel::operand);
    while (!queue.empty()) {
      const Candidate candidate = queue.top();
      queue.pop();
      if (!place_in_operands(candidate) && hierarchy_.partial_ranges) shorten(candidate, queue);
    }
    for (const Candidate& candidate : too_long_) place_shortened(candidate);
    return std::move(choices_);
  }

 private:
  /// A value for which a place is sought that serves its first `served` reads.
  struct Candidate {
    double worth = 0;  ///< The energy saved per occupied issue slot (figure 6.6).
    Position at = 0;   ///< The position of the value's first writer.
    std::uint16_t word = 0;
    std::size_t index = 0;  ///< Index into values_.
    std::size_t served = 0;

    /// The queue's top has the highest worth; among those of equal worth, the lowest position.
    bool operator<(const Candidate& other) const {
      return std::tuple(worth, other.at, other.word, other.index) <
             std::tuple(other.worth, at, word, index);
    }
  };
  using Queue = std::priority_queue<Candidate>;

  /// The values that have no place yet and would save energy in `level`.
  Queue by_savings(RegisterLevel level) const {
    Queue queue;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Value& value = values_[i];
      if (choices_[i].place.present()) continue;
      if (level == RegisterLevel::last_result && savings_.last_result_entry(value) < 0) continue;
      add_to(queue, level, i, value.reads.size(), slots_[i]);
    }
    return queue;
  }

  /// Adds a candidate that occupies `slots`, if `level` would save energy.
  void add_to(Queue& queue, RegisterLevel level, std::size_t index, std::size_t served,
              const std::vector<Interval>& slots) const {
    const Value& value = values_[index];
    const double saved = savings_.energy_saved(value, level, served);
    if (saved <= 0) return;
    std::size_t length = 0;
    for (const Interval& interval : slots) length += interval.last - interval.first + 1;
    queue.push(
        {saved / static_cast<double>(length), value.writers[0].at, value.word, index, served});
  }

  void place_in_last_result(const Candidate& candidate) {
    const int entry = savings_.last_result_entry(values_[candidate.index]);
    TakenSlots& taken = last_results_[static_cast<std::size_t>(entry)];
    if (!taken.is_free(slots_[candidate.index])) return;
    taken.take(slots_[candidate.index]);
    choices_[candidate.index] = {{RegisterLevel::last_result, static_cast<std::uint8_t>(entry)},
                                 candidate.served};
  }

  bool place_in_operands(const Candidate& candidate) {
    for (std::size_t entry = 0; entry < operands_.size(); ++entry) {
      if (!operands_[entry].is_free(slots_[candidate.index])) continue;
      operands_[entry].take(slots_[candidate.index]);
      choices_[candidate.index] = {{RegisterLevel::operand, static_cast<std::uint8_t>(entry)},
                                   candidate.served};
      return true;
    }
    return false;
  }

  /// Tries a candidate that does not fit with fewer reads, now or later.
  void shorten(const Candidate& candidate, Queue& queue) {
    switch (hierarchy_.shortened_order) {
      case ShortenedOrder::by_savings:
        if (const std::size_t most = shorten_to_fit(candidate); most != 0) {
          add_to(queue, RegisterLevel::operand, candidate.index, most, slots_[candidate.index]);
        }
        return;
      case ShortenedOrder::immediate:
        return place_shortened(candidate);
      case ShortenedOrder::last:
        too_long_.push_back(candidate);
        return;
    }
  }

  void place_shortened(Candidate candidate) {
    candidate.served = shorten_to_fit(candidate);
    if (candidate.served == 0) return;
    const Value& value = values_[candidate.index];
    if (savings_.energy_saved(value, RegisterLevel::operand, candidate.served) > 0) {
      place_in_operands(candidate);
    }
  }

  /// Returns the maximum number of reads, from the first on, for which some entry is free now; 0 if
  /// there is none. Sets slots_ accordingly. Fewer reads never occupy more slots, so a binary
  /// search finds the number.
  std::size_t shorten_to_fit(const Candidate& candidate) {
    const Value& value = values_[candidate.index];
    std::size_t most = 0;
    for (const TakenSlots& entry : operands_) {
      std::size_t too_many = candidate.served;
      while (most + 1 < too_many) {
        const std::size_t middle = (most + too_many) / 2;
        (entry.is_free(occupancy_.slots_of(value, middle)) ? most : too_many) = middle;
      }
    }
    if (most != 0) slots_[candidate.index] = occupancy_.slots_of(value, most);
    return most;
  }

  const std::vector<Value>& values_;
  const Hierarchy& hierarchy_;
  Savings savings_;
  Occupancy occupancy_;
  std::vector<std::vector<Interval>> slots_;  ///< By value: the slots that it would occupy.
  std::vector<Choice> choices_;               ///< By value.
  std::vector<TakenSlots> last_results_;      ///< By entry of the last-result file.
  std::vector<TakenSlots> operands_;          ///< By entry of the operand file.
  std::vector<Candidate> too_long_;  ///< Candidates to shorten after all others have been tried.
};

}  // namespace

std::vector<Choice> choose_places(const CodeOrder& code, const std::vector<Value>& values,
                                  const Hierarchy& hierarchy) {
  return Chooser(code, values, hierarchy).choose();
}

}  // namespace heddle::code
