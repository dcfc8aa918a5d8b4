#include "sm/redundancy/register_lives.h"

#include <algorithm>

namespace heddle::sm {
namespace {

/// Joins stretches that differ only in time. They follow one another without a gap.
void join_equal(std::vector<Stretch>& stretches) {
  const auto joins = [](Stretch& a, const Stretch& b) {
    if (a.lanes != b.lanes || a.protection != b.protection) return false;
    a.end = b.end;
    return true;
  };
  std::size_t count = 0;
  for (const Stretch& stretch : stretches) {
    if (count == 0 || !joins(stretches[count - 1], stretch)) stretches[count++] = stretch;
  }
  stretches.resize(count);
}

}  // namespace

std::span<const Stretch> RegisterLives::read(HardwareWarpId hardware_warp, std::uint16_t number,
                                             Cycle now) {
  Register& entry = registers_[hardware_warp][number];
  read_.assign(entry.kept.begin(), entry.kept.end());
  entry.kept.clear();
  if (const auto stretch = last(hardware_warp, number, now)) {
    read_.push_back(*stretch);
    entry.since = now;
  }
  return read_;
}

void RegisterLives::write(HardwareWarpId hardware_warp, std::uint16_t number, Cycle now,
                          LaneMask lanes, Protection protection) {
  Register& entry = registers_[hardware_warp][number];
  if (const auto stretch = last(hardware_warp, number, now)) {
    if (stretch->cycles() > 0) entry.kept.push_back(*stretch);
  }
  for (Stretch& stretch : entry.kept) stretch.lanes = stretch.lanes.without(lanes);
  std::erase_if(entry.kept, [](const Stretch& stretch) { return stretch.lanes.empty(); });
  join_equal(entry.kept);
  entry.since = now;
  entry.protection = protection;
}

std::optional<Stretch> RegisterLives::last(HardwareWarpId hardware_warp, std::uint16_t number,
                                           Cycle now) const {
  const Register& entry = registers_[hardware_warp][number];
  if (entry.since == Cycle::never()) return std::nullopt;
  return Stretch{
      .begin = entry.since, .end = std::max(entry.since, now), .protection = entry.protection};
}

void RegisterLives::ended(HardwareWarpId hardware_warp) {
  for (Register& entry : registers_[hardware_warp]) {
    entry.since = Cycle::never();
    entry.protection = Protection::none;
    entry.kept.clear();
  }
}

}  // namespace heddle::sm
