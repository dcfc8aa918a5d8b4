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
    : places_per_warp_(places),
      current_(std::size_t{kMaxWarps} * kFirstPredicate),
      main_(current_.size()),
      places_(std::size_t{kMaxWarps} * places) {
  for (HardwareWarpId hardware_warp = 0; hardware_warp < kMaxWarps; ++hardware_warp)
    lose_places(hardware_warp, LaneMask::all());
}

void ValueCheck::record_write(const IssueInfo& info, const StaticWarpLanes& static_warp,
                              std::uint16_t reg) {
  fill(current(static_warp.hardware_warp, reg), static_warp.active, ++last_number_);
  if (info.leaves_undefined) {
    fill(current(static_warp.hardware_warp, reg), static_warp.path.without(static_warp.active),
         kUndefined);
  }
}

void ValueCheck::ended(HardwareWarpId hardware_warp) {
  for (std::uint16_t reg = 0; reg < kFirstPredicate; ++reg) {
    current(hardware_warp, reg) = {};
    main(hardware_warp, reg) = {};
  }
  lose_places(hardware_warp, LaneMask::all());
}

void ValueCheck::copy_to_main(HardwareWarpId hardware_warp, std::uint16_t reg, LaneMask lanes) {
  copy(current(hardware_warp, reg), main(hardware_warp, reg), lanes);
}
void ValueCheck::copy_to_place(HardwareWarpId hardware_warp, std::uint32_t number,
                               std::uint16_t reg, LaneMask lanes) {
  copy(current(hardware_warp, reg), place(hardware_warp, number), lanes);
}
void ValueCheck::main_to_place(HardwareWarpId hardware_warp, std::uint32_t number,
                               std::uint16_t reg, LaneMask lanes) {
  copy(main(hardware_warp, reg), place(hardware_warp, number), lanes);
}
void ValueCheck::place_to_main(HardwareWarpId hardware_warp, std::uint32_t number,
                               std::uint16_t reg, LaneMask lanes) {
  copy(place(hardware_warp, number), main(hardware_warp, reg), lanes);
}
void ValueCheck::place_to_place(HardwareWarpId hardware_warp, std::uint32_t from, std::uint32_t to,
                                LaneMask lanes) {
  copy(place(hardware_warp, from), place(hardware_warp, to), lanes);
}
void ValueCheck::lose_places(HardwareWarpId hardware_warp, LaneMask lanes) {
  for (std::uint32_t number = 0; number < places_per_warp_; ++number)
    fill(place(hardware_warp, number), lanes, kLost);
}

void ValueCheck::read_main(HardwareWarpId hardware_warp, std::uint16_t reg, LaneMask lanes) {
  compare(main(hardware_warp, reg), current(hardware_warp, reg), lanes);
}
void ValueCheck::read_place(HardwareWarpId hardware_warp, std::uint32_t number, std::uint16_t reg,
                            LaneMask lanes) {
  compare(place(hardware_warp, number), current(hardware_warp, reg), lanes);
}

void ValueCheck::compare(const Lanes& found, const Lanes& expected, LaneMask lanes) {
  for (; !lanes.empty(); lanes = lanes.without_lowest()) {
    const auto lane = static_cast<std::size_t>(lanes.lowest());
    if (expected[lane] == kUndefined) continue;
    ++checked_;
    if (found[lane] != expected[lane]) ++wrong_;
  }
}

void ValueCheck::declare(CounterList& counters) {
  counters.add("checked_values", checked_, "values", "of threads whose reads were checked");
  counters.add("wrong_values", wrong_, "values",
               "that came from another write than the program's, or were lost");
}

}  // namespace heddle::sm
