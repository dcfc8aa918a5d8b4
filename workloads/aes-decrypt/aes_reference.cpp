#include "aes_reference.h"

#include <algorithm>
#include <bit>
#include <functional>

namespace heddle::workload::aes {
namespace {

constexpr std::size_t kSide = 4;

constexpr Byte doubled(Byte a) { return static_cast<Byte>(a << 1 ^ (a & 0x80 ? 0x1b : 0)); }

std::array<Byte, 256> make_substitution_box() {
  std::array<Byte, 256> box{};
  for (unsigned value = 0; value < 256; ++value) {
    const auto byte = static_cast<Byte>(value);
    // The inverse is the 254th power, which maps 0 to 0 as required.
    Byte inverse = 1;
    for (int i = 0; i < 254; ++i) inverse = product(inverse, byte);
    box[value] = static_cast<Byte>(inverse ^ std::rotl(inverse, 1) ^ std::rotl(inverse, 2) ^
                                   std::rotl(inverse, 3) ^ std::rotl(inverse, 4) ^ 0x63);
  }
  return box;
}

void add(Block& block, const Block& other) {
  std::transform(block.begin(), block.end(), other.begin(), block.begin(), std::bit_xor<Byte>());
}

void shift_rows(Block& block) {
  const Block before = block;
  for (std::size_t row = 1; row < kSide; ++row) {
    for (std::size_t column = 0; column < kSide; ++column) {
      block[kSide * column + row] = before[kSide * ((column + row) % kSide) + row];
    }
  }
}

void mix_columns(Block& block) {
  for (std::size_t at = 0; at < block.size(); at += kSide) {
    const std::array<Byte, kSide> c{block[at], block[at + 1], block[at + 2], block[at + 3]};
    const auto all = static_cast<Byte>(c[0] ^ c[1] ^ c[2] ^ c[3]);
    // 2a + 3b + c + d = a + (a + b + c + d) + 2(a + b)
    for (std::size_t row = 0; row < kSide; ++row) {
      const auto pair = static_cast<Byte>(c[row] ^ c[(row + 1) % kSide]);
      block[at + row] = static_cast<Byte>(c[row] ^ all ^ doubled(pair));
    }
  }
}

}  // namespace

Byte product(Byte a, Byte b) {
  Byte sum = 0;
  for (; b != 0; b >>= 1, a = doubled(a)) {
    if (b & 1) sum ^= a;
  }
  return sum;
}

const std::array<Byte, 256>& substitution_box() {
  static const std::array<Byte, 256> box = make_substitution_box();
  return box;
}

std::array<Block, 11> round_keys(const Block& key) {
  const auto& box = substitution_box();
  std::array<Block, 11> keys{key};
  Byte constant = 1;
  for (std::size_t round = 1; round < keys.size(); ++round) {
    const Block& last = keys[round - 1];
    Block& next = keys[round];
    for (std::size_t i = 0; i < kSide; ++i) next[i] = last[i] ^ box[last[12 + (i + 1) % kSide]];
    next[0] ^= constant;
    constant = doubled(constant);
    for (std::size_t i = kSide; i < next.size(); ++i) next[i] = last[i] ^ next[i - kSide];
  }
  return keys;
}

Block encrypt(const std::array<Block, 11>& keys, Block block) {
  const auto& box = substitution_box();
  add(block, keys[0]);
  for (std::size_t round = 1; round < keys.size(); ++round) {
    for (Byte& byte : block) byte = box[byte];
    shift_rows(block);
    if (round + 1 < keys.size()) mix_columns(block);
    add(block, keys[round]);
  }
  return block;
}

std::vector<Byte> encrypt_chained(const Block& key, const Block& initial,
                                  std::span<const Byte> text) {
  const auto keys = round_keys(key);
  std::vector<Byte> cipher(text.size());
  Block chained = initial;
  for (std::size_t at = 0; at < text.size(); at += chained.size()) {
    for (std::size_t i = 0; i < chained.size(); ++i) chained[i] ^= text[at + i];
    chained = encrypt(keys, chained);
    std::copy(chained.begin(), chained.end(), cipher.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return cipher;
}

}  // namespace heddle::workload::aes
