#pragma once

// These functions move the elements of loads and stores between registers and memory. The addresses
// of the lanes must have been computed and checked (memory_address.h).

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "exec/lanes/lanes.h"
#include "exec/lanes/memory_address.h"
#include "exec/memory/memory_access.h"

namespace heddle::exec::HEDDLE_LANES {

/// Writes a lane's value to one or two registers if the lane is in the mask `lanes`. Uses only
/// arithmetic that every compiler vectorises.
template <class Bits>
[[gnu::always_inline]] inline void blend(std::uint32_t lanes, std::uint32_t* out, int lane,
                                         Bits value) {
  const std::uint32_t keep = (lanes >> lane & 1) - 1;
  out[lane] = (out[lane] & keep) | (static_cast<std::uint32_t>(value) & ~keep);
  if constexpr (sizeof(Bits) == 8) {
    out[lane + 32] = (out[lane + 32] & keep) | (static_cast<std::uint32_t>(value >> 32) & ~keep);
  }
}

template <class T>
[[gnu::always_inline]] inline T read_host(std::uintptr_t address) {
  T value;
  std::memcpy(&value, reinterpret_cast<const std::byte*>(address), sizeof value);
  return value;
}

template <class T>
[[gnu::always_inline]] inline void write_host(std::uintptr_t address, T value) {
  std::memcpy(reinterpret_cast<std::byte*>(address), &value, sizeof value);
}

/// Reads a T at a byte offset in the local memory of one lane (layout: MemoryView::local).
template <class T>
[[gnu::always_inline]] inline T read_local(const std::uint32_t* local, std::uint64_t offset,
                                           int lane) {
  const std::uint32_t* const word = local + offset / 4 * 32 + lane;
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(std::uint64_t{word[0]} | std::uint64_t{word[32]} << 32);
  } else {
    return static_cast<T>(*word >> (offset % 4 * 8));
  }
}

template <class T>
[[gnu::always_inline]] inline void write_local(std::uint32_t* local, std::uint64_t offset, int lane,
                                               T value) {
  std::uint32_t* const word = local + offset / 4 * 32 + lane;
  if constexpr (sizeof(T) == 8) {
    word[0] = static_cast<std::uint32_t>(value);
    word[32] = static_cast<std::uint32_t>(value >> 32);
  } else if constexpr (sizeof(T) == 4) {
    *word = value;
  } else {
    const auto shift = static_cast<unsigned>(offset % 4 * 8);
    const std::uint32_t mask = std::uint32_t{static_cast<T>(~0U)} << shift;
    *word = (*word & ~mask) | std::uint32_t{value} << shift;
  }
}

/// The value as stored in kWidth registers (1 or 2): sign-extended if T is signed, else
/// zero-extended.
template <int kWidth, class T>
[[gnu::always_inline]] inline auto extend(T value) {
  if constexpr (kWidth == 2) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  } else {
    return static_cast<std::uint32_t>(static_cast<std::int32_t>(value));
  }
}

/// Calls visit(lane) for all lanes, in ascending order. The loop is unrolled, because the compiler
/// does not unroll loops that it cannot vectorise.
template <class Visit>
[[gnu::always_inline]] inline void for_all_lanes(Visit visit) {
  for (int lane = 0; lane < 32; lane += 4) {
    visit(lane);
    visit(lane + 1);
    visit(lane + 2);
    visit(lane + 3);
  }
}

/// The registers of the elements of a load or store; null for an element of a load without a
/// destination.
struct ElementRegisters {
  std::uint32_t* registers[8];
  std::uint32_t count;
};

