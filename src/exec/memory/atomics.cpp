#include "exec/memory/atomics.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "base/half.h"
#include "base/lane_mask.h"
#include "exec/block/warp_context.h"
#include "exec/fault/fault.h"
#include "exec/memory/address_space.h"
#include "exec/memory/atomic_computations.h"
#include "exec/memory/memory_access.h"

namespace heddle::exec {
namespace {

using code::Reduction;
using code::Space;

template <class T>
T read_lane(const std::uint32_t* words, std::size_t lane) {
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(std::uint64_t{words[lane]} | std::uint64_t{words[lane + 32]} << 32);
  } else {
    return static_cast<T>(words[lane]);
  }
}

template <class T>
void write_lane(std::uint32_t* words, std::size_t lane, T value) {
  words[lane] = static_cast<std::uint32_t>(value);
  if constexpr (sizeof(T) == 8) words[lane + 32] = static_cast<std::uint32_t>(value >> 32);
}

/// The registers of an atomic instruction, by element: the words of all lanes.
struct AtomicRegisters {
  std::array<const std::uint32_t*, 8> operands{};
  const std::uint32_t* second = nullptr;  ///< For compare-and-swap only.
  std::array<std::uint32_t*, 8> old{};    ///< Null if the old value is not wanted.
};

AtomicRegisters registers_of(const WarpContext& context, const Decoded& decoded) {
  const code::Instruction& instruction = context.code[decoded.index];
  const std::uint32_t count = instruction.vector_count;
  const OperandRef* const sources = sources_of(context, decoded) + 1;
  AtomicRegisters registers;
  for (std::uint32_t k = 0; k < count; ++k) registers.operands[k] = context.lanes(sources[k]);
  if (instruction.reduction == Reduction::compare_and_swap) {
    registers.second = context.lanes(sources[1]);
  }
  for (std::uint32_t k = 0; k < count && k < instruction.destinations.size(); ++k) {
    const code::Operand& operand = instruction.destinations[k];
    if (!operand.is_register()) continue;
    registers.old[k] = context.lanes(OperandRef(OperandRef::Base::registers, operand.index));
  }
  return registers;
}

/// Performs the atomic of one lane on its `count` elements. `count` is constant if there is one
/// element.
template <class T, class Computation, class Count>
[[gnu::always_inline]] inline void perform_lane(const AtomicRegisters& registers, Count count,
                                                std::size_t lane, std::byte* place,
                                                AccessTraits traits) {
  // All sources are read first: a destination may be the same register as a later element's source.
  std::array<T, 8> operands;
  for (std::uint32_t k = 0; k < count; ++k) {
    operands[k] = read_lane<T>(registers.operands[k], lane);
  }
  const T second = registers.second != nullptr ? read_lane<T>(registers.second, lane) : T{};
  for (std::uint32_t k = 0; k < count; ++k) {
    T old;
    std::memcpy(&old, place + k * sizeof(T), sizeof old);
    const T result = Computation{}(old, operands[k], second, traits);
    std::memcpy(place + k * sizeof(T), &result, sizeof result);
    if (registers.old[k] != nullptr) write_lane(registers.old[k], lane, old);
  }
}

/// Executes an atomic instruction. `Computation` is a function object that returns the new value of
/// an element. Its parameters are the old value, the operand, the second operand (for
/// compare-and-swap) and the AccessTraits. `T` is an unsigned integer of the element's size.
template <class T, class Computation>
void atomic(WarpContext& context, const Decoded& decoded) {
  if (context.active == 0) return;
  const std::uint32_t count = context.code[decoded.index].vector_count;
  const AtomicPlaces places =
      find_atomic_places(context, decoded, static_cast<std::uint32_t>(count * sizeof(T)));
  const AtomicRegisters registers = registers_of(context, decoded);
  const auto perform_lanes = [&](auto element_count) {
    for (LaneMask remaining(context.active); !remaining.empty();
         remaining = remaining.without_lowest()) {
      const auto lane = static_cast<std::size_t>(remaining.lowest());
      perform_lane<T, Computation>(registers, element_count, lane, places.host[lane],
                                   AccessTraits{(places.global_lanes >> lane & 1) != 0});
    }
  };
  if (count == 1) return perform_lanes(std::integral_constant<std::uint32_t, 1>{});
  perform_lanes(count);
}

/// Performs an atomic on global memory, without access to the warp. The parameters are as for
/// atomic().
template <class T, class Computation>
void perform(AtomicElements& elements, std::uint32_t lanes) {
  for (LaneMask remaining(lanes); !remaining.empty(); remaining = remaining.without_lowest()) {
    const auto lane = static_cast<std::size_t>(remaining.lowest());
    std::byte* const place = elements.memory + (elements.address[lane] - kGlobalBase);
    T old;
    std::memcpy(&old, place, sizeof old);
    const T result = Computation{}(old, static_cast<T>(elements.operand[lane]),
                                   static_cast<T>(elements.second[lane]), AccessTraits{true});
    std::memcpy(place, &result, sizeof result);
    elements.old[lane] = old;
  }
}

/// The two functions that perform an atomic operation. Both are null if the instruction does not
/// exist in PTX.
struct AtomicFunctions {
  Handler handler = nullptr;
  AtomicAction action = nullptr;
};

template <class T, class Computation>
AtomicFunctions functions_of(Computation) {
  static_assert(std::is_empty_v<Computation>);
  return {atomic<T, Computation>, perform<T, Computation>};
}

// -- half precision
// --------------------------------------------------------------------------------

struct Half {
  static float widen(std::uint16_t bits) { return float_of_half(bits); }
  static std::uint16_t narrow(float value) { return half_of_float(value); }
};

struct Bfloat {
  static float widen(std::uint16_t bits) { return float_of_bfloat(bits); }
  static std::uint16_t narrow(float value) { return bfloat_of_float(value); }
};

/// Addition of two half or bfloat numbers, computed in float. The sum is rounded twice: to float,
/// and to the format. A float has more than 2p + 2 binary digits, where p is the number of digits
/// of either format. The result is therefore the same as if the sum were rounded once.
template <class Format>
struct Add {
  static std::uint16_t apply(std::uint16_t a, std::uint16_t b) {
    return Format::narrow(Format::widen(a) + Format::widen(b));
  }
};

/// Minimum or maximum as in PTX: if one of the values is a NaN, the result is the other value, and
/// -0 is less than +0.
template <class Format, bool kMax>
struct Extreme {
  static std::uint16_t apply(std::uint16_t a, std::uint16_t b) {
    const float x = Format::widen(a);
    const float y = Format::widen(b);
    if (std::isnan(x) && std::isnan(y)) return 0x7fff;
    if (std::isnan(x)) return b;
    if (std::isnan(y)) return a;
    const bool a_below = x < y || (x == y && std::signbit(x));
    return a_below == kMax ? b : a;
  }
};

/// The functions that apply an operation on 16 bits to an element: to each half of 32 bits if
/// `packed` is set, else to 16 bits.
template <class Apply>
AtomicFunctions half_functions(bool packed) {
  if (packed) {
    return functions_of<std::uint32_t>([](std::uint32_t a, std::uint32_t b, std::uint32_t,
                                          AccessTraits) -> std::uint32_t {
      const auto low = Apply::apply(static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b));
      const auto high =
          Apply::apply(static_cast<std::uint16_t>(a >> 16), static_cast<std::uint16_t>(b >> 16));
      return std::uint32_t{low} | std::uint32_t{high} << 16;
    });
  }
  return functions_of<std::uint16_t>(
      [](std::uint16_t a, std::uint16_t b, std::uint16_t, AccessTraits) -> std::uint16_t {
        return Apply::apply(a, b);
      });
}

