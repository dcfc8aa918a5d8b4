#include <array>
#include <bit>
#include <string>
#include <vector>

#include "aes_reference.h"
#include "kernel.h"
#include "workload/inputs/text.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload {
namespace {

using aes::Block;
using aes::Byte;
using aes_decrypt::kColumns;
using aes_decrypt::kResidentBlock;
using aes_decrypt::kRounds;
using Word = std::uint32_t;

/// Of the text, before it is padded. No whole number of the cipher's blocks nor of the kernel's.
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

/// Row 0 is a word's lowest byte.
Word word_of(Byte row0, Byte row1, Byte row2, Byte row3) {
  return Word{row0} | Word{row1} << 8 | Word{row2} << 16 | Word{row3} << 24;
}

/// What the inverse mixing of columns makes of a byte in row 0.
Word unmixed(Byte byte) {
  using aes::product;
  return word_of(product(byte, 14), product(byte, 9), product(byte, 13), product(byte, 11));
}

Word unmixed_column(Word column) {
  Word sum = 0;
  for (int row = 0; row < 4; ++row) {
    sum ^= std::rotl(unmixed(static_cast<Byte>(column >> 8 * row)), 8 * row);
  }
  return sum;
}

/// Of the inverse cipher as FIPS-197 describes it first.
aes_decrypt::PlainTables make_plain_tables(const Block& key) {
  aes_decrypt::PlainTables tables{};
  const auto& box = aes::substitution_box();
  for (unsigned value = 0; value < box.size(); ++value) {
    tables.inverse_box[box[value]] = static_cast<Byte>(value);
  }
  const auto keys = aes::round_keys(key);
  for (int round = 0; round <= kRounds; ++round) {
    const Block& round_key = keys[static_cast<std::size_t>(kRounds - round)];
    for (int column = 0; column < kColumns; ++column) {
      const Byte* const rows = round_key.data() + kColumns * column;
      tables.keys[kColumns * round + column] = word_of(rows[0], rows[1], rows[2], rows[3]);
    }
  }
  return tables;
}

aes_decrypt::Tables make_tables(const Block& key) {
  const aes_decrypt::PlainTables plain = make_plain_tables(key);
  aes_decrypt::Tables tables{};
  for (int value = 0; value < aes_decrypt::kEntries; ++value) {
    tables.inverse_box[value] = plain.inverse_box[value];
    for (int row = 0; row < 4; ++row) {
      tables.mixed[row][value] = std::rotl(unmixed(plain.inverse_box[value]), 8 * row);
    }
  }
  // The equivalent inverse cipher mixes before it adds the key, so that the keys must be mixed too,
  // but not the first and the last.
  for (int word = 0; word < aes_decrypt::kKeyWords; ++word) {
    const int round = word / kColumns;
    const Word key_word = plain.keys[word];
    tables.keys[word] = round == 0 || round == kRounds ? key_word : unmixed_column(key_word);
  }
  return tables;
}

Block random_block(Random& random) {
  Block block{};
  for (Byte& byte : block) byte = static_cast<Byte>(random.below(256));
  return block;
}

/// Whole blocks: every byte that is added says how many were.
std::vector<Byte> padded(const std::string& text) {
  std::vector<Byte> bytes(text.begin(), text.end());
  const std::size_t missing = Block{}.size() - bytes.size() % Block{}.size();
  bytes.insert(bytes.end(), missing, static_cast<Byte>(missing));
  return bytes;
}

std::string hexadecimal(const Block& block) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const Byte byte : block) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

class AesDecrypt final : public HostProgram {
 public:
  AesDecrypt(GridShape grid, Size size, std::uint64_t seed)
      : grid_(grid), plain_(padded(english_text(length_of(size), seed))) {
    Random random(seed);
    key_ = random_block(random);
    const Block initial = random_block(random);
    cipher_.assign(initial.begin(), initial.end());
    const std::vector<Byte> cipher = aes::encrypt_chained(key_, initial, plain_);
    cipher_.insert(cipher_.end(), cipher.begin(), cipher.end());
  }

  void run(Gpu& device) override {
    if (grid_ == GridShape::resident) {
      decrypt_resident(device);
    } else {
      decrypt(device);
    }
  }

  Verdict check() const override {
    Verdict verdict;
    verdict.exact("text", result_, plain_);
    // The host's cipher is AES: the example of FIPS-197, appendix C.1.
    Block key{}, text{};
    for (std::size_t i = 0; i < key.size(); ++i) {
      key[i] = static_cast<Byte>(i);
      text[i] = static_cast<Byte>(0x11 * i);
    }
    const std::string got = hexadecimal(aes::encrypt(aes::round_keys(key), text));
    const std::string want = "69c4e0d86a7b0430d8cdb78070b4c55a";
    verdict.require(got == want, "the host's cipher of FIPS-197's example", got, want);
    return verdict;
  }

 private:
  void decrypt(Gpu& device) {
    const std::vector<aes_decrypt::Tables> tables{make_tables(key_)};
    const Array<aes_decrypt::Tables> on_device = device.upload(tables, "tables");
    const Array<Byte> cipher = device.upload(cipher_, "cipher");
    const Array<Byte> plain = device.allocate<Byte>(plain_.size(), "plain");
    constexpr std::uint32_t kWordsOfBlock = aes_decrypt::kThreads * aes_decrypt::kPasses;
    const auto words = static_cast<std::uint32_t>(plain_.size() / sizeof(Word));
    device.launch(
        "decrypt_chained",
        {.grid = {(words + kWordsOfBlock - 1) / kWordsOfBlock}, .block = {aes_decrypt::kThreads}},
        on_device, cipher, plain, static_cast<int>(words));
    result_ = device.download(plain);
  }

  void decrypt_resident(Gpu& device) {
    const auto tables = device.upload(std::vector{make_plain_tables(key_)}, "tables");
    const Array<Byte> cipher = device.upload(cipher_, "cipher");
    const Array<Byte> plain = device.allocate<Byte>(plain_.size(), "plain");
    const std::size_t blocks = plain_.size() / Block{}.size();
    device.launch("decrypt_chained_resident",
                  device.resident_shape("decrypt_chained_resident", kResidentBlock, blocks), tables,
                  cipher, plain, static_cast<int>(blocks));
    result_ = device.download(plain);
  }

  GridShape grid_;
  std::vector<Byte> plain_, cipher_;  ///< The cipher begins with the initial vector.
  Block key_{};
  std::vector<Byte> result_;
};

const Registration kRegistration({
    .name = "aes-decrypt",
    .summary = "AES-128 decryption of text, by tables in shared memory",
    .papers = {"large-warps Table 2"},
    .kernels = {{"decrypt_chained", {aes_decrypt::kThreads}}},
    .make = make_form<AesDecrypt, GridShape::input>,
    .resident = ResidentForm{.kernels = {{"decrypt_chained_resident", {kResidentBlock}}},
                             .make = make_form<AesDecrypt, GridShape::resident>},
});

}  // namespace
}  // namespace heddle::workload
