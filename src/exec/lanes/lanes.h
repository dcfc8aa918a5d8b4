#pragma once

// How handlers are written. An instruction's meaning is a function of one lane's values; for_lanes
// applies it to all active lanes as a loop that the compiler turns into vector code. Every file in
// this folder is compiled once for each vector width, in a namespace of its own (HEDDLE_LANES).
//
// Nothing in this folder may define a function with external linkage outside that namespace: the
// linker would keep one copy of it, perhaps the one that needs AVX-512. So: no standard containers
// or strings here, and what is slow or rare is called out of line (exec/fault/fault.h).

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
#include "exec/block/lane_context.h"
#include "exec/decoded.h"

namespace heddle::exec::HEDDLE_LANES {

inline constexpr std::uint32_t kAllLanes = ~std::uint32_t{0};

/// A 64-bit value as its two registers, for meanings that are cheaper on the halves.
struct Pair {
  std::uint32_t low, high;
};

/// A lane's value as a T, from its one or two rows.
template <class T>
[[gnu::always_inline]] inline T get(const std::uint32_t* row, int lane) {
  if constexpr (std::is_same_v<T, Pair>) {
    return {row[lane], row[lane + 32]};
  } else if constexpr (sizeof(T) == 8) {
    return __builtin_bit_cast(T, std::uint64_t{row[lane]} | std::uint64_t{row[lane + 32]} << 32);
  } else if constexpr (sizeof(T) == 4) {
    return __builtin_bit_cast(T, row[lane]);
  } else if constexpr (sizeof(T) == 2) {
    return __builtin_bit_cast(T, static_cast<std::uint16_t>(row[lane]));
  } else {
    return __builtin_bit_cast(T, static_cast<std::uint8_t>(row[lane]));
  }
}

/// The words that a value takes in a register: zero-extended where it is narrower than 32 bits.
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

template <class T>
[[gnu::always_inline]] inline void put(std::uint32_t* row, int lane, T value) {
  if constexpr (std::is_same_v<T, Pair>) {
    row[lane] = value.low;
    row[lane + 32] = value.high;
  } else {
    const auto bits = to_bits(value);
    row[lane] = static_cast<std::uint32_t>(bits);
    if constexpr (sizeof(T) == 8) row[lane + 32] = static_cast<std::uint32_t>(bits >> 32);
  }
}

template <class T>
[[gnu::always_inline]] inline void put_if(bool on, std::uint32_t* row, int lane, T value) {
  const auto bits = to_bits(value);
  row[lane] = on ? static_cast<std::uint32_t>(bits) : row[lane];
  if constexpr (sizeof(T) == 8) {
    row[lane + 32] = on ? static_cast<std::uint32_t>(bits >> 32) : row[lane + 32];
  }
}

// A row is read and written at the same lane only, so iterations never depend on one another.
// Where a meaning cannot become vector code the loop stays as it is: no reason for a warning.
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wpass-failed"
#define HEDDLE_LANE_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define HEDDLE_LANE_LOOP _Pragma("GCC ivdep")
#endif

struct LaneBits {
  alignas(64) std::uint32_t of[32];
};
/// 1 << lane, as a row: a table, since not every vector unit can shift each lane by its own amount.
inline constexpr LaneBits kLaneBits = [] {
  LaneBits bits{};
  for (int lane = 0; lane < 32; ++lane) bits.of[lane] = std::uint32_t{1} << lane;
  return bits;
}();

/// Whether `mask` has the lane.
[[gnu::always_inline]] inline bool has_lane(std::uint32_t mask, int lane) {
  return (mask & kLaneBits.of[lane]) != 0;
}

/// condition ? a : b without a branch, also where the compiler would not see that it may.
[[gnu::always_inline]] inline std::uint32_t choose(bool condition, std::uint32_t a,
                                                   std::uint32_t b) {
  const std::uint32_t ones = condition ? kAllLanes : 0;
  return (a & ones) | (b & ~ones);
}

/// Copies the lanes in `mask` of `Rows` rows.
template <int Rows>
[[gnu::noinline]] void merge_rows(std::uint32_t* out, const std::uint32_t* from,
                                  std::uint32_t mask) {
  for (int row = 0; row < Rows; ++row, out += 32, from += 32) {
    HEDDLE_LANE_LOOP
    for (int lane = 0; lane < 32; ++lane) {
      out[lane] = choose(has_lane(mask, lane), from[lane], out[lane]);
    }
  }
}

/// Writes body(lane), an Out, to every active lane of `destination`. Where all lanes are active it
/// goes straight there, else past a copy, so that there is one loop over the meaning and not two.
template <class Out, bool MayBeAbsent = false, class Body>
[[gnu::always_inline]] inline void write_lanes(const LaneContext& context, RowRef destination,
                                               Body body) {
  constexpr int kRows = sizeof(Out) == 8 ? 2 : 1;
  alignas(64) std::uint32_t copy[kRows * 32];
  const bool wanted = !MayBeAbsent || destination.present();
  std::uint32_t* const row = wanted ? context.row(destination) : copy;
  const std::uint32_t active = context.active;
  std::uint32_t* const out = active == kAllLanes ? row : copy;
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) put<Out>(out, lane, static_cast<Out>(body(lane)));
  if (active != kAllLanes && wanted) merge_rows<kRows>(row, copy, active);
}