/// Loads from memory other than local memory.
template <class T, int kWidth>
void load_linear(const std::uint64_t* address, const Placement& placement,
                 const ElementRegisters& elements) {
  for (std::uint32_t k = 0; k < elements.count; ++k) {
    std::uint32_t* const out = elements.registers[k];
    if (out == nullptr) continue;
    const std::uintptr_t host = placement.host + k * sizeof(T);
    if (placement.lanes != kAllLanes) {
      for_each_lane(placement.lanes, [=](int lane) {
        put(out, lane, extend<kWidth>(read_host<T>(host + address[lane])));
      });
    } else if (placement.uniform) {
      const auto value = extend<kWidth>(read_host<T>(host + address[0]));
      for (int lane = 0; lane < 32; ++lane) put(out, lane, value);
    } else if (placement.unit_stride && elements.count == 1) {
      const std::uintptr_t first = host + address[0];
      HEDDLE_LANE_LOOP
      for (int lane = 0; lane < 32; ++lane) {
        const std::uintptr_t at = first + static_cast<unsigned>(lane) * sizeof(T);
        put(out, lane, extend<kWidth>(read_host<T>(at)));
      }
    } else {
      for_all_lanes(
          [=](int lane) { put(out, lane, extend<kWidth>(read_host<T>(host + address[lane]))); });
    }
  }
}

template <class T, int kWidth>
void load_local(const WarpContext& context, const Placement& placement,
                const ElementRegisters& elements) {
  const std::uint32_t* const local = context.memory.local;
  const std::uint32_t lanes = placement.lanes;
  for (std::uint32_t k = 0; k < elements.count; ++k) {
    std::uint32_t* const out = elements.registers[k];
    if (out == nullptr) continue;
    const std::uint64_t base = placement.host + k * sizeof(T);
    if (placement.uniform) {
      const std::uint64_t offset = base + context.address()[0];
      HEDDLE_LANE_LOOP
      for (int lane = 0; lane < 32; ++lane) {
        const T value = read_local<T>(local, offset, lane);
        blend(lanes, out, lane, extend<kWidth>(value));
      }
    } else {
      const std::uint64_t* const address = context.address().data();
      const auto move = [=](int lane) {
        put(out, lane, extend<kWidth>(read_local<T>(local, base + address[lane], lane)));
      };
      if (lanes == kAllLanes) {
        for_all_lanes(move);
      } else {
        for_each_lane(lanes, move);
      }
    }
  }
}

template <class T, int kWidth>
[[gnu::noinline]] void load_elements(const WarpContext& context, const Placement& placement,
                                     const ElementRegisters& elements) {
  placement.local ? load_local<T, kWidth>(context, placement, elements)
                  : load_linear<T, kWidth>(context.address().data(), placement, elements);
}

template <class T>
[[gnu::noinline]] void store_elements(const WarpContext& context, const Placement& placement,
                                      const ElementRegisters& elements) {
  const std::uint64_t* const address = context.address().data();
  std::uint32_t* const local = context.memory.local;
  for (std::uint32_t k = 0; k < elements.count; ++k) {
    const std::uint32_t* const in = elements.registers[k];
    const std::uintptr_t host = placement.host + k * sizeof(T);
    if (!placement.local && placement.unit_stride && elements.count == 1) {
      const std::uintptr_t first = host + address[0];
      HEDDLE_LANE_LOOP
      for (int lane = 0; lane < 32; ++lane) {
        write_host(first + static_cast<unsigned>(lane) * sizeof(T), get<T>(in, lane));
      }
    } else if (!placement.local && placement.lanes == kAllLanes) {
      for_all_lanes([=](int lane) { write_host(host + address[lane], get<T>(in, lane)); });
    } else if (placement.local && placement.uniform && placement.lanes == kAllLanes) {
      const std::uint64_t offset = host + address[0];
      HEDDLE_LANE_LOOP
      for (int lane = 0; lane < 32; ++lane) write_local(local, offset, lane, get<T>(in, lane));
    } else {
      for_each_lane(placement.lanes, [=, &placement](int lane) {
        const std::uintptr_t at = host + address[lane];
        const T value = get<T>(in, lane);
        placement.local ? write_local(local, at, lane, value) : write_host(at, value);
      });
    }
  }
}

}  // namespace heddle::exec::HEDDLE_LANES
