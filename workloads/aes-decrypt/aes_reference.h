#pragma once

// AES-128 as FIPS-197 describes it, byte by byte.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace heddle::workload::aes {

using Byte = std::uint8_t;
using Block = std::array<Byte, 16>;  ///< A block of the cipher, column by column.

/// The product in GF(2^8) modulo x^8 + x^4 + x^3 + x + 1.
Byte product(Byte a, Byte b);
const std::array<Byte, 256>& substitution_box();
/// The keys of the 10 rounds, preceded by the key itself.
std::array<Block, 11> round_keys(const Block& key);
Block encrypt(const std::array<Block, 11>& keys, Block block);
/// Encrypts by cipher block chaining; the length of `text` must be a multiple of 16 bytes.
std::vector<Byte> encrypt_chained(const Block& key, const Block& initial,
                                  std::span<const Byte> text);

}  // namespace heddle::workload::aes
