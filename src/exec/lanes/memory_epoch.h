#pragma once

// Loads and stores of global memory with a timing model. The stores of a multiprocessor are
// buffered until the end of the epoch, a span of simulated cycles: other multiprocessors see them
// only then (exec/memory/epoch_stores.h).

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "exec/lanes/lanes.h"
#include "exec/lanes/memory_elements.h"
#include "exec/memory/epoch_stores.h"
#include "exec/memory/memory_access.h"

namespace heddle::exec::HEDDLE_LANES {

/// A buffer for the elements of all lanes. The elements of one lane are contiguous. It has space
/// for eight elements per lane, the maximum of an instruction.
template <class T>
struct ElementBuffer {
  alignas(64) std::byte bytes[32 * 8 * sizeof(T)];
};

/// Copies the elements from registers to the buffer.
template <class T>
[[gnu::always_inline]] inline void gather_elements(const ElementRegisters& elements,
                                                   ElementBuffer<T>& buffer) {
  const auto put_element = [&](std::uint32_t k, std::uint32_t count) {
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) {
      const T value = get<T>(elements.registers[k], lane);
      const std::size_t element = static_cast<std::size_t>(lane) * count + k;
      std::memcpy(buffer.bytes + element * sizeof(T), &value, sizeof value);
    }
  };
  // Most instructions have one element per lane. With a constant count, the loop has a constant
  // stride.
  if (elements.count == 1) return put_element(0, 1);
  for (std::uint32_t k = 0; k < elements.count; ++k) put_element(k, elements.count);
}

template <class T>
[[gnu::noinline]] void store_in_epoch(const WarpContext& context, const Placement& placement,
                                      const ElementRegisters& elements) {
  ElementBuffer<T> buffer;
  gather_elements(elements, buffer);
  const auto bytes = static_cast<std::uint32_t>(elements.count * sizeof(T));
  const std::uint64_t* const address = context.address().data();
  EpochStores& stores = *context.memory.stores;
  if (placement.unit_stride) {
    stores.write(address[0], buffer.bytes, 32 * bytes);
  } else {
    // If all lanes have the same address, only the value of the highest lane is stored.
    const std::uint32_t lanes = placement.uniform
                                    ? std::uint32_t{1} << (31 - __builtin_clz(placement.lanes))
                                    : placement.lanes;
    stores.write_lanes(address, lanes, buffer.bytes, bytes);
  }
}

/// Loads data of which some bytes may be in memory, and some in the buffered stores.
template <class T, int kWidth>
[[gnu::noinline]] void load_composed(const WarpContext& context, const Placement& placement,
                                     const ElementRegisters& elements) {
  ElementBuffer<T> buffer;
  const auto bytes = static_cast<std::uint32_t>(elements.count * sizeof(T));
  const std::uint64_t* const address = context.address().data();
  const EpochStores& stores = *context.memory.stores;
  if (placement.unit_stride) {
    stores.read(*context.memory.global, address[0], buffer.bytes, 32 * bytes);
  } else {
    stores.read_lanes(*context.memory.global, address, placement.lanes, buffer.bytes, bytes);
  }
  std::uint64_t offset[32];
  for (std::uint32_t lane = 0; lane < 32; ++lane) offset[lane] = lane * bytes;
  load_linear<T, kWidth>(offset,
                         {.lanes = placement.lanes,
                          .unit_stride = placement.lanes == kAllLanes,
                          .host = reinterpret_cast<std::uintptr_t>(buffer.bytes)},
                         elements);
}

/// Loads directly from memory if no buffered store can be to the same lines.
template <class T, int kWidth>
[[gnu::always_inline]] inline void load_in_epoch(const WarpContext& context,
                                                 const Placement& placement,
                                                 const ElementRegisters& elements) {
  const StoreFilter& filter = context.memory.stores->filter();
  const std::uint64_t* const address = context.address().data();
  const bool may_be_buffered =
      placement.unit_stride ? filter.may_have_range(address[0], elements.count * sizeof(T) * 32)
      : placement.uniform   ? filter.may_have(address[0] / StoreFilter::kLineBytes)
                            : filter.may_have_any(address);
  if (may_be_buffered) [[unlikely]] {
    load_composed<T, kWidth>(context, placement, elements);
  } else {
    load_elements<T, kWidth>(context, placement, elements);
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
