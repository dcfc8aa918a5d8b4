#include "code/placement/choose_places.h"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "code/placement/occupancy.h"
#include "code/placement/savings.h"

namespace heddle::code {
namespace {

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

  /// Whole ranges first, those of the last-result file before all; then what is left, shortened
  /// (section 6.4.5).
  std::vector<Choice> choose() {
    for (const std::size_t index : by_worth(RegisterLevel::last_result)) {
      place(index, RegisterLevel::last_result,
            static_cast<std::size_t>(savings_.last_result_entry(values_[index])));
    }
    if (operands_.empty()) return std::move(choices_);
    const std::vector<std::size_t> order = by_worth(RegisterLevel::operand);
    for (const std::size_t index : order) place_whole(index);
    if (hierarchy_.partial_ranges) {
      for (const std::size_t index : order) {
        if (!choices_[index].place.present()) place_shortened(index);
      }
    }
    return std::move(choices_);
  }

 private:
  /// The values that have no place yet and would save energy in a level, by what they save in each
  /// slot that they take (figure 6.6).
  std::vector<std::size_t> by_worth(RegisterLevel level) const {
    struct Candidate {
      double worth;
      Position at;
      std::size_t index;
    };
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Value& value = values_[i];
      if (choices_[i].place.present()) continue;
      if (level == RegisterLevel::last_result && savings_.last_result_entry(value) < 0) continue;
      const double saved = savings_.of(value, level, value.reads.size());
      if (saved <= 0) continue;
      candidates.push_back({saved / length_of(slots_[i]), value.writers[0].at, i});
    }
    std::sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
      return std::tuple(-a.worth, a.at, values_[a.index].word, a.index) <
             std::tuple(-b.worth, b.at, values_[b.index].word, b.index);
    });
    std::vector<std::size_t> order;
    order.reserve(candidates.size());
    for (const Candidate& candidate : candidates) order.push_back(candidate.index);
    return order;
  }

  static double length_of(const std::vector<Interval>& slots) {
    std::size_t length = 0;
    for (const Interval& interval : slots) length += interval.last - interval.first + 1;
    return static_cast<double>(std::max<std::size_t>(length, 1));
  }

  void place(std::size_t index, RegisterLevel level, std::size_t entry) {
    TakenSlots& taken = level == RegisterLevel::operand ? operands_[entry] : last_results_[entry];
    if (!taken.is_free(slots_[index])) return;
    taken.take(slots_[index]);
    choices_[index] = {{level, static_cast<std::uint8_t>(entry)}, values_[index].reads.size()};
  }

  void place_whole(std::size_t index) {
    for (std::size_t entry = 0; entry < operands_.size() && !choices_[index].place.present();
         ++entry) {
      place(index, RegisterLevel::operand, entry);
    }
  }

  /// As many of its first reads as some entry has room for, if that saves anything (section 6.4.2).
  /// Fewer reads never take more room.
  void place_shortened(std::size_t index) {
    const Value& value = values_[index];
    std::size_t most = 0;
    std::size_t best = 0;
    for (std::size_t entry = 0; entry < operands_.size(); ++entry) {
      std::size_t too_many = value.reads.size();
      std::size_t fits = 0;
      while (fits + 1 < too_many) {
        const std::size_t middle = (fits + too_many) / 2;
        const bool free = operands_[entry].is_free(occupancy_.slots_of(value, middle));
        (free ? fits : too_many) = middle;
      }
      if (fits > most) {
        most = fits;
        best = entry;
      }
    }
    if (most == 0 || savings_.of(value, RegisterLevel::operand, most) <= 0) return;
    operands_[best].take(occupancy_.slots_of(value, most));
    choices_[index] = {{RegisterLevel::operand, static_cast<std::uint8_t>(best)}, most};
  }

  const std::vector<Value>& values_;
  const Hierarchy& hierarchy_;
  Savings savings_;
  Occupancy occupancy_;
  std::vector<std::vector<Interval>> slots_;  ///< By value: of its whole range.
  std::vector<Choice> choices_;
  std::vector<TakenSlots> last_results_;
  std::vector<TakenSlots> operands_;
};

}  // namespace

std::vector<Choice> choose_places(const CodeOrder& code, const std::vector<Value>& values,
                                  const Hierarchy& hierarchy) {
  return Chooser(code, values, hierarchy).choose();
}

}  // namespace heddle::code
