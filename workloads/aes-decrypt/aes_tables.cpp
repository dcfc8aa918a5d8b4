#include "aes_tables.h"

#include <bit>

namespace heddle::workload::aes {
namespace {

using aes_decrypt::kColumns;
using aes_decrypt::kRounds;
using Word = std::uint32_t;

/// The word with these bytes; row 0 is the lowest byte.
Word word_of(Byte row0, Byte row1, Byte row2, Byte row3) {
  return Word{row0} | Word{row1} << 8 | Word{row2} << 16 | Word{row3} << 24;
}

Word word_of(const Block& block, int column) {
  const Byte* const rows = block.data() + kColumns * column;
  return word_of(rows[0], rows[1], rows[2], rows[3]);
}

/// What the mixing of columns makes of a column with `byte` in row 0 and zeros below.
Word mixed(Byte byte) { return word_of(product(byte, 2), byte, byte, product(byte, 3)); }

/// The same for the inverse of the mixing.
Word unmixed(Byte byte) {
  return word_of(product(byte, 14), product(byte, 9), product(byte, 13), product(byte, 11));
}

Word unmixed_column(Word column) {
  Word sum = 0;
  for (int row = 0; row < 4; ++row) {
    sum ^= std::rotl(unmixed(static_cast<Byte>(column >> 8 * row)), 8 * row);
  }
  return sum;
}

}  // namespace

aes_decrypt::Tables encryption_tables(const Block& key) {
  aes_decrypt::Tables tables{};
  const auto& box = substitution_box();
  for (unsigned value = 0; value < box.size(); ++value) {
    tables.box[value] = box[value];
    for (int row = 0; row < 4; ++row) {
      tables.mixed[row][value] = std::rotl(mixed(box[value]), 8 * row);
    }
  }
  const auto keys = round_keys(key);
  for (int word = 0; word < aes_decrypt::kKeyWords; ++word) {
    tables.keys[word] = word_of(keys[static_cast<std::size_t>(word / kColumns)], word % kColumns);
  }
  return tables;
}

aes_decrypt::PlainTables plain_decryption_tables(const Block& key) {
  aes_decrypt::PlainTables tables{};
  const auto& box = substitution_box();
  for (unsigned value = 0; value < box.size(); ++value) {
    tables.inverse_box[box[value]] = static_cast<Byte>(value);
  }
  const auto keys = round_keys(key);
  for (int round = 0; round <= kRounds; ++round) {
    const Block& round_key = keys[static_cast<std::size_t>(kRounds - round)];
    for (int column = 0; column < kColumns; ++column) {
      tables.keys[kColumns * round + column] = word_of(round_key, column);
    }
  }
  return tables;
}

aes_decrypt::Tables decryption_tables(const Block& key) {
  const aes_decrypt::PlainTables plain = plain_decryption_tables(key);
  aes_decrypt::Tables tables{};
  for (int value = 0; value < aes_decrypt::kEntries; ++value) {
    tables.box[value] = plain.inverse_box[value];
    for (int row = 0; row < 4; ++row) {
      tables.mixed[row][value] = std::rotl(unmixed(plain.inverse_box[value]), 8 * row);
    }
  }
  // The equivalent inverse cipher mixes columns before it adds a key, so all round keys except the
  // first and the last must be mixed, too.
  for (int word = 0; word < aes_decrypt::kKeyWords; ++word) {
    const int round = word / kColumns;
    const Word key_word = plain.keys[word];
    tables.keys[word] = round == 0 || round == kRounds ? key_word : unmixed_column(key_word);
  }
  return tables;
}

}  // namespace heddle::workload::aes
