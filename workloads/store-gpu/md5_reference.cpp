#include "md5_reference.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>

namespace heddle::workload {
namespace {

constexpr std::size_t kBlockBytes = 64;

/// The RFC's table T: the integer parts of 2^32 times the magnitude of a sine. No product is so
/// near to an integer that the last bits of the sine matter.
std::array<std::uint32_t, 64> make_sines() {
  std::array<std::uint32_t, 64> sines{};
  for (std::size_t i = 0; i < sines.size(); ++i) {
    sines[i] = static_cast<std::uint32_t>(
        std::floor(std::abs(std::sin(static_cast<double>(i + 1))) * 0x1p32));
  }
  return sines;
}

std::uint32_t word_at(const std::uint8_t* bytes) {
  std::uint32_t word = 0;
  for (int i = 3; i >= 0; --i) word = word << 8 | bytes[i];
  return word;
}

std::uint32_t f(std::uint32_t x, std::uint32_t y, std::uint32_t z) { return (x & y) | (~x & z); }
std::uint32_t g(std::uint32_t x, std::uint32_t y, std::uint32_t z) { return (x & z) | (y & ~z); }
std::uint32_t h(std::uint32_t x, std::uint32_t y, std::uint32_t z) { return x ^ y ^ z; }
std::uint32_t i(std::uint32_t x, std::uint32_t y, std::uint32_t z) { return y ^ (x | ~z); }

struct Round {
  std::uint32_t (*mix)(std::uint32_t, std::uint32_t, std::uint32_t);
  std::size_t first_word, word_step;
  std::array<int, 4> rotations;
};

constexpr std::array<Round, 4> kRounds{{{f, 0, 1, {7, 12, 17, 22}},
                                        {g, 1, 5, {5, 9, 14, 20}},
                                        {h, 5, 3, {4, 11, 16, 23}},
                                        {i, 0, 7, {6, 10, 15, 21}}}};

void digest_block(const std::uint8_t* block, Md5Digest& state) {
  static const std::array<std::uint32_t, 64> sines = make_sines();
  std::array<std::uint32_t, 16> words{};
  for (std::size_t word = 0; word < words.size(); ++word) words[word] = word_at(block + 4 * word);
  Md5Digest now = state;
  std::size_t step = 0;
  for (const Round& round : kRounds) {
    std::size_t word = round.first_word;
    for (std::size_t count = 0; count < 16; ++count, ++step) {
      // The renewed word moves from a to d to c to b.
      const std::size_t a = (64 - step) % 4, b = (a + 1) % 4, c = (a + 2) % 4, d = (a + 3) % 4;
      const std::uint32_t sum =
          now[a] + round.mix(now[b], now[c], now[d]) + words[word] + sines[step];
      now[a] = now[b] + std::rotl(sum, round.rotations[count % 4]);
      word = (word + round.word_step) % 16;
    }
  }
  for (std::size_t k = 0; k < 4; ++k) state[k] += now[k];
}

}  // namespace

Md5Digest md5(std::span<const std::uint8_t> message) {
  std::vector<std::uint8_t> padded(message.begin(), message.end());
  padded.push_back(0x80);
  while (padded.size() % kBlockBytes != kBlockBytes - 8) padded.push_back(0);
  const std::uint64_t bits = std::uint64_t{8} * message.size();
  for (int shift = 0; shift < 64; shift += 8) {
    padded.push_back(static_cast<std::uint8_t>(bits >> shift & 0xff));
  }
  Md5Digest state{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  for (std::size_t at = 0; at < padded.size(); at += kBlockBytes) {
    digest_block(&padded[at], state);
  }
  return state;
}

std::string to_text(const Md5Digest& digest) {
  std::string text;
  for (const std::uint32_t word : digest) {
    for (int shift = 0; shift < 32; shift += 8) text += fmt::format("{:02x}", word >> shift & 0xff);
  }
  return text;
}

const std::vector<Md5Example>& md5_examples() {
  static const std::vector<Md5Example> examples{
      {"", "d41d8cd98f00b204e9800998ecf8427e"},
      {"a", "0cc175b9c0f1b6a831c399e269772661"},
      {"abc", "900150983cd24fb0d6963f7d28e17f72"},
      {"message digest", "f96b697d7cb7938d525a2f31aaf161d0"},
      {"abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"},
      {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
       "d174ab98d277d9f5a5611c2c9f419d9f"},
      {"12345678901234567890123456789012345678901234567890123456789012345678901234567890",
       "57edf4a22be3c955ac49da2e2107b67a"}};
  return examples;
}

}  // namespace heddle::workload
