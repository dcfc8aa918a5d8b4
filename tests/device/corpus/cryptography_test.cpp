// Kernels of ciphers, hashes, modular arithmetic and random numbers.

#include <algorithm>
#include <array>

#include "device/corpus/corpus_runner.h"

namespace heddle::corpus {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// The product of two elements of AES's finite field, which has 256 elements.
std::uint8_t field_product(int a, int b) {
  int product = 0;
  for (; b != 0; b >>= 1) {
    if (b & 1) product ^= a;
    a <<= 1;
    if (a & 0x100) a ^= 0x11b;
  }
  return static_cast<std::uint8_t>(product);
}

/// The substitution box of AES.
Bytes substitution_box() {
  Bytes box(256);
  for (int x = 0; x < 256; ++x) {
    int inverse = 0;
    for (int y = 1; y < 256; ++y)
      if (field_product(x, y) == 1) inverse = y;
    int value = 0x63;
    for (int turn = 0; turn < 5; ++turn) value ^= (inverse << turn | inverse >> (8 - turn)) & 0xff;
    box[x] = static_cast<std::uint8_t>(value);
  }
  return box;
}

/// AES-128 as described in the standard, byte by byte.
class Aes {
 public:
  explicit Aes(const Bytes& key) : box_(substitution_box()), keys_(key) {
    int constant = 1;
    for (int word = 4; word < 44; ++word) {
      Bytes last(keys_.end() - 4, keys_.end());
      if (word % 4 == 0) {
        std::rotate(last.begin(), last.begin() + 1, last.end());
        for (auto& byte : last) byte = box_[byte];
        last[0] ^= static_cast<std::uint8_t>(constant);
        constant = field_product(constant, 2);
      }
      for (int k = 0; k < 4; ++k) keys_.push_back(keys_[(word - 4) * 4 + k] ^ last[k]);
    }
  }
  const Bytes& box() const { return box_; }
  const Bytes& keys() const { return keys_; }

  Bytes encrypt(Bytes state) const {
    auto add_key = [&](int round) {
      for (int k = 0; k < 16; ++k) state[k] ^= keys_[16 * round + k];
    };
    add_key(0);
    for (int round = 1; round <= 10; ++round) {
      Bytes shifted(16);
      for (int column = 0; column < 4; ++column)
        for (int row = 0; row < 4; ++row)
          shifted[4 * column + row] = box_[state[4 * ((column + row) % 4) + row]];
      state = shifted;
      if (round < 10)
        for (int k = 0; k < 16; ++k) {
          auto at = [&](int offset) { return shifted[k / 4 * 4 + (k + offset) % 4]; };
          state[k] = field_product(at(0), 2) ^ field_product(at(1), 3) ^ at(2) ^ at(3);
        }
      add_key(round);
    }
    return state;
  }

