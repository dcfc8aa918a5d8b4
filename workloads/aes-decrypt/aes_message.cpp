#include "aes_message.h"

#include <string>

#include "workload/inputs/text.h"

namespace heddle::workload::aes {
namespace {

/// The text's length before padding, in bytes. It is neither a multiple of a block of the cipher
/// nor of what a thread block encrypts.
std::size_t length_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 9'001;
    case Size::small:
      return 300'007;
    case Size::medium:
      return 2'000'003;
    case Size::large:
    case Size::paper:
      return 20'000'017;
  }
  return 0;
}

std::string hexadecimal(const Block& block) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const Byte byte : block) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

}  // namespace

std::vector<Byte> padded_text(Size size, std::uint64_t seed) {
  const std::string text = english_text(length_of(size), seed);
  std::vector<Byte> bytes(text.begin(), text.end());
  const std::size_t missing = Block{}.size() - bytes.size() % Block{}.size();
  bytes.insert(bytes.end(), missing, static_cast<Byte>(missing));
  return bytes;
}

Block random_block(Random& random) {
  Block block{};
  for (Byte& byte : block) byte = static_cast<Byte>(random.below(256));
  return block;
}

void require_standard_example(CheckResult& check) {
  Block key{}, text{};
  for (std::size_t i = 0; i < key.size(); ++i) {
    key[i] = static_cast<Byte>(i);
    text[i] = static_cast<Byte>(0x11 * i);
  }
  const std::string got = hexadecimal(encrypt(round_keys(key), text));
  const std::string want = "69c4e0d86a7b0430d8cdb78070b4c55a";
  check.require(got == want, "the host's cipher of FIPS-197's example", got, want);
}

}  // namespace heddle::workload::aes
