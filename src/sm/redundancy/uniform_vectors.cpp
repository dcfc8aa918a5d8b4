#include "sm/redundancy/uniform_vectors.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "sm/sm_description.h"

namespace heddle::sm {
namespace {

bool is_register(std::uint16_t number) { return number < kFirstPredicate; }

/// The registers that the instruction reads as sources: without the guard's predicate, which only
/// decides which lanes are active.
std::span<const std::uint16_t> sources_of(const PassValues& pass) {
  const auto reads = pass.reads();
  return pass.instruction().reads_guard_last ? reads.first(reads.size() - 1) : reads;
}

bool are_uniform(std::span<const std::uint16_t> numbers,
                 const std::array<UniformContent, kScoreboardEntries>& contents) {
  return std::all_of(numbers.begin(), numbers.end(), [&](std::uint16_t number) {
    return contents[number] != UniformContent::different;
  });
}

/// Whether uniform sources make the instruction uniform. Memory instructions and branches are not
/// uniform vector instructions (section 2.2).
bool can_be_uniform(const IssueInfo& info) {
  return info.kind == InstructionKind::arithmetic &&
         (info.is_repeatable || info.reads_warp_special);
}

/// Whether the memory has a path that broadcasts one word to all lanes.
bool has_broadcast(MemoryRoute route) {
  switch (route) {
    case MemoryRoute::global:
    case MemoryRoute::shared:
    case MemoryRoute::constant:
    case MemoryRoute::generic:
      return true;
    case MemoryRoute::local:
    case MemoryRoute::none:
      return false;
  }
  return false;
}

/// Whether all lanes load from one address: whether the registers of the address have equal values,
/// known to be equal or not.
bool loads_one_address(const PassValues& pass) {
  const IssueInfo& info = pass.instruction();
  if (info.kind != InstructionKind::load || !has_broadcast(info.route)) return false;
  const auto sources = sources_of(pass);
  return std::all_of(sources.begin(), sources.end(),
                     [&](std::uint16_t number) { return pass.is_uniform(number); });
}

}  // namespace

void check_uniform_vectors(const SmDescription& sm) {
  if (sm.divergence.keeps_static_warps()) return;
  throw InputError(fmt::format(
      "redundancy.policy '{}' cannot be used with divergence.policy '{}': a token describes a "
      "register of 32 consecutive threads, but this policy mixes threads of several such warps",
      sm.redundancy.policy, sm.divergence.policy));
}

void UniformCounters::declare(CounterList& counters) {
  counters.add("detected", detected, "warp instructions", "known to be uniform before they issue");
  counters.add("converted", converted, "warp instructions", "computed in one lane");
  counters.add("broadcast_loads", broadcast_loads, "warp instructions",
               "that load one address, so that their results are known to be uniform");
  counters.add("copies", copies, "warp instructions",
               "inserted to copy a uniform value into all lanes");
  counters.add("source_copies", source_copies, "warp instructions",
               "of these copies, of a register that the instruction also reads");
  counters.add("scalar.reads", scalar_reads, "registers", "read from the scalar register file");
  counters.add("scalar.writes", scalar_writes, "registers", "written to the scalar register file");
  counters.add("scalar.full", scalar_full, "warp instructions",
               "not detected because no scalar register was free");
}

UniformVectors::UniformVectors(const RedundancyDescription& description, ScalarPlace place,
                               std::optional<std::uint32_t> scalar_registers)
    : converts_(description.convert), place_(place), scalar_registers_(scalar_registers) {
  if (description.reuse_entries > 0) reuse_.emplace(description);
  if (description.detect_errors) errors_.emplace();
}

void UniformVectors::ended(HardwareWarpId hardware_warp, Cycle at) {
  Contents& contents = contents_[hardware_warp];
  for (std::size_t number = 0; number < contents.size(); ++number) {
    make_different(contents, static_cast<std::uint16_t>(number));
  }
  if (faults_) {
    for (std::uint16_t number = 0; number < kFirstPredicate; ++number) {
      end_stretch(hardware_warp, number, at, FaultInjector::SingleCopy::lost);
    }
  }
  if (errors_) errors_->ended(hardware_warp);
}

bool UniformVectors::inject(FaultInjection& injection, std::uint32_t sm) {
  if (!errors_) return false;
  faults_.emplace(injection, sm);
  return true;
}

Plan UniformVectors::plan(const PassValues& before, Cycle now) {
  const LaneMask active = before.active();
  if (active.empty()) return {};  // Nothing is written.
  Contents& contents = contents_[before.hardware_warp(active.lowest())];
  if (errors_) follow_reads(before, now);
  const auto writes = before.writes();
  Plan plan;
  bool is_uniform = active.full() && can_be_uniform(before.instruction()) &&
                    are_uniform(sources_of(before), contents);
  if (is_uniform && !take_scalars(contents, writes)) is_uniform = false;
  const Computed computed = is_uniform ? compute(before, now) : Computed::in_all_lanes;
  computed_ = computed;
  if (computed != Computed::in_all_lanes) {
    plan.slices = computed == Computed::reused ? 0 : 1;
    plan.computed_lanes = errors_ ? 2 : 1;
    plan.interval = Cycles(1);
  }
  plan_reads(before, contents, computed, plan);
  if (is_uniform) {
    plan_uniform_writes(
        before, contents,
        computed == Computed::in_all_lanes ? UniformContent::repeated : UniformContent::single,
        plan);
  } else if (active.full() && loads_one_address(before) && take_scalars(contents, writes)) {
    ++counters_.broadcast_loads;
    plan_uniform_writes(before, contents,
                        converts_ ? UniformContent::single : UniformContent::repeated, plan);
  } else {
    plan_vector_writes(before, contents, plan);
  }
  if (errors_) {
    if (before.instruction().kind == InstructionKind::arithmetic) {
      errors_->count(computed, static_cast<std::uint32_t>(active.count()));
      if (faults_) faults_->plan(before, computed, now);
    }
    follow_writes(before, contents, now);
  }
  return plan;
}

/// Takes scalar registers for those of the registers that have none. Returns false, and takes none,
/// if too few are free.
bool UniformVectors::take_scalars(const Contents& contents,
                                  std::span<const std::uint16_t> numbers) {
  const auto needed = static_cast<std::uint32_t>(
      std::count_if(numbers.begin(), numbers.end(), [&](std::uint16_t number) {
        return is_register(number) && contents[number] == UniformContent::different;
      }));
  if (scalar_registers_ && scalars_in_use_ + needed > *scalar_registers_) {
    ++counters_.scalar_full;
    return false;
  }
  scalars_in_use_ += needed;
  return true;
}

void UniformVectors::make_different(Contents& contents, std::uint16_t number) {
  UniformContent& content = contents[number];
  if (is_register(number) && content != UniformContent::different) --scalars_in_use_;
  content = UniformContent::different;
}

/// How a uniform instruction is computed.
Computed UniformVectors::compute(const PassValues& before, Cycle now) {
  ++counters_.detected;
  FaultInjector* const faults = faults_ ? &*faults_ : nullptr;
  if (reuse_ && reuse_->look_up(before, now, faults)) return Computed::reused;
  if (!converts_) return Computed::in_all_lanes;
  ++counters_.converted;
  return Computed::in_one_lane;
}

/// Plans the reads. An instruction that is computed in one lane reads one lane of its sources,
/// whether or not the others hold the value, too.
void UniformVectors::plan_reads(const PassValues& before, const Contents& contents,
                                Computed computed, Plan& plan) {
  const auto reads = before.reads();
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const UniformContent content = contents[reads[i]];
    const bool reads_one =
        content == UniformContent::single ||
        (content == UniformContent::repeated && computed != Computed::in_all_lanes);
    if (reads_one && is_register(reads[i])) read_single(i, plan);
  }
}

