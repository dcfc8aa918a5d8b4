// Integer arithmetic of device code, from 8 to 128 bits, packed, and in inline assembly.

#include <array>
#include <limits>

#include "device/corpus/language_runner.h"

namespace heddle::corpus {
namespace {

__extension__ using Wide = unsigned __int128;
__extension__ using SignedWide = __int128;

/// Random words, with edge cases among them.
Words words_with_edges(std::uint64_t seed, int count) {
  constexpr std::uint32_t kEdges[] = {0,          1,          2,          0x7f,       0x80,
                                      0xff,       0x7fff,     0x8000,     0xffff,     0x7fffffff,
                                      0x80000000, 0x80000001, 0xffffffff, 0xfffffffe, 0x00800080};
  Random random(seed);
  Words words = random.words(count);
  for (int i = 0; i < count; i += 3) words[i] = kEdges[random.below(15)];
  return words;
}

TEST(CorpusLanguage, WideIntegersAgreeWithTheHosts) {
  Random random(20);
  std::vector<std::uint64_t> in(2 * kThreads);
  constexpr std::uint64_t kEdges[] = {0, 1, ~0ull, 1ull << 63, (1ull << 63) - 1, 1ull << 32, 7};
  for (auto& value : in)
    value = random.below(4) == 0 ? kEdges[random.below(7)] : random.wide() >> random.below(60);
  check_program<std::uint64_t>("wide_integers", in, [&](int i) -> std::vector<std::uint64_t> {
    const std::uint64_t a = in[i], b = in[kThreads + i];
    const auto sa = static_cast<std::int64_t>(a), sb = static_cast<std::int64_t>(b);
    const bool undivided = sb == 0 || sb == -1;
    auto bits = [](std::int64_t value) { return static_cast<std::uint64_t>(value); };
    return {a * b,
            static_cast<std::uint64_t>((Wide{a} * b) >> 64),
            static_cast<std::uint64_t>((SignedWide{sa} * sb) >> 64),
            b == 0 ? 0 : a / b,
            b == 0 ? 0 : a % b,
            undivided ? 0 : bits(sa / sb),
            undivided ? 0 : bits(sa % sb),
            a << (b & 63),
            a >> (b & 63),
            bits(sa >> (b & 63)),
            std::uint64_t{a < b} | std::uint64_t{sa < sb} << 1 | std::uint64_t{a == b} << 2,
            std::min(a, b),
            bits(std::max(sa, sb)),
            a / 10,
            a % 1000000007,
            bits(sa / 7),
            sa < 0 ? 0 - a : a,
            static_cast<std::uint64_t>((Wide{a} * b) >> 37),
            static_cast<std::uint64_t>((SignedWide{sa} + sb) >> 1),
            static_cast<std::uint64_t>((Wide{a} << 64 | b) / (b >> 3 | 1)),
            (a & 0xffffffff) * (b & 0xffffffff),
            bits(std::int64_t{static_cast<std::int32_t>(a)} * static_cast<std::int32_t>(b)),
            a + (b & 0xffffffff00000000u) - (a & 0xffff0000u)};
  });
}

TEST(CorpusLanguage, NarrowIntegersPromoteAndWrap) {
  const Words in = words_with_edges(21, kThreads);
  check_program<std::uint32_t>("narrow_integers", in, [&](int i) -> Words {
    const std::uint32_t word = in[i];
    auto extended = [](std::uint32_t value, int bits) {  // Sign-extends the low bits.
      const auto sign = 1u << (bits - 1);
      return static_cast<int>((value & (2 * sign - 1)) ^ sign) - static_cast<int>(sign);
    };
    const int sc = extended(word, 8), sc2 = extended(word >> 8, 8);
    const int ss = extended(word >> 8, 16), ss2 = extended(word, 16);
    const std::uint32_t uc = word & 0xff, uc2 = word >> 8 & 0xff;
    const std::uint32_t us = word >> 16, us2 = word & 0xffff;
    auto bits = [](int value) { return static_cast<std::uint32_t>(value); };
    std::uint32_t bytes[4];
    for (int k = 0; k < 4; ++k) bytes[k] = word >> (8 * k) & 0xff;
    for (int k = 0; k < 4; ++k) bytes[k] = (bytes[k] * 3 + bytes[(k + 1) % 4]) & 0xff;
    return {bits(extended(bits(sc + sc2), 8)),
            uc * uc2 & 0xff,
            bits(extended(bits(ss - ss2), 16)),
            us << (uc & 7) & 0xffff,
            ss2 == 0 ? 0 : bits(extended(bits(ss / ss2), 16)),
            sc2 == 0 ? 0 : bits(extended(bits(sc % sc2), 8)),
            std::uint32_t{sc < sc2} | std::uint32_t{uc < uc2} << 1 | std::uint32_t{ss < ss2} << 2 |
                std::uint32_t{us < us2} << 3,
            bits(ss >> (uc & 15)) ^ us >> (uc & 15),
            bytes[0] | bytes[1] << 8 | bytes[2] << 16 | bytes[3] << 24,
            bits(std::min(ss, ss2)) + std::max(us, us2) + bits(std::abs(sc))};
  });
}

int count_bits(std::uint64_t value) {
  int count = 0;
  for (; value != 0; value &= value - 1) ++count;
  return count;
}

/// The position of the highest set bit plus one; 0 if no bit is set.
int bit_length(std::uint64_t value) {
  int length = 0;
  for (; value != 0; value >>= 1) ++length;
  return length;
}

/// The position of the n-th set bit from `base` upwards; 0xffffffff if there is none.
std::uint32_t nth_set_bit(std::uint32_t mask, int base, int n) {
  for (int bit = base; bit < 32; ++bit)
    if (mask >> bit & 1 && --n == 0) return static_cast<std::uint32_t>(bit);
  return 0xffffffff;
}

/// Selects four bytes from eight, like prmt's default mode.
std::uint32_t permute_bytes(std::uint32_t a, std::uint32_t b, std::uint32_t selector) {
  const std::uint64_t both = std::uint64_t{b} << 32 | a;
  std::uint32_t result = 0;
  for (int k = 0; k < 4; ++k) {
    const std::uint32_t choice = selector >> (4 * k) & 15;
    std::uint32_t byte = low_word(both >> (8 * (choice & 7))) & 0xff;
    if (choice & 8) byte = byte & 0x80 ? 0xff : 0;
    result |= byte << (8 * k);
  }
  return result;
}

TEST(CorpusLanguage, BitFunctionsAgreeWithLoopsOverBits) {
  const Words in = words_with_edges(22, 2 * kThreads);
  check_program<std::uint32_t>("bit_functions", in, [&](int i) -> Words {
    const std::uint32_t a = in[i], b = in[kThreads + i];
    const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
    const std::uint64_t wide = std::uint64_t{a} << 32 | b;
    std::uint64_t reversed = 0;
    for (int bit = 0; bit < 64; ++bit) reversed |= (wide >> bit & 1) << (63 - bit);
    auto bits = [](std::int64_t value) { return static_cast<std::uint32_t>(value); };
    auto lowest = [&](std::uint64_t value) { return bits(bit_length(value & (0 - value))); };
    const std::uint64_t joined = std::uint64_t{b} << 32 | a;
    const std::uint32_t clamped = std::min(b & 63, 32u);
    auto narrow = [](std::uint32_t value) {  // Sign-extends 24 bits.
      return std::int64_t{static_cast<std::int32_t>(value << 8) >> 8};
    };
    return {bits(count_bits(a)),
            bits(count_bits(wide)),
            bits(32 - bit_length(a >> (b & 31))),
            bits(64 - bit_length(wide >> (b & 63))),
            lowest(a << (b & 31)),
            lowest(wide << (b & 63)),
            low_word(reversed),
            low_word(reversed),
            high_word(reversed),
            permute_bytes(a, b, 0x3715),
            permute_bytes(a, b, b & 0x7777),
            high_word(joined << (a & 31)),
            low_word(joined >> (b & 31)),
            clamped == 32 ? a : high_word(joined << clamped),
            low_word(joined >> clamped),
            a << (b & 31),
            a >> (b & 31),
            bits(sa >> (b & 31)),
            high_word(std::uint64_t{a} * b),
            high_word(static_cast<std::uint64_t>(std::int64_t{sa} * sb)),
            low_word(std::uint64_t{a & 0xffffff} * (b & 0xffffff)),
            bits(narrow(a) * narrow(b)),
            std::max(a, b) - std::min(a, b) + 7,
            bits(std::abs(std::int64_t{sa} - sb)) + 9,
            low_word((std::uint64_t{a} + b) >> 1),
            bits((std::int64_t{sa} + sb + 1) >> 1),
            nth_set_bit(a, static_cast<int>(b & 31), static_cast<int>(b >> 5 & 3) + 1)};
  });
}

/// Applies a function to the parts of two words, each of `width` bits, and packs the results.
template <class F>
std::uint32_t by_parts(int width, bool is_signed, std::uint32_t a, std::uint32_t b, F function) {
  const std::uint32_t mask = low_word((std::uint64_t{1} << width) - 1);
  std::uint32_t result = 0;
  for (int shift = 0; shift < 32; shift += width) {
    auto part = [&](std::uint32_t word) {
      int value = static_cast<int>(word >> shift & mask);
      if (is_signed && value >> (width - 1)) value -= 1 << width;
      return value;
    };
    result |= (static_cast<std::uint32_t>(function(part(a), part(b))) & mask) << shift;
  }
  return result;
}

/// As by_parts(), but returns the sum of the results.
template <class F>
std::uint32_t sum_of_parts(int width, bool is_signed, std::uint32_t a, std::uint32_t b,
                           F function) {
  std::uint32_t sum = 0;
  by_parts(width, is_signed, a, b, [&](int x, int y) {
    sum += static_cast<std::uint32_t>(function(x, y));
    return 0;
  });
  return sum;
}

int distance(int x, int y) { return std::abs(x - y); }
int sum(int x, int y) { return x + y; }
int larger(int x, int y) { return std::max(x, y); }

TEST(CorpusLanguage, PackedIntegersAgreePartByPart) {
  const Words in = words_with_edges(23, 2 * kThreads);
  check_program<std::uint32_t>("packed_integers", in, [&](int i) -> Words {
    const std::uint32_t a = in[i], b = in[kThreads + i];
    auto product = [](int x, int y) { return x * y; };
    auto halves_by_bytes = [](std::uint32_t halves, std::uint32_t bytes, bool is_signed) {
      std::uint32_t total = 0;
      for (int k = 0; k < 2; ++k) {
        int half = static_cast<int>(halves >> (16 * k) & 0xffff);
        int byte = static_cast<int>(bytes >> (8 * k) & 0xff);
        if (is_signed && half > 0x7fff) half -= 0x10000;
        if (is_signed && byte > 0x7f) byte -= 0x100;
        total += static_cast<std::uint32_t>(half * byte);
      }
      return total;
    };
    return {sum_of_parts(8, true, a, b, product) + 100,
            sum_of_parts(8, false, a, b, product) + 100,
            halves_by_bytes(a, b, true) - 5,
            halves_by_bytes(a, b >> 16, false) + 5,
            by_parts(8, false, a, b, sum),
            by_parts(16, false, a, b, [](int x, int y) { return x - y; }),
            by_parts(16, true, a, b, [](int x, int y) { return std::clamp(x + y, -32768, 32767); }),
            by_parts(8, false, a, b, [](int x, int y) { return std::max(x - y, 0); }),
            by_parts(8, true, a, b, larger),
            by_parts(16, false, a, b, [](int x, int y) { return std::min(x, y); }),
            by_parts(8, false, a, b, distance),
            sum_of_parts(16, true, a, b, distance),
            sum_of_parts(8, false, a, b, distance),
            by_parts(8, true, a, b, [](int x, int y) { return x > y ? -1 : 0; }),
            by_parts(16, false, a, (b & 0xffff0000u) | (a & 0xffff),
                     [](int x, int y) { return x == y ? -1 : 0; }),
            by_parts(8, false, a, b, [](int x, int y) { return x <= y; }),
            by_parts(8, false, a, b, [](int x, int y) { return (x + y + 1) / 2; }),
            by_parts(16, false, a, b, [](int x, int y) { return (x + y) / 2; }),
            by_parts(16, true, a, 0, distance),
            by_parts(8, true, 0, b, [](int x, int y) { return x - y; }),
            by_parts(16, true, a, b, larger)};
  });
}

TEST(CorpusLanguage, InlineAssemblyMeansWhatTheManualSays) {
  const Words in = words_with_edges(24, 2 * kThreads);
  check_program<std::uint32_t>("inline_assembly", in, [&](int i) -> Words {
    const std::uint32_t a = in[i], b = in[kThreads + i];
    const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
    Words results;
    auto put = [&](std::uint64_t value) { results.push_back(low_word(value)); };
    // The 64-bit sum of (b, a) and (a, b), and its carry-out.
    const Wide total = Wide{std::uint64_t{b} << 32 | a} + (std::uint64_t{a} << 32 | b);
    put(static_cast<std::uint64_t>(total));
    put(static_cast<std::uint64_t>(total >> 32));
    put(static_cast<std::uint64_t>(total >> 64));
    const std::uint64_t difference = (std::uint64_t{b} << 32 | a) - (std::uint64_t{a} << 32 | b);
    put(difference);
    put(difference >> 32);
    const std::uint64_t fused = std::uint64_t{a} * b + (std::uint64_t{b} << 32 | a);
    put(fused);
    put(fused >> 32);
    const std::uint32_t c = a >> 7;
    put(a ^ b ^ c);
    put((a & b) | (a & c) | (b & c));
    put(static_cast<std::uint32_t>(bit_length(a >> (b & 31)) - 1));
    const int length = bit_length(sa < 0 ? ~a : a);
    put(length == 0 ? 0xffffffffu : static_cast<std::uint32_t>(32 - length));
    const std::uint32_t position = b & 31, width = b >> 8 & 15;
    const std::uint32_t field = (1u << width) - 1;
    put(a >> position & field);
    std::uint32_t extracted = 0;  // Beyond the field or the word, the sign is repeated.
    for (std::uint32_t bit = 0; bit < 32 && width > 0; ++bit) {
      const std::uint32_t from = std::min({position + bit, position + width - 1, 31u});
      extracted |= (a >> from & 1) << bit;
    }
    put(extracted);
    const std::uint32_t hole = low_word(std::uint64_t{field} << position);
    put((b & ~hole) | (low_word(std::uint64_t{a} << position) & hole));
    put((std::uint64_t{b} << 32 | a) >> (8 * (b & 3)));
    put(permute_bytes(a, b, 0x8f61));
    put(sa < sb ? a : b + 1);
    const std::uint64_t product = std::uint64_t{a} * b + 0x123456789abcu;
    put(product);
    put(product >> 32);
    put(low_word(product) ^ high_word(product));
    put(by_parts(8, false, a, b, sum));
    put(sum_of_parts(8, false, a, b, distance) + 11);
    put(by_parts(16, true, a, b, larger));
    put(static_cast<std::uint32_t>(static_cast<int>(a >> 8 & 0xff) + static_cast<std::int16_t>(b)));
    put(static_cast<std::int32_t>(a ^ b) >= 0 ? a : b);
    put(static_cast<std::uint64_t>(std::abs(std::int64_t{sa} - sb) + 5));
    put((a & 1) == 0);
    put(std::uint64_t{a & 0xffffff} * (b & 0xffffff) >> 16);
    put(sa > sb ? 0xffffffffu : 0);
    const std::uint32_t kept = b & 31;
    std::uint32_t widened = 0;
    for (std::uint32_t bit = 0; bit < 32 && kept > 0; ++bit)
      widened |= (a >> std::min(bit, kept - 1) & 1) << bit;
    put(widened);
    put(((std::uint64_t{1} << (b & 31)) - 1) << (a & 31));
    put((std::uint64_t{b} << 32 | a) << (b & 31) >> 32);
    put(a >= b ? 0 : a + 7);
    return results;
  });
}

}  // namespace
}  // namespace heddle::corpus