template <class Format>
AtomicFunctions select_half_atomic(Reduction reduction, bool packed) {
  switch (reduction) {
    case Reduction::add:
      return half_functions<Add<Format>>(packed);
    case Reduction::min:
      return half_functions<Extreme<Format, false>>(packed);
    case Reduction::max:
      return half_functions<Extreme<Format, true>>(packed);
    default:
      return {};
  }
}

/// The functions for types of half precision.
AtomicFunctions select_by_type(ValueType type, Reduction reduction) {
  switch (type) {
    case ValueType::f16:
      return select_half_atomic<Half>(reduction, false);
    case ValueType::f16x2:
      return select_half_atomic<Half>(reduction, true);
    case ValueType::bf16:
      return select_half_atomic<Bfloat>(reduction, false);
    case ValueType::bf16x2:
      return select_half_atomic<Bfloat>(reduction, true);
    default:
      return {};
  }
}

/// The functions of an atomic instruction with 1, 2, 4 or 8 elements.
AtomicFunctions select_functions(const code::Instruction& instruction) {
  const Reduction reduction = instruction.reduction;
  const std::uint32_t count = instruction.vector_count;
  const bool compare = reduction == Reduction::compare_and_swap;
  if (count == 0 || count > 8 || !std::has_single_bit(count) || (compare && count != 1) ||
      instruction.sources.empty() ||
      !has_sources(instruction, 1, count + (compare ? 1 : 0),
                   size_of(instruction.type) == 8 ? 2 : 1)) {
    return {};
  }
  if (size_of(instruction.type) == 2 && is_bitwise(reduction)) {
    if (!compare && reduction != Reduction::exchange) return {};
    return with_integer_atomic<std::uint16_t, AtomicFunctions>(
        reduction, [](auto compute) { return functions_of<std::uint16_t>(compute); });
  }
  const AtomicFunctions functions = with_word_atomic<AtomicFunctions>(
      instruction.type, reduction, []<class T>(auto compute) { return functions_of<T>(compute); });
  return functions.handler != nullptr ? functions : select_by_type(instruction.type, reduction);
}

}  // namespace