/// The rows of the first sources.
template <std::size_t Count>
struct SourceRows {
  const std::uint32_t* row[Count];
  [[gnu::always_inline]] SourceRows(const LaneContext& context, const Decoded& decoded) {
    for (std::size_t i = 0; i < Count; ++i) row[i] = context.row(decoded.source[i]);
  }
};

/// meaning(source 0, source 1, ...) of one lane.
template <class... In, class Meaning>
[[gnu::always_inline]] inline auto apply(Meaning meaning, const SourceRows<sizeof...(In)>& sources,
                                         int lane) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) __attribute__((always_inline)) {
    return meaning(get<In>(sources.row[I], lane)...);
  }
  (std::index_sequence_for<In...>{});
}

/// destination 0 = meaning(source 0, source 1, ...) in every active lane.
template <class Out, class... In, class Meaning>
[[gnu::always_inline]] inline void for_lanes(LaneContext& context, const Decoded& decoded,
                                             Meaning meaning) {
  static_assert(sizeof...(In) >= 1 && sizeof...(In) <= 4);
  const SourceRows<sizeof...(In)> sources(context, decoded);
  write_lanes<Out>(
      context, decoded.destination[0], [&](int lane) __attribute__((always_inline)) {
        return apply<In...>(meaning, sources, lane);
      });
}

/// A handler of that form, as in
///   return lanes_handler<std::uint32_t, std::uint32_t, std::uint32_t>([](auto a, auto b) {...});
template <class Out, class... In, class Meaning>
Handler lanes_handler(Meaning) {
  static_assert(std::is_empty_v<Meaning>);
  return [](LaneContext& context, const Decoded& decoded) {
    for_lanes<Out, In...>(context, decoded, Meaning{});
  };
}

/// The lane mask of 32 words that are all ones or all zeros.
[[gnu::always_inline]] inline std::uint32_t mask_of(const std::uint32_t* words) {
#if defined(__AVX512DQ__)
  const auto low = _mm512_movepi32_mask(_mm512_load_si512(words));
  const auto high = _mm512_movepi32_mask(_mm512_load_si512(words + 16));
  return static_cast<std::uint32_t>(high) << 16 | low;
#elif defined(__SSE2__)
  // Four lanes to a vector: the words' saturated halves, then bytes, side by side.
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
  for (int lane = 0; lane < 32; ++lane) mask |= words[lane] & kLaneBits.of[lane];
  return mask;
#endif
}

/// The lane mask of those active lanes for which meaning(source 0, ...) is true.
template <class... In, class Meaning>
[[gnu::always_inline]] inline std::uint32_t test_lanes(LaneContext& context, const Decoded& decoded,
                                                       Meaning meaning) {
  const SourceRows<sizeof...(In)> sources(context, decoded);
  alignas(64) std::uint32_t hits[32];
  HEDDLE_LANE_LOOP
  for (int lane = 0; lane < 32; ++lane) {
    hits[lane] = apply<In...>(meaning, sources, lane) ? kAllLanes : 0;
  }
  return mask_of(hits) & context.active;
}

}  // namespace heddle::exec::HEDDLE_LANES
