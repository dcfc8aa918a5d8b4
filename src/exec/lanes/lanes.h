#pragma once

// The framework for the handlers of instructions. An instruction's computation (`Computation`,
// `compute`) is a function of the values of one lane. for_lanes() applies it to all active lanes,
// in a loop that the compiler vectorises. Every file in this folder is compiled once for each
// vector width, each time in a different namespace (HEDDLE_LANES).
//
// Code in this folder must not define functions with external linkage outside of that namespace.
// The linker would keep only one copy of such a function, perhaps the one that needs AVX-512. For
// this reason, standard containers and strings are not used here, and slow or rare code is in
// functions outside of this folder (as raise() in exec/fault/fault.h).
//
// A register is passed as a pointer to its 32 words, one for each lane. A 64-bit value takes two
// consecutive registers: lane l has its low word at [l], and its high word at [l + 32].

#include <array>
#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#if defined(__AVX512DQ__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "code/instruction.h"
#include "exec/block/warp_context.h"
#include "exec/decoded.h"

namespace heddle::exec::HEDDLE_LANES {

inline constexpr std::uint32_t kAllLanes = ~std::uint32_t{0};

/// A 64-bit value as two 32-bit words, for computations that are faster on single words.
struct Pair {
  std::uint32_t low, high;
};

/// Reads a lane's value as a T from one or two registers.
template <class T>
[[gnu::always_inline]] inline T get(const std::uint32_t* words, int lane) {
  if constexpr (std::is_same_v<T, Pair>) {
    return {words[lane], words[lane + 32]};
  } else if constexpr (sizeof(T) == 8) {
    return __builtin_bit_cast(T,
                              std::uint64_t{words[lane]} | std::uint64_t{words[lane + 32]} << 32);
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(T, words[lane]);
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(T, static_cast<std::uint16_t>(words[lane]));
  } else {
    return __builtin_bit_cast(T, static_cast<std::uint8_t>(words[lane]));
  }
}

/// A value's bits as stored in registers: zero-extended if it is narrower than 32 bits.
template <class T>
[[gnu::always_inline]] inline auto to_bits(T value) {
  if constexpr (sizeof(T) == 8) {
    return __builtin_bit_cast(std::uint64_t, value);
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(std::uint32_t, value);
  } else if constexpr (sizeof(T) == 2) {
    return std::uint32_t{__builtin_bit_cast(std::uint16_t, value)};
  } else {
    return std::uint32_t{__builtin_bit_cast(std::uint8_t, value)};
  }
}

/// Writes a lane's value to one or two registers.
template <class T>
[[gnu::always_inline]] inline void put(std::uint32_t* words, int lane, T value) {
  if constexpr (std::is_same_v<T, Pair>) {
    words[lane] = value.low;
    words[lane + 32] = value.high;
  } else {
    const auto bits = to_bits(value);
    words[lane] = static_cast<std::uint32_t>(bits);
    if constexpr (sizeof(T) == 8) words[lane + 32] = static_cast<std::uint32_t>(bits >> 32);
  }
}

/// As put(), if `condition` is true; without a branch.
// HEDDLE_LANE_LOOP precedes a loop over lanes, and tells the compiler that its iterations are
// independent: each reads and writes only its own lane. A loop that the compiler cannot vectorise
// remains a scalar loop; clang's warning about it is disabled.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#define HEDDLE_LANE_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define HEDDLE_LANE_LOOP _Pragma("GCC ivdep")
#endif

/// A word for each of the 32 lanes.
struct LaneBits {
  alignas(64) std::uint32_t by_lane[32];
};
/// The value 1 << lane for every lane. It is a table because not every vector unit can shift each
/// lane by a different amount.
inline constexpr LaneBits kLaneBits = [] {
  LaneBits bits{};
  for (int lane = 0; lane < 32; ++lane) bits.by_lane[lane] = std::uint32_t{1} << lane;
  return bits;
}();

/// Whether the lane's bit is set in `mask`.
[[gnu::always_inline]] inline bool has_lane(std::uint32_t mask, int lane) {
  return (mask & kLaneBits.by_lane[lane]) != 0;
}

/// Returns condition ? a : b without a branch. The compiler may not be able to remove the branch of
/// the conditional operator.
[[gnu::always_inline]] inline std::uint32_t choose(bool condition, std::uint32_t a,
                                                   std::uint32_t b) {
  const std::uint32_t ones = condition ? kAllLanes : 0;
  return (a & ones) | (b & ~ones);
}

/// Copies kCount consecutive registers from `from` to `out`, in the lanes of `mask` only.
template <int kCount>
[[gnu::noinline]] void merge_registers(std::uint32_t* out, const std::uint32_t* from,
                                       std::uint32_t mask) {
  for (int i = 0; i < kCount; ++i, out += 32, from += 32) {
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) {
      out[lane] = choose(has_lane(mask, lane), from[lane], out[lane]);
    }
  }
}

