#pragma once

// What host and kernel agree on.

namespace aes_decrypt {

constexpr int kThreads = 256;
constexpr int kRounds = 10;  ///< AES-128
/// Words of a block, columns of its state.
constexpr int kColumns = 4;
constexpr int kKeyWords = kColumns * (kRounds + 1);
constexpr int kEntries = 256;
/// So many times 1 KB a thread block does, so that fetching the tables pays.
constexpr int kPasses = 4;

/// Lies in device memory; each thread block fetches a copy.
struct Tables {
  /// What S-box and mixing of columns together make of a byte of row r, or the inverses of both. A
  /// word's lowest byte is row 0.
  unsigned int mixed[4][kEntries];
  unsigned int keys[kKeyWords];  ///< In the order of use, mixed for the equivalent inverse cipher.
  unsigned char box[kEntries];   ///< Of the last round.
};

/// Of a grid that is resident as a whole.
constexpr int kResidentBlock = 1024;

/// What its threads read: the tables of the inverse cipher as FIPS-197 describes it first.
struct PlainTables {
  unsigned int keys[kKeyWords];  ///< In the order of use.
  unsigned char inverse_box[kEntries];
};

}  // namespace aes_decrypt
