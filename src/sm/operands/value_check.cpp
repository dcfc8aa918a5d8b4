#include "sm/operands/value_check.h"

#include <algorithm>

namespace heddle::sm {
namespace {

template <class Lanes>
void copy(const Lanes& from, Lanes& to, LaneMask lanes) {
  for (; !lanes.empty(); lanes = lanes.without_lowest()) {
    const auto lane = static_cast<std::size_t>(lanes.lowest());
    to[lane] = from[lane];
  }
}

template <class Lanes, class Value>
void fill(Lanes& to, LaneMask lanes, Value value) {
  for (; !lanes.empty(); lanes = lanes.without_lowest()) {
    to[static_cast<std::size_t>(lanes.lowest())] = value;
  }
}

}  // namespace

ValueCheck::ValueCheck(std::uint32_t places)
    : count_(places),
      current_(std::size_t{kMostWarps} * kFirstPredicate),
      main_(current_.size()),
      places_(std::size_t{kMostWarps} * places) {
  for (WarpSlot home = 0; home < kMostWarps; ++home) lose_places(home, LaneMask::all());
}

void ValueCheck::written(const IssueInfo& info, const RowLanes& row, std::uint16_t word) {
  fill(current(row.home, word), row.active, ++last_);
  if (info.leaves_undefined) {
    fill(current(row.home, word), row.path.without(row.active), kUndefined);
  }
}

void ValueCheck::ended(WarpSlot home) {
  for (std::uint16_t word = 0; word < kFirstPredicate; ++word) {
    current(home, word) = {};
    main(home, word) = {};
  }
  lose_places(home, LaneMask::all());
}

void ValueCheck::copy_to_main(WarpSlot home, std::uint16_t word, LaneMask lanes) {
  copy(current(home, word), main(home, word), lanes);
}
void ValueCheck::copy_to_place(WarpSlot home, std::uint32_t number, std::uint16_t word,
                               LaneMask lanes) {
  copy(current(home, word), place(home, number), lanes);
}
void ValueCheck::main_to_place(WarpSlot home, std::uint32_t number, std::uint16_t word,
                               LaneMask lanes) {
  copy(main(home, word), place(home, number), lanes);
}
void ValueCheck::place_to_main(WarpSlot home, std::uint32_t number, std::uint16_t word,
                               LaneMask lanes) {
  copy(place(home, number), main(home, word), lanes);
}
void ValueCheck::place_to_place(WarpSlot home, std::uint32_t from, std::uint32_t to,
                                LaneMask lanes) {
  copy(place(home, from), place(home, to), lanes);
}
void ValueCheck::lose_places(WarpSlot home, LaneMask lanes) {
  for (std::uint32_t number = 0; number < count_; ++number) fill(place(home, number), lanes, kLost);
}

void ValueCheck::read_main(WarpSlot home, std::uint16_t word, LaneMask lanes) {
  compare(main(home, word), current(home, word), lanes);
}
void ValueCheck::read_place(WarpSlot home, std::uint32_t number, std::uint16_t word,
                            LaneMask lanes) {
  compare(place(home, number), current(home, word), lanes);
}

void ValueCheck::compare(const Lanes& held, const Lanes& meant, LaneMask lanes) {
  for (; !lanes.empty(); lanes = lanes.without_lowest()) {
    const auto lane = static_cast<std::size_t>(lanes.lowest());
    if (meant[lane] == kUndefined) continue;
    ++checked_;
    if (held[lane] != meant[lane]) ++wrong_;
  }
}

void ValueCheck::declare(CounterList& counters) {
  counters.add("checked_values", checked_, "values",
               "of threads, read where they were meant to be");
  counters.add("wrong_values", wrong_, "values", "that were another write's, or not there");
}

}  // namespace heddle::sm