/// Writes body(lane), of type Out, to every active lane of `destination`. If all lanes are active,
/// the loop writes to the destination. Otherwise it writes to a buffer, whose active lanes are then
/// copied to the destination. In this way, the body is compiled only once. MayBeAbsent: whether the
/// instruction may have no destination; body(lane) is called nevertheless.
template <class Out, bool MayBeAbsent = false, class Body>
[[gnu::always_inline]] inline void write_lanes(const WarpContext& context, OperandRef destination,
                                               Body body) {
  constexpr int kRegisters = sizeof(Out) == 8 ? 2 : 1;
  alignas(64) std::uint32_t copy[kRegisters * 32];
  const bool is_present = !MayBeAbsent || destination.present();
  std::uint32_t* const target = is_present ? context.lanes(destination) : copy;
  const std::uint32_t active = context.active;
  std::uint32_t* const out = active == kAllLanes ? target : copy;
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) put<Out>(out, lane, static_cast<Out>(body(lane)));
  if (active != kAllLanes && is_present) merge_registers<kRegisters>(target, copy, active);
}

/// The registers of the first `Count` sources.
template <std::size_t Count>
struct SourceRegisters {
  const std::uint32_t* registers[Count];
  [[gnu::always_inline]] SourceRegisters(const WarpContext& context, const Decoded& decoded) {
    for (std::size_t i = 0; i < Count; ++i) registers[i] = context.lanes(decoded.source[i]);
  }
};

/// Returns compute(source 0, source 1, ...) for one lane.
template <class... In, class Computation>
[[gnu::always_inline]] inline auto apply(Computation compute,
                                         const SourceRegisters<sizeof...(In)>& sources, int lane) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    return compute(get<In>(sources.registers[I], lane)...);
  }
  (std::index_sequence_for<In...>{});
}

/// Sets destination 0 to compute(source 0, source 1, ...) in every active lane.
template <class Out, class... In, class Computation>
[[gnu::always_inline]] inline void for_lanes(WarpContext& context, const Decoded& decoded,
                                             Computation compute) {
  static_assert(sizeof...(In) >= 1 && sizeof...(In) <= 4);
  const SourceRegisters<sizeof...(In)> sources(context, decoded);
  write_lanes<Out>(
      context, decoded.destination[0], [&](int lane) __attribute__((always_inline)) {
        return apply<In...>(compute, sources, lane);
      });
}

/// The handler that calls for_lanes(), as in
///   return lanes_handler<std::uint32_t, std::uint32_t, std::uint32_t>([](auto a, auto b) {...});
template <class Out, class... In, class Computation>
Handler lanes_handler(Computation) {
  static_assert(std::is_empty_v<Computation>);
  return [](WarpContext& context, const Decoded& decoded) {
    for_lanes<Out, In...>(context, decoded, Computation{});
  };
}

/// Converts 32 words, each all ones or all zeros, to a lane mask.
[[gnu::always_inline]] inline std::uint32_t mask_of(const std::uint32_t* words) {
#if defined(__AVX512DQ__)
  const auto low = _mm512_movepi32_mask(_mm512_load_si512(words));
  const auto high = _mm512_movepi32_mask(_mm512_load_si512(words + 16));
  return static_cast<std::uint32_t>(high) << 16 | low;
#elif defined(__SSE2__)
  // A vector has four lanes. The pack instructions, which saturate, narrow the words to halves and
  // then to bytes.
  const auto four = [&](int lane) {
    return _mm_load_si128(reinterpret_cast<const __m128i*>(words + lane));
  };
  const auto sixteen = [&](int lane) {
    return static_cast<std::uint32_t>(
        _mm_movemask_epi8(_mm_packs_epi16(_mm_packs_epi32(four(lane), four(lane + 4)),
                                          _mm_packs_epi32(four(lane + 8), four(lane + 12)))));
  };
  return sixteen(16) << 16 | sixteen(0);
#else
  std::uint32_t mask = 0;
  for (int lane = 0; lane < 32; ++lane) mask |= words[lane] & kLaneBits.by_lane[lane];
  return mask;
#endif
}

/// The mask of active lanes for which compute(source 0, ...) is true.
template <class... In, class Computation>
[[gnu::always_inline]] inline std::uint32_t test_lanes(WarpContext& context, const Decoded& decoded,
                                                       Computation compute) {
  const SourceRegisters<sizeof...(In)> sources(context, decoded);
  alignas(64) std::uint32_t hits[32];
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    hits[lane] = apply<In...>(compute, sources, lane) ? kAllLanes : 0;
  }
  return mask_of(hits) & context.active;
}

}  // namespace heddle::exec::HEDDLE_LANES