 private:
  Bytes box_, keys_;
};

TEST(CorpusCryptography, AesEncryptsTheStandardsExampleAndRandomBlocks) {
  constexpr int kCount = 300;
  Random random(70);
  Bytes key, plain;
  for (int k = 0; k < 16; ++k) {
    key.push_back(static_cast<std::uint8_t>(k));
    plain.push_back(static_cast<std::uint8_t>(k * 0x11));
  }
  while (plain.size() < 16 * kCount) plain.push_back(static_cast<std::uint8_t>(random.word()));
  const Aes aes(key);
  Bytes expected;
  for (int i = 0; i < kCount; ++i) {
    const Bytes block = aes.encrypt(Bytes(plain.begin() + 16 * i, plain.begin() + 16 * i + 16));
    expected.insert(expected.end(), block.begin(), block.end());
  }
  const Bytes known = {0x69, 0xc4, 0xe0, 0xd8, 0x6a, 0x7b, 0x04, 0x30,
                       0xd8, 0xcd, 0xb7, 0x80, 0x70, 0xb4, 0xc5, 0x5a};
  ASSERT_EQ(Bytes(expected.begin(), expected.begin() + 16), known);
  Program program("kernels/aes");
  program.set_symbol("aes_round_keys", aes.keys());
  program.set_symbol("aes_sbox", aes.box());
  const auto cipher = program.zeros<std::uint8_t>(plain.size());
  program.launch("aes128_encrypt", {{2}, {256}}, program.upload(plain), cipher, kCount);
  expect_equal(cipher.download(), expected);
}

TEST(CorpusCryptography, Sha256AgreesWithKnownDigests) {
  constexpr int kCount = 103;
  std::vector<std::string> texts = {"", "abc", "The quick brown fox jumps over the lazy dog"};
  for (int i = 0; i < 100; ++i) {
    const std::string digits = std::to_string(i);
    texts.push_back(digits + digits + digits);
  }
  std::vector<std::uint32_t> messages(16 * kCount);
  for (int i = 0; i < kCount; ++i) {
    std::string block = texts[i] + '\x80';
    block.resize(64);
    for (int k = 0; k < 64; ++k)
      messages[k / 4 * kCount + i] |= std::uint32_t(static_cast<unsigned char>(block[k]))
                                      << (24 - k % 4 * 8);
    messages[15 * kCount + i] = static_cast<std::uint32_t>(texts[i].size() * 8);
  }
  Program program("kernels/sha256");
  const auto digests = program.zeros<std::uint32_t>(8 * kCount);
  program.launch("sha256_block", {{2}, {64}}, program.upload(messages), digests, kCount);
  const auto actual = digests.download();
  auto digest = [&](int i) {
    std::vector<std::uint32_t> words;
    for (int k = 0; k < 8; ++k) words.push_back(actual[k * kCount + i]);
    return words;
  };
  using Words = std::vector<std::uint32_t>;
  EXPECT_EQ(digest(0), (Words{0xe3b0c442, 0x98fc1c14, 0x9afbf4c8, 0x996fb924, 0x27ae41e4,
                              0x649b934c, 0xa495991b, 0x7852b855}));
  EXPECT_EQ(digest(1), (Words{0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223, 0xb00361a3,
                              0x96177a9c, 0xb410ff61, 0xf20015ad}));
  EXPECT_EQ(digest(2), (Words{0xd7a8fbb3, 0x07d78094, 0x69ca9abc, 0xb0082e4f, 0x8d5651e4,
                              0x6d3cdb76, 0x2d02d0bf, 0x37c9e592}));
  // The digests of all numbers, combined into one. The expected value is from an independent
  // implementation.
  Words folded(8);
  for (int i = 3; i < kCount; ++i)
    for (int k = 0; k < 8; ++k) folded[k] = folded[k] * 31 + digest(i)[k];
  EXPECT_EQ(folded, (Words{0x8cbd2d42, 0x2ca099be, 0x1edf2e91, 0x15d8c509, 0x39df2b9a, 0xfb4d70d6,
                           0x4362e60a, 0x115f0a2f}));
}

TEST(CorpusCryptography, Md5SearchFindsTheNumberOfADigest) {
  constexpr int kCount = 512;
  std::vector<std::uint32_t> sines;
  for (int i = 1; i <= 64; ++i)
    sines.push_back(
        static_cast<std::uint32_t>(std::floor(std::fabs(std::sin(double(i))) * 0x1p32)));
  ASSERT_EQ(sines[0], 0xd76aa478u);
  // The digest of "123", which is the number 321 in the kernel's order of digits.
  const std::array<std::uint32_t, 4> target = {0x62b92c20, 0x5b0759ac, 0x15074b96, 0x704b232d};
  Program program("kernels/md5");
  program.set_symbol("md5_sines", sines);
  const auto found = program.zeros<std::uint32_t>(1);
  const auto digests = program.zeros<std::uint32_t>(4 * kCount);
  program.launch("md5_search", {{4}, {128}}, 0u, static_cast<std::uint32_t>(kCount), target, found,
                 digests);
  EXPECT_EQ(found.download()[0], 321u);
  std::array<std::uint32_t, 4> folded = {};
  const auto actual = digests.download();
  for (int i = 0; i < kCount; ++i)
    for (int k = 0; k < 4; ++k) folded[k] = folded[k] * 31 + actual[4 * i + k];
  EXPECT_EQ(folded, (std::array<std::uint32_t, 4>{0x0c8a458b, 0xaa087afb, 0x04e5b91a, 0xc2331840}));
}

TEST(CorpusCryptography, ModularPowersAgreeWithWideArithmetic) {
  constexpr int kCount = 90;
  Random random(71);
  std::vector<std::uint64_t> bases(kCount), exponents(kCount), moduli(kCount), expected(kCount);
  for (int i = 0; i < kCount; ++i) {
    bases[i] = random.wide();
    exponents[i] = random.wide() >> random.below(64);
    moduli[i] = random.wide() >> (i % 3 == 0 ? random.below(60) : 0) | 3;
    if (i == 7) exponents[i] = 0;
    __extension__ using Wide = unsigned __int128;
    Wide power = bases[i] % moduli[i], result = 1;
    for (std::uint64_t bits = exponents[i]; bits != 0; bits >>= 1) {
      if (bits & 1) result = result * power % moduli[i];
      power = power * power % moduli[i];
    }
    expected[i] = static_cast<std::uint64_t>(result % moduli[i]);
  }
  Program program("kernels/modular");
  const auto results = program.zeros<std::uint64_t>(kCount);
  program.launch("modular_power", {{3}, {32}}, program.upload(bases), program.upload(exponents),
                 program.upload(moduli), results, kCount);
  expect_equal(results.download(), expected);

  const auto primes = program.zeros<std::uint32_t>(1);
  program.launch("count_primes", {{16}, {64}}, 0u, 1000u, primes);
  EXPECT_EQ(primes.download()[0], 168u);
}

TEST(CorpusCryptography, MersenneTwisterGeneratesTheSameNumbersAsTheHost) {
  constexpr int kThreads = 64, kNumbers = 70, kState = 64, kMiddle = 25;
  Random random(72);
  Program program("kernels/random");
  const auto seeds = random.words(kThreads);
  const auto numbers = program.zeros<std::uint32_t>(kThreads * kNumbers);
  program.launch("mersenne_twister", {{2}, {32}}, program.upload(seeds), numbers, kNumbers);
  std::vector<std::uint32_t> expected(kThreads * kNumbers);
  for (int thread = 0; thread < kThreads; ++thread) {
    std::vector<std::uint32_t> x = {seeds[thread]};
    for (std::uint32_t i = 1; i < kState; ++i)
      x.push_back(1812433253u * (x.back() ^ (x.back() >> 30)) + i);
    for (int i = 0; i < kNumbers; ++i) {  // The recurrence over an infinite sequence.
      const std::uint32_t joined = (x[i] & 0x80000000u) | (x[i + 1] & 0x7fffffffu);
      std::uint32_t y = x[i + kMiddle] ^ (joined >> 1);
      if (joined & 1) y ^= 0x9908b0dfu;
      x.push_back(y);
      y ^= y >> 11;
      y ^= (y << 7) & 0x9d2c5680u;
      y ^= (y << 15) & 0xefc60000u;
      expected[i * kThreads + thread] = y ^ (y >> 18);
    }
  }
  expect_equal(numbers.download(), expected);
}

TEST(CorpusCryptography, MonteCarloHitsAreCountedExactly) {
  constexpr int kThreads = 128, kRounds = 40;
  Program program("kernels/random");
  const auto hits = program.zeros<std::uint64_t>(1);
  program.launch("monte_carlo_pi", {{2}, {64}}, std::uint64_t{12345}, kRounds, hits);
  std::uint64_t expected = 0;
  for (std::uint64_t thread = 1; thread <= kThreads; ++thread) {
    std::uint64_t x = 12345 + 0x9e3779b97f4a7c15u * thread;
    for (int i = 0; i < kRounds; ++i) {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
      const float u = float(std::uint32_t(x) >> 8) * 0x1p-24f;
      const float v = float(std::uint32_t(x >> 40)) * 0x1p-24f;
      expected += std::fma(u, u, v * v) < 1.0f;
    }
  }
  EXPECT_EQ(hits.download()[0], expected);
}

TEST(CorpusCryptography, SobolPointsAreThoseOfTheGrayCode) {
  constexpr int kCount = 512, kDimensions = 2;
  Random random(73);
  Program program("kernels/random");
  std::vector<std::uint32_t> directions;
  for (int d = 0; d < kDimensions; ++d)
    for (int k = 0; k < 32; ++k)
      directions.push_back((d == 0 ? 0u : random.word() & (0x7fffffffu >> k)) | 0x80000000u >> k);
  const auto points = program.zeros<float>(kCount * kDimensions);
  program.launch("sobol", {{2, kDimensions}, {64}}, program.upload(directions), points, kCount, 7);
  std::vector<float> expected;
  for (int d = 0; d < kDimensions; ++d)
    for (std::uint32_t i = 0; i < kCount; ++i) {
      std::uint32_t x = 0;
      for (int k = 0; k < 32; ++k)
        if ((i ^ (i >> 1)) >> k & 1) x ^= directions[32 * d + k];
      expected.push_back(float(x) * 0x1p-32f);
    }
  expect_equal(points.download(), expected);
}

}  // namespace
}  // namespace heddle::corpus