Handler select_atomic(const code::Instruction& instruction) {
  return select_functions(instruction).handler;
}

AtomicAction select_atomic_action(const code::Instruction& instruction) {
  return instruction.vector_count == 1 ? select_functions(instruction).action : nullptr;
}

namespace {

/// A range of memory on which atomics can operate.
struct AtomicRange {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
  std::byte* host = nullptr;  ///< The host's address of `begin`.
  bool is_global = false;
};

/// The range that contains an address. Empty if there is none.
AtomicRange range_at(const WarpContext& context, Space space, std::uint64_t address) {
  const MemoryView& memory = context.memory;
  if (space == Space::shared) return {0, memory.shared_bytes, memory.shared, false};
  if (space == Space::generic && in_window(address, kSharedWindow)) {
    return {kSharedWindow, memory.shared_bytes, memory.shared, false};
  }
  const AllocationWindow window = window_at(context, address);
  if (!window.is_writable) return {};
  return {window.begin, window.bytes, window.host, true};
}

/// Whether all 32 accesses are aligned and lie in the range.
bool are_all_inside(const std::array<std::uint64_t, 32>& addresses, const AtomicRange& range,
                    std::uint32_t bytes) {
  // If an access exceeds the range, one of the two differences is negative. (`last` is negative if
  // the range is smaller than the access.) The compiler vectorizes the loop.
  const std::uint64_t last = range.bytes - bytes;
  std::uint64_t outside = 0;
  std::uint64_t all_bits = 0;
  for (const std::uint64_t address : addresses) {
    const std::uint64_t distance = address - range.begin;
    outside |= distance | (last - distance);
    all_bits |= address;
  }
  return outside >> 63 == 0 && (all_bits & (bytes - 1)) == 0;
}

}  // namespace

AtomicPlaces find_atomic_places(WarpContext& context, const Decoded& decoded, std::uint32_t bytes) {
  find_addresses(context, decoded);
  const Space space = context.code[decoded.index].space;
  const std::array<std::uint64_t, 32>& addresses = context.address();
  AtomicPlaces places;
  // Fast path: nearly always, all lanes access the same allocation, or all access shared memory.
  const AtomicRange range = range_at(context, space, addresses[0]);
  if (are_all_inside(addresses, range, bytes)) {
    for (std::size_t lane = 0; lane < 32; ++lane) {
      places.host[lane] = range.host + (addresses[lane] - range.begin);
    }
    (range.is_global ? places.global_lanes : places.shared_lanes) = context.active;
    return places;
  }
  const Access access{AccessKind::atomic, space, bytes, bytes, decoded.index};
  for (LaneMask remaining(context.active); !remaining.empty();
       remaining = remaining.without_lowest()) {
    const int lane = remaining.lowest();
    const auto index = static_cast<std::size_t>(lane);
    const Target target = resolve(context, access, lane, addresses[index]);
    if (target.host == nullptr) {
      raise(FaultKind::illegal_instruction, lane, addresses[index], bytes,
            fmt::format("atomic operation on {} bytes at {:#x}: local memory has no atomics", bytes,
                        addresses[index]));
    }
    places.host[index] = target.host;
    // resolve() raises a fault for parameters, which are read-only, so the space is global or
    // shared.
    (target.space == Space::global ? places.global_lanes : places.shared_lanes) |=
        LaneMask::of_lane(lane).bits();
  }
  return places;
}

}  // namespace heddle::exec
