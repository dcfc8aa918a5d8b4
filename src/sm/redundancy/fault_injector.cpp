#include "sm/redundancy/fault_injector.h"

#include <utility>

namespace heddle::sm {
namespace {

/// The lanes in which a uniform instruction is computed twice (section 2.4.4: two vector lanes).
constexpr int kFirstLane = 0;
constexpr int kSecondLane = 1;

int nth_lane(LaneMask lanes, std::uint64_t n) {
  for (; n > 0; --n) lanes = lanes.without_lowest();
  return lanes.lowest();
}

}  // namespace

FaultInjector::FaultInjector(FaultInjection& injection, std::uint32_t sm)
    : injection_(injection), moments_(injection.moments.at(sm)) {}

/// Counts moments. If that of the fault is among them, returns how many of them precede it.
std::optional<std::uint64_t> FaultInjector::reach(FaultSite site, std::uint64_t moments) {
  const std::uint64_t first = moments_[site];
  moments_[site] += moments;
  if (!injection_.fault || injection_.fault->site != site) return std::nullopt;
  const std::uint64_t moment = injection_.fault->moment;
  if (moment < first || moment - first >= moments) return std::nullopt;
  return moment - first;
}

void FaultInjector::note(FaultFate fate, const PassValues& pass, std::uint32_t number,
                         std::uint32_t lane, Cycle now) {
  injection_.record = {.fate = fate,
                       .at = now,
                       .hardware_warp = pass.hardware_warp(pass.active().lowest()),
                       .pc = pass.pc(),
                       .number = number,
                       .lane = lane};
}

void FaultInjector::settle(FaultFate fate, const PassValues& pass, std::uint32_t number,
                           std::uint32_t lane, Cycle now) {
  note(fate, pass, number, lane, now);
  throw FaultSettled{};
}

/// A fault within a stretch is applied when the register is read, because nobody has read it since.
/// Of two copies, the one whose parity is right is used.
void FaultInjector::read_register(const PassValues& before, std::uint16_t number,
                                  std::span<const Stretch> stretches, Cycle now) {
  if (stretches.empty()) return;
  for (const Stretch& stretch : stretches) {
    if (!reach(FaultSite::registers, stretch.cycles())) continue;
    const Fault& fault = *injection_.fault;
    const auto lane = static_cast<int>(fault.lane);
    if (is_duplicated(stretch.protection)) {
      settle(FaultFate::corrected, before, number, fault.lane, now);
    }
    if (!stretch.lanes.contains(lane)) settle(FaultFate::erased, before, number, fault.lane, now);
    before.flip(number, lane, fault.bit % 32);
    note(FaultFate::propagates, before, number, fault.lane, now);
  }
  const Stretch& last = stretches.back();
  if (is_duplicated(last.protection) && reach(FaultSite::scalars, last.cycles())) {
    settle(FaultFate::corrected, before, number, 0, now);
  }
}

/// Does not end the run: a warp may end between epochs, when no multiprocessor runs.
void FaultInjector::end_stretch(HardwareWarpId hardware_warp, std::uint16_t number,
                                const Stretch& stretch, SingleCopy copy) {
  if (!is_duplicated(stretch.protection)) return;
  if (!reach(FaultSite::scalars, stretch.cycles())) return;
  injection_.record = {
      .fate = copy == SingleCopy::copied ? FaultFate::corrected : FaultFate::erased,
      .at = stretch.end,
      .hardware_warp = hardware_warp,
      .number = number};
}

/// An instruction that is not computed in all lanes is executed for all of them.
void FaultInjector::plan(const PassValues& before, Computed computed, Cycle now) {
  const auto operations = static_cast<std::uint64_t>(before.active().count());
  const auto offset = reach(FaultSite::lanes, operations);
  if (!offset) return;
  const int lane = nth_lane(before.active(), *offset);
  if (computed == Computed::reused) {
    settle(FaultFate::avoided, before, 0, static_cast<std::uint32_t>(lane), now);
  }
  hit_lane_ = lane;
}

/// The simulator executes an instruction even if its result is reused. After a fault, the executed
/// result can be another one: without redundancy.convert, a uniform register has a copy in each
/// lane, and the buffer is searched for that of one lane.
void FaultInjector::observe_executed(const PassValues& after, Computed computed,
                                     std::span<const std::uint32_t> reused, Cycle now) {
  if (hit_lane_) flip_result(after, computed, *hit_lane_, now);
  hit_lane_.reset();
  if (injection_.record.fate != FaultFate::propagates) return;
  const auto writes = after.writes();
  for (std::size_t i = 0; i < reused.size(); ++i) {
    for (int lane = 0; lane < kWarpSize; ++lane) after.set_value(writes[i], lane, reused[i]);
  }
}

void FaultInjector::flip_result(const PassValues& after, Computed computed, int lane, Cycle now) {
  const bool is_compared = computed == Computed::in_one_lane;
  if (is_compared) lane = kFirstLane;
  const auto where = static_cast<std::uint32_t>(lane);
  const auto writes = after.writes();
  if (writes.empty()) settle(FaultFate::erased, after, 0, where, now);
  const std::uint16_t number = writes[injection_.fault->value % writes.size()];
  after.flip(number, lane, injection_.fault->bit % 32);
  if (is_compared && after.value(number, kFirstLane) != after.value(number, kSecondLane)) {
    settle(FaultFate::detected, after, number, where, now);
  }
  note(FaultFate::propagates, after, number, where, now);
}

/// If the parity is wrong, the instruction is executed, and the entry is written anew.
void FaultInjector::use_entry(const PassValues& before, std::size_t entry, EntryUse use,
                              Cycle now) {
  if (entries_since_.size() <= entry) entries_since_.resize(entry + 1, Cycle::never());
  const Cycle since = std::exchange(entries_since_[entry], now);
  if (since == Cycle::never() || !reach(FaultSite::entries, (now - since).count)) return;
  settle(use == EntryUse::found ? FaultFate::corrected : FaultFate::erased, before,
         static_cast<std::uint32_t>(entry), 0, now);
}

}  // namespace heddle::sm
