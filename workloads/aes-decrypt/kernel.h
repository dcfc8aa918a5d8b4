#pragma once

// What host and kernel agree on.

namespace aes_decrypt {

constexpr int kThreads = 256;
constexpr int kRounds = 10;  ///< AES-128
/// Words of a block of the cipher: the columns of its state.
constexpr int kColumns = 4;
constexpr int kKeyWords = kColumns * (kRounds + 1);
constexpr int kEntries = 256;
/// A thread block processes this many times 1 KB, so that loading the tables pays.
constexpr int kPasses = 4;

/// The tables in device memory. Each thread block loads a copy.
struct Tables {
  /// mixed[r][b] is what S-box and mixing of columns together make of byte b in row r, or what
  /// their inverses make of it. A word's lowest byte is row 0.
  unsigned int mixed[4][kEntries];
  unsigned int keys[kKeyWords];  ///< In the order of use; for decryption, mixed.
  unsigned char box[kEntries];   ///< For the last round.
};

/// Threads of a block in the resident form, whose grid is resident as a whole.
constexpr int kResidentBlock = 1024;

/// The tables of the resident form: those of the inverse cipher as FIPS-197 describes it first.
struct PlainTables {
  unsigned int keys[kKeyWords];  ///< In the order of use.
  unsigned char inverse_box[kEntries];
};

}  // namespace aes_decrypt
