// Memory in device code: spaces, tables, arrays, vectors, atomics, fences.

#include <array>

#include "device/corpus/language_runner.h"

namespace heddle::corpus {
namespace {

Words random_words(std::uint64_t seed, int count = kThreads) { return Random(seed).words(count); }

TEST(CorpusLanguage, StaticAndDynamicSharedMemoryLieApart) {
  const Words in = random_words(30);
  check_program<std::uint32_t>(
      "shared_memory", in,
      [&](int i) -> Words {
        const int thread = i % kBlock, first = i - thread;
        std::uint32_t total = 0;
        for (int k = 0; k < thread % 8; ++k) total += in[first + k];
        const auto narrow = static_cast<std::int16_t>(in[first + (thread + 55) % 64]);
        return {in[first + 63 - thread] + static_cast<std::uint32_t>(i / kBlock) + 3,
                in[first + 63 - thread] >> 24, in[first + (thread ^ 5)] / 2,
                static_cast<std::uint32_t>(narrow), total};
      },
      64 * 4 + 64);
}

TEST(CorpusLanguage, TablesHoldTheirInitialValuesAndAddresses) {
  const Words in = random_words(31);
  check_program<std::uint32_t>("initialised_tables", in, [&](int i) -> Words {
    const std::uint32_t value = in[i];
    const std::string names[] = {"squares", "middle", "few"};
    const std::vector<int> tables[] = {
        {0, 1, 4, 9, 16, 25, 36, 49}, {9, 16, 25, 36}, {-1, -2, 0, 0, 0}};
    constexpr float kScales[] = {1.5f, -2.0f, 0.25f};
    constexpr int kCorners[] = {1, 2, 3, -4, -5, -6};
    constexpr double kNumbers[] = {3.141592653589793, -0.0, 1e300};
    const std::uint32_t which = value % 3;
    const auto length = static_cast<std::uint32_t>(names[which].size());
    const auto bits = std::bit_cast<std::uint64_t>(kNumbers[which]);
    const int corner = kCorners[value % 2 * 3 + value / 2 % 3];
    return {length * 1000 + static_cast<std::uint32_t>(names[which][value % length]),
            static_cast<std::uint32_t>(tables[which][value / 3 % tables[which].size()]),
            bits_of(kScales[which] * static_cast<float>(corner)),
            16 + 4,
            high_word(bits) ^ low_word(bits),
            static_cast<std::uint32_t>("heddle"[value % 7]),
            1};
  });
}

TEST(CorpusLanguage, LocalArraysAreIndexedByData) {
  const Words in = random_words(32);
  check_program<std::uint32_t>("local_arrays", in, [&](int i) -> Words {
    std::array<std::uint32_t, 16> counts = {};
    std::array<std::uint8_t, 32> bytes = {};
    std::array<double, 4> doubles = {1, 2, 4, 8};
    for (int k = 0; k < 32; ++k) {
      const std::uint32_t value = in[(i + k) % kThreads];
      counts.at(value % 16)++;
      bytes.at(value % 32) = static_cast<std::uint8_t>(k);
      bytes.at(k) = static_cast<std::uint8_t>(bytes.at(k) ^ value >> 8);
      doubles.at(value % 4) += value % 8;
    }
    std::uint32_t mixed = 0;
    for (std::uint32_t k = 0; k < 32; ++k) mixed = mixed * 31 + bytes.at(k * in[i] % 32);
    // Element s of the kernel's pairs has the k for which (3 k + in) % 5 == s in 32-bit arithmetic.
    std::array<std::uint32_t, 5> first = {}, second = {};
    for (std::uint32_t k = 0; k < 5; ++k) {
      first.at((k * 3 + in[i]) % 5) = k * 1000;
      second.at((k * 3 + in[i]) % 5) = in[i] >> k;
    }
    return {counts[in[i] % 16] * 100 + counts[15], mixed,
            static_cast<std::uint32_t>(doubles[in[i] % 4]), first[1] + second[in[i] % 5]};
  });
}

TEST(CorpusLanguage, StackSpaceIsAllocatedDynamically) {
  const Words in = random_words(33);
  device::DeviceOptions options;
  options.stack_bytes = 4 << 10;
  check_program<std::uint32_t>(
      "stack_allocation", in,
      [&](int i) -> Words {
        std::uint32_t total = 0;
        for (int k = static_cast<int>(in[i] % 20); k >= 0; --k)
          total = total * 17 + (in[(i + k) % kThreads] >> 4);
        return {total};
      },
      0, options);
}

TEST(CorpusLanguage, VectorsAreLoadedAndStored) {
  const Words in = random_words(34, 4 * kThreads);
  for_each_variant("vector_access", [&](Program& program, const std::string&) {
    const auto out = program.zeros<std::uint32_t>(5 * 4 * kThreads);
    program.launch("program", {{4}, {64}}, program.upload(in), out, kThreads);
    Words expected;
    auto put = [&](std::initializer_list<std::uint32_t> words) {
      expected.insert(expected.end(), words);
    };
    auto swapped = [](std::uint32_t word) { return word << 16 | word >> 16; };
    for (int i = 0; i < kThreads; ++i)
      put({in[4 * i + 3], in[4 * i + 2], in[4 * i + 1], in[4 * i]});
    for (int i = 0; i < kThreads; ++i)
      put({in[4 * i + 1], in[4 * i], swapped(in[4 * i + 3]), swapped(in[4 * i + 2])});
    for (int i = 0; i < kThreads; ++i) {
      const std::uint32_t x = in[4 * i];
      const std::uint32_t pair = in[4 * i + 1] >> 16, both = ((x & 0xff) + (x >> 8 & 0xff)) & 0xff;
      put({x >> 8 | x << 24, pair | both << 16 | 7u << 24, x, in[4 * i + 1]});
    }
    for (int i = 0; i < kThreads; ++i)
      for (const double value : {double(in[4 * i + 1]), in[4 * i] + 0.5}) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        put({low_word(bits), high_word(bits)});
      }
    for (int i = 0; i < kThreads; ++i)
      put({in[4 * i + 2], in[4 * i + 3], in[4 * i], in[4 * i + 1]});
    expect_equal(out.download(), expected);
  });
}

TEST(CorpusLanguage, GlobalAtomicsReturnOldAndStoreNewValues) {
  const Words in = random_words(35);
  for_each_variant("global_atomics", [&](Program& program, const std::string&) {
    Words before(12 * kThreads + 16);
    before[12 * kThreads + 5] = 0xffffffff;
    const auto out = program.upload(before);
    program.launch("program", {{4}, {64}}, program.upload(in), out, kThreads);
    auto actual = out.download();
    const Words shared(actual.end() - 16, actual.end());
    actual.resize(9 * kThreads);
    expect_results<std::uint32_t>(actual, [&](int i) -> Words {
      const std::uint32_t value = in[i];
      std::uint32_t cell = value + 5;
      const std::uint32_t before_inc = cell;
      cell = cell >= 1000 ? 0 : cell + 1;
      const std::uint32_t before_dec = cell;
      cell = cell == 0 || cell > 77 ? 77 : cell - 1;
      const std::uint32_t before_min = cell;
      cell = std::min(cell, 50u);
      const std::uint32_t before_max = cell;
      cell = std::max(cell, 60u);
      const std::uint32_t before_exchange = cell;
      // The old value is then value ^ 1, which is exchanged for 9. 9 & 13 is 9, 9 | 64 is 73, and
      // 73 ^ 3 is 74.
      return {73,
              value,
              before_inc ^ before_dec,
              before_min + before_max,
              before_exchange + (value ^ 1),
              9u | 9u << 8 | 73u << 16,
              bits_of(2.75f),
              bits_of(2.5f),
              74};
    });
    Words expected(16);
    expected[5] = 0xffffffff;
    std::int32_t least = 0;
    std::int64_t most = 0;
    std::uint64_t total = 0;
    for (std::uint32_t value : in) {
      expected[0] += value & 0xff;
      expected[1] = std::max(expected[1], value);
      least = std::min(least, static_cast<std::int32_t>(value));
      expected[3] ^= value;
      expected[4] |= 1u << value % 32;
      expected[5] &= ~(1u << value % 7);
      total += value;
      most =
          std::max<std::int64_t>(most, std::int64_t{static_cast<std::int32_t>(value)} * (1 << 20));
    }
    expected[2] = static_cast<std::uint32_t>(least);
    expected[6] = kThreads % 100;
    expected[7] = (100 - kThreads % 100) % 100;
    expected[8] = bits_of(float(kThreads));
    expected[11] = high_word(std::bit_cast<std::uint64_t>(kThreads * 0.5));
    expected[12] = low_word(total);
    expected[13] = high_word(total);
    expected[14] = low_word(static_cast<std::uint64_t>(most));
    expected[15] = high_word(static_cast<std::uint64_t>(most));
    expect_equal(shared, expected);
  });
}

TEST(CorpusLanguage, SharedAtomicsAddUpWithinABlock) {
  const Words in = random_words(36);
  for_each_variant("shared_atomics", [&](Program& program, const std::string&) {
    const auto out = program.zeros<std::uint32_t>(4 * 16);
    program.launch("program", {{4}, {64}}, program.upload(in), out, kThreads);
    Words expected;
    for (int block = 0; block < 4; ++block) {
      Words words = {0, 0, 0,    0xffffffff, 4242,          96, 96, 0,
                     0, 0, 2016, 192,        bits_of(1.0f), 64, 0,  0};
      std::uint64_t total = 0;
      for (int thread = 0; thread < 64; ++thread) {
        const std::uint32_t value = in[block * 64 + thread];
        words[0] += value % 100;
        words[1] = std::max(words[1], value >> 1);
        words[2] ^= value;
        words[3] = std::min(words[3], value);
        total += std::uint64_t{value} << 8;
      }
      words[8] = low_word(total);
      words[9] = high_word(total);
      expected.insert(expected.end(), words.begin(), words.end());
    }
    expect_equal(out.download(), expected);
  });
}

TEST(CorpusLanguage, LastBlockSeesWritesOfTheOthers) {
  const Words in = random_words(37);
  for_each_variant("fences", [&](Program& program, const std::string&) {
    const auto out = program.zeros<std::uint32_t>(5);
    program.launch("program", {{4}, {64}}, program.upload(in), out, kThreads);
    Words expected(5);
    for (int i = 0; i < kThreads; ++i) {
      expected[i / 64] += in[i] % 1000;
      expected[4] += in[i] % 1000;
    }
    expect_equal(out.download(), expected);
  });
}

TEST(CorpusLanguage, GenericPointersReachEverySpace) {
  const Words in = random_words(38);
  check_program<std::uint32_t>("spaces", in, [&](int i) -> Words {
    const std::uint32_t value = in[i], written = value % 1000;
    // The kernel represents a space by a bit: global 1, shared 2, local 4, constant 8. The first
    // result has the space of the data-dependent pointer in bits 0 to 3, that of a global variable
    // in bits 4 to 7, and that of a constant in bits 8 to 11.
    std::uint32_t locals = 10;
    if (value % 3 == 1) locals += written - (value / 3 % 4 + 1);
    const std::uint32_t space = value % 3 == 0 ? 2 : value % 3 == 1 ? 4 : 1;
    return {space | 1u << 4 | 8u << 8, (value % 2 ? written : 5 + value % 4) + locals,
            value % 3 == 2 ? written : 0};
  });
}

TEST(CorpusLanguage, LockIsHeldByOneThreadAtATime) {
  const Words in = random_words(39);
  for_each_variant("spin_lock", [&](Program& program, const std::string&) {
    const auto out = program.zeros<std::uint32_t>(2);
    program.launch("program", {{4}, {64}}, program.upload(in), out, kThreads);
    std::uint32_t total = 0;
    for (std::uint32_t value : in) total += value % 100;
    expect_equal(out.download(), Words{kThreads, total});
  });
}

TEST(CorpusLanguage, AsynchronousCopiesArriveBeforeTheirGroupIsWaitedFor) {
  const Words in = random_words(40);
  check_program<std::uint32_t>("async_copy", in, [&](int i) -> Words {
    const int thread = i % 64, first = i - thread, at = thread * 5 % 128;
    std::uint32_t staged = in[first + at % 64];
    if (at >= 64 && at % 4 >= 2) staged = 0;
    return {in[first + 63 - thread], staged};
  });
}

}  // namespace
}  // namespace heddle::corpus