/// All results are uniform, and kept as `content` says. A predicate has its bits for all lanes in
/// one word, so it is never kept in one place only.
void UniformVectors::plan_uniform_writes(const PassValues& before, Contents& contents,
                                         UniformContent content, Plan& plan) {
  const auto writes = before.writes();
  for (std::size_t i = 0; i < writes.size(); ++i) {
    if (!is_register(writes[i])) {
      contents[writes[i]] = UniformContent::repeated;
      continue;
    }
    contents[writes[i]] = content;
    if (content == UniformContent::single) {
      write_single(i, plan);
    } else if (place_ == ScalarPlace::scalar_file) {
      ++counters_.scalar_writes;  // In addition to the vector register.
    }
  }
}

/// The lanes get different values. If not all lanes are written, and the old value is in one place
/// only, the other lanes would lose it: a move copies it into all lanes first (copy-on-write,
/// section 2.4.1). The dissertation describes this for a register that the instruction also reads.
/// The same loss threatens any register that is written in part, so all of them are copied.
void UniformVectors::plan_vector_writes(const PassValues& before, Contents& contents, Plan& plan) {
  const bool keeps_lanes = !before.active().full() && !before.instruction().leaves_undefined;
  const auto sources = sources_of(before);
  for (const std::uint16_t number : before.writes()) {
    if (keeps_lanes && contents[number] == UniformContent::single) {
      ++plan.copies;
      ++counters_.copies;
      const bool is_source = std::find(sources.begin(), sources.end(), number) != sources.end();
      counters_.source_copies += is_source ? 1 : 0;
    }
    make_different(contents, number);
  }
}

