#include "sm/memory/atomics_in_flight.h"

namespace heddle::sm {

std::uint32_t AtomicsInFlight::add(exec::Warp& static_warp) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(atomics_.size()));
    atomics_.push_back(std::make_unique<InFlightAtomic>());
  }
  const std::uint32_t number = free_.back();
  free_.pop_back();
  atomics_[number]->static_warp = &static_warp;
  atomics_[number]->performed.store(0, std::memory_order_relaxed);
  return number;
}

void AtomicsInFlight::mark_sent(WarpSlot warp, std::uint32_t first_atomic) {
  for (std::uint32_t i = first_atomic; i != kNoAtomic; i = atomics_[i]->next_of_instruction) {
    atomics_[i]->next = first_atomics_[warp];
    first_atomics_[warp] = i;
    in_flight_ |= set_of(warp);
  }
}

void AtomicsInFlight::retire(WarpSlot warp, std::uint32_t first_atomic) {
  for (std::uint32_t i = first_atomic; i != kNoAtomic;) {
    InFlightAtomic& atomic = *atomics_[i];
    atomic.work.deliver(atomic.static_warp->context);
    std::uint32_t* link = &first_atomics_[warp];
    while (*link != i) link = &atomics_[*link]->next;
    *link = atomic.next;
    free_.push_back(i);
    i = atomic.next_of_instruction;
  }
  if (first_atomics_[warp] == kNoAtomic) in_flight_ &= ~set_of(warp);
}

std::vector<exec::AtomicInFlight> AtomicsInFlight::in_flight() const {
  std::vector<exec::AtomicInFlight> found;
  for_each_warp(in_flight_, [&](WarpSlot warp) {
    for (std::uint32_t i = first_atomics_[warp]; i != kNoAtomic; i = atomics_[i]->next) {
      found.push_back({.atomic = &atomics_[i]->work,
                       .static_warp = atomics_[i]->static_warp,
                       .performed_lanes = LaneMask(atomics_[i]->performed.load())});
    }
  });
  return found;
}

bool AtomicsInFlight::overlaps(WarpSlot warp, const exec::Warp& static_warp,
                               std::uint32_t bytes_per_lane) const {
  const exec::WarpContext& context = static_warp.context;
  for (std::uint32_t i = first_atomics_[warp]; i != kNoAtomic; i = atomics_[i]->next) {
    if (atomics_[i]->static_warp != &static_warp) continue;
    const exec::DeferredAtomic& atomic = atomics_[i]->work;
    LaneMask both(context.active & atomic.lanes().bits());
    for (; !both.empty(); both = both.without_lowest()) {
      const auto lane = static_cast<std::size_t>(both.lowest());
      const std::uint64_t address = context.address()[lane];
      const std::uint64_t atomic_address = atomic.addresses()[lane];
      if (address < atomic_address + atomic.bytes() && atomic_address < address + bytes_per_lane) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace heddle::sm