void UniformVectors::read_single(std::size_t position, Plan& plan) {
  if (place_ == ScalarPlace::lane) {
    plan.one_lane.reads = plan.one_lane.reads.with(position);
    return;
  }
  ++counters_.scalar_reads;
  plan.accessed.reads = plan.accessed.reads.without(position);
}

void UniformVectors::write_single(std::size_t position, Plan& plan) {
  if (errors_) errors_->count_second_copy();
  if (place_ == ScalarPlace::lane) {
    plan.one_lane.writes = plan.one_lane.writes.with(position);
    return;
  }
  ++counters_.scalar_writes;
  plan.accessed.writes = plan.accessed.writes.without(position);
}

void UniformVectors::follow_reads(const PassValues& before, Cycle now) {
  const HardwareWarpId hardware_warp = before.hardware_warp(before.active().lowest());
  for (const std::uint16_t number : before.reads()) {
    if (!is_register(number)) continue;
    const std::span<const Stretch> stretches = errors_->read(hardware_warp, number, now);
    if (faults_) faults_->read_register(before, number, stretches, now);
  }
}

void UniformVectors::end_stretch(HardwareWarpId hardware_warp, std::uint16_t number, Cycle now,
                                 FaultInjector::SingleCopy copy) {
  const std::optional<Stretch> stretch = errors_->lives().last(hardware_warp, number, now);
  if (stretch) faults_->end_stretch(hardware_warp, number, *stretch, copy);
}

/// `contents`: after the instruction.
void UniformVectors::follow_writes(const PassValues& before, const Contents& contents, Cycle now) {
  const HardwareWarpId hardware_warp = before.hardware_warp(before.active().lowest());
  const LaneMask lanes = before.instruction().leaves_undefined ? LaneMask::all() : before.active();
  for (const std::uint16_t number : before.writes()) {
    if (!is_register(number)) continue;
    if (faults_) {
      using Copy = FaultInjector::SingleCopy;
      end_stretch(hardware_warp, number, now, lanes.full() ? Copy::lost : Copy::copied);
    }
    const Protection of_single = before.instruction().kind == InstructionKind::load
                                     ? Protection::duplicated_load
                                     : Protection::duplicated;
    errors_->write(hardware_warp, number, now, lanes,
                   contents[number] == UniformContent::single ? of_single : Protection::none);
  }
}

void UniformVectors::observe_computed(std::size_t /*pass*/, Cycle at) {
  if (reuse_) reuse_->set_computed(at);
}

void UniformVectors::observe_executed(const PassValues& after, Cycle now) {
  if (faults_ && after.instruction().kind == InstructionKind::arithmetic &&
      !after.active().empty()) {
    const auto reused = reuse_ ? reuse_->found_result(after) : ReuseBuffer::ResultWords();
    faults_->observe_executed(after, computed_, reused, now);
  }
  if (reuse_) reuse_->observe_executed(after);
  switch (after.instruction().kind) {
    case InstructionKind::arithmetic:
    case InstructionKind::load:
    case InstructionKind::store:
    case InstructionKind::atomic:
    case InstructionKind::texture:
      return;  // Planned, so its results are known.
    case InstructionKind::branch:
    case InstructionKind::barrier:
    case InstructionKind::fence:
    case InstructionKind::chip_wide:
    case InstructionKind::other:
      break;
  }
  if (after.active().empty()) return;
  Contents& contents = contents_[after.hardware_warp(after.active().lowest())];
  for (const std::uint16_t number : after.writes()) make_different(contents, number);
  if (!errors_) return;
  follow_reads(after, now);
  follow_writes(after, contents, now);
}

void UniformVectors::declare(CounterList& counters) {
  counters_.declare(counters);
  if (reuse_) counters.part("reuse", *reuse_);
  if (errors_) counters.part("errors", *errors_);
}

}  // namespace heddle::sm
