// Cooperation of threads: divergence, warps, barriers, cooperative groups, clocks, tensor cores.

#include <gmock/gmock.h>

#include <array>

#include "base/error.h"
#include "device/corpus/language_runner.h"

namespace heddle::corpus {
namespace {

Words random_words(std::uint64_t seed, int count = kThreads) { return Random(seed).words(count); }

TEST(CorpusLanguage, SwitchesAndByteCodeTakeTheRightPath) {
  Words in = random_words(50, 2 * kThreads);
  for (int i = 0; i < kThreads; i += 2) in[kThreads + i] = 999 + in[kThreads + i] % 6;
  for (int i = 1; i < kThreads; i += 16) in[kThreads + i] = i % 32 == 1 ? 4095 : 2500;
  check_program<std::uint32_t>("switch_table", in, [&](int i) -> Words {
    std::uint32_t x = in[i], y = 1;
    std::uint32_t at = 0;
    for (int steps = 0; at < 24 && steps < 40; ++steps, ++at) {
      const std::uint32_t code = (in[(i + at) % kThreads] >> (at % 16)) % 14;
      if (code == 4) y = x >> 5;
      const std::uint32_t values[] = {x + y,
                                      x - y,
                                      x * (y | 1),
                                      x ^ (y << 3),
                                      ~x,
                                      ~x,
                                      x,
                                      std::rotl(x, 7),
                                      x,
                                      x & (0xfffffff0u | y),
                                      x,
                                      x,
                                      x / (y % 9 + 1),
                                      x};
      if (code == 8) at += x & 1;
      if (code == 6) y += 7;
      if (code == 10) y ^= x;
      if (code == 11) at += 2;
      if (code == 13) break;
      x = values[code];
    }
    const std::uint32_t sparse = in[kThreads + i] % 4096;
    std::uint32_t chosen = y;
    if (sparse == 7) chosen = 1;
    if (sparse >= 1000 && sparse <= 1003) chosen = 2;
    if (sparse == 4095) chosen = 3;
    if (sparse == 2500 || sparse == 2501) chosen = 4;
    return {x, chosen};
  });
}

std::uint32_t collatz(std::uint32_t n) {
  for (std::uint32_t steps = 0; n > 1;) {
    n = n % 2 ? 3 * n + 1 : n / 2;
    if (++steps > 60) return 1000 + n % 7;
    if (n <= 1) return steps;
  }
  return 0;
}

TEST(CorpusLanguage, DivergentLoopsReconverge) {
  const Words in = random_words(51);
  check_program<std::uint32_t>("divergence", in, [&](int i) -> Words {
    const std::uint32_t value = in[i];
    std::uint32_t a = 0, b = 1;
    bool done = false;
    for (std::uint32_t outer = 0; outer < value % 9 && !done; ++outer) {
      if (outer == 5) continue;
      std::uint32_t inner = outer;
      while ((value >> inner) % 5 != 0 && !done) {
        done = inner > 20;
        if (done) break;
        const bool odd = value % 3 == 0 && inner % 2 == 1;
        if (odd || (value >> 4) % 4 == 1)
          b += inner;
        else
          a += inner * b;
        ++inner;
      }
      if (!done) a ^= outer;
    }
    const std::uint32_t first = a * 7 + b;

    std::uint32_t c = value;
    for (bool again = true; again;) {
      bool has_left = false;
      if (c % 4 == 3) {
        c -= 3;
        has_left = c % 8 == 0;
      } else if (c % 4 == 2) {
        c /= 2;
      } else {
        while (c % 4 < 2 && c > 3) c = c / 4 + c % 4;
        has_left = c < 2;
      }
      again = !has_left && c > 10;
    }

    std::uint32_t last = 0;
    if (value % 7 != 0) {
      std::uint32_t state = value % 4;
      for (std::uint32_t turns = 1; turns <= 30 && state != 3; ++turns) {
        bool multiply = state == 1;
        if (state == 0) {
          b += 3;
          state = b % 3;
          multiply = b % 5 == 0;
        } else if (state == 2) {
          state = (value >> turns) % 4;
        }
        if (multiply) {
          b *= 5;
          state = (b >> 3) % 4;
        }
      }
      last = b;
    }
    return {first, collatz(value % 97 + 1), c, last};
  });
}

TEST(CorpusLanguage, WarpsShuffleVoteAndMatch) {
  Words in = random_words(52);
  for (int i = 96; i < 128; ++i) in[i] = in[i] / 64 * 64 + in[i] % 33;  // One uniform warp.
  check_program<std::uint32_t>("warp_functions", in, [&](int i) -> Words {
    const int lane = i % 32, first = i - lane;
    auto at = [&](int other) { return in[first + other]; };
    const std::uint32_t value = in[i];
    auto ballot = [&](auto test) {
      std::uint32_t mask = 0;
      for (int other = 0; other < 32; ++other)
        if (test(other)) mask |= 1u << other;
      return mask;
    };
    const std::uint64_t wide = std::uint64_t{at(lane ^ 1)} << 20;
    const std::uint32_t alike = ballot([&](int k) { return at(k) % 64 / 33 == at(0) % 64 / 33; });
    Words results = {at(lane * 7 % 32),
                     at(lane >= 3 ? lane - 3 : lane),
                     at(lane + 5 < 32 ? lane + 5 : lane),
                     at(lane ^ 21),
                     at(lane / 8 * 8 + (lane + 3) % 8),
                     at(lane % 16 >= 2 ? lane - 2 : lane),
                     at(lane % 4 < 3 ? lane + 1 : lane),
                     at(lane ^ 4),
                     low_word(wide),
                     high_word(wide),
                     bits_of(static_cast<float>(at(lane < 16 ? lane + 16 : lane) % 1000)),
                     ballot([&](int k) { return at(k) & 4; })};
    const bool any = ballot([&](int k) { return at(k) % 64 == 0; }) != 0;
    const bool all = ballot([&](int k) { return at(k) > 5; }) == 0xffffffff;
    results.push_back(std::uint32_t{any} | std::uint32_t{all} << 1);
    results.push_back(ballot([&](int k) { return at(k) % 4 == value % 4; }));
    results.push_back(alike == 0xffffffff ? alike : 0);
    results.push_back(alike == 0xffffffff);
    results.push_back(ballot([&](int k) { return at(k) % 3 == value % 3; }));
    results.push_back(
        lane % 3 != 0 ? 0
                      : (ballot([&](int k) { return k % 3 == 0 && (at(k) & 1); }) ^ at(6)) + 11);
    results.push_back(ballot([&](int k) { return k % 2 == lane % 2 && at(k) % 2 == value % 2; }));
    return results;
  });
}

TEST(CorpusLanguage, WarpsReduceInOneInstruction) {
  const Words in = random_words(53);
  check_program<std::uint32_t>("warp_reduction", in, [&](int i) -> Words {
    const int lane = i % 32, first = i - lane;
    std::uint32_t sum = 0, least = 0xffffffff, all = 0xffffffff, any = 0, odd = 0, part = 0;
    auto most = static_cast<std::int32_t>(in[first]);
    for (int k = 0; k < 32; ++k) {
      const std::uint32_t value = in[first + k];
      sum += value;
      least = std::min(least, value);
      most = std::max(most, static_cast<std::int32_t>(value));
      all &= value | 0xffff;
      any |= value & 0xf0f0;
      odd ^= value;
      if (k < 11) part += value;
    }
    return {sum, least, static_cast<std::uint32_t>(most), all, any, odd, lane < 11 ? part : 7};
  });
}

TEST(CorpusLanguage, CooperativeGroupsWorkInTiles) {
  const Words in = random_words(54);
  check_program<std::uint32_t>("cooperative", in, [&](int i) -> Words {
    const int thread = i % 64, block = i - thread, lane = i % 32, warp = i - lane;
    auto at = [&](int other) { return in[other] % 1000; };
    std::uint32_t tile_sum = 0, tile_most = 0, warp_sum = 0, ballot = 0, odd = 0, match = 0;
    std::uint32_t before = 0;
    bool big = false;
    for (int k = 0; k < 32; ++k) {
      const std::uint32_t value = at(warp + k);
      warp_sum += value;
      if (value > 500) ballot |= 1u << k;
      if (value % 2) {
        ++odd;
        before += k < lane;
        big |= value > 990;
      }
      if (k / 8 == lane / 8) {
        tile_sum += value;
        tile_most = std::max(tile_most, value);
      }
      if (k / 16 == lane / 16 && value % 2 == at(i) % 2) match |= 1u << k % 16;
    }
    const std::uint32_t rank = at(i) % 2 ? before * 100 + odd + (big ? 10000 : 0) : 0;
    return {tile_sum,
            static_cast<std::uint32_t>(thread / 8 * 100 + thread % 8),
            warp_sum,
            tile_most,
            at(block + 63 - thread),
            rank,
            ballot,
            match};
  });
}

TEST(CorpusLanguage, BarriersCountAndHaveNames) {
  Random random(55);
  Words in(kThreads);
  for (auto& value : in) value = 4 + random.word() % 2000;
  in[200] = 65;
  for_each_variant("barriers", [&](Program& program, const std::string&) {
    const auto out = program.zeros<std::uint32_t>(4 * kThreads);
    program.launch("program", {{2}, {128}}, program.upload(in), out, kThreads);
    expect_results<std::uint32_t>(out.download(), [&](int i) -> Words {
      const int thread = i % 128, first = i - thread;
      std::uint32_t odd = 0, large = 0;
      bool any = false;
      for (int k = 0; k < 128; ++k) {
        odd += in[first + k] % 2;
        any |= in[first + k] % 64 == 1;
        large += k < 96 && in[first + k] > 1000;
      }
      const std::uint32_t made = thread < 64 ? 0 : in[i - 64];
      return {odd + (any ? 1000 : 0) + 10000, thread < 64 ? 0 : made * 13 + 5,
              thread < 96 ? in[first + 95 - thread] : 0, thread < 96 ? large : 0};
    });
  });
}

TEST(CorpusLanguage, ClocksRunAndSpecialRegistersIdentifyTheThread) {
  const Words in = random_words(56);
  check_program<std::uint32_t>(
      "clocks", in,
      [&](int i) -> Words {
        std::uint32_t sum = 0;
        for (std::uint32_t k = 0; k < in[i] % 50; ++k) sum += in[(i + k) % kThreads];
        const auto lane = static_cast<std::uint32_t>(i % 32);
        return {sum,  1,
                lane, low_word((std::uint64_t{2} << lane) - 1),
                1,    32 + kThreads / kBlock * 100 + kBlock * 10000 + 48};
      },
      48);
}

/// Whether the device rejects the program; then the message must name the instruction.
bool is_rejected(Program& program, const std::string& instruction) {
  try {
    program.device().launch_with(program.find_kernel("program"), {{1}, {1}});
  } catch (const InputError& error) {
    const std::string message = error.what();
    if (message.find("does not support") == std::string::npos) return false;
    EXPECT_THAT(message, testing::HasSubstr(instruction));
    return true;
  }
  return false;
}

TEST(CorpusLanguage, BarriersInMemoryWorkOrAreRejectedByName) {
  const Words in = random_words(58);
  for_each_variant("arrival_barrier", [&](Program& program, const std::string&) {
    if (is_rejected(program, "mbarrier.init.shared.b64")) return;
    const auto out = program.zeros<std::uint32_t>(kThreads);
    program.launch("program", {{4}, {64}}, program.upload(in), out, kThreads);
    expect_results<std::uint32_t>(
        out.download(), [&](int i) -> Words { return {in[i / 64 * 64 + (i % 64 ^ 37)] + 5}; });
  });
}

TEST(CorpusLanguage, TensorCoresMultiplyMatricesOrAreRejectedByName) {
  Random random(57);
  // Bit patterns of 0, 1, ..., 8 as halves. With small integers all products and sums are exact.
  constexpr std::uint16_t kHalves[] = {0,      0x3c00, 0x4000, 0x4200, 0x4400,
                                       0x4500, 0x4600, 0x4700, 0x4800};
  std::vector<int> a(256), b(256);
  std::vector<std::uint16_t> half_a, half_b;
  auto draw = [&](std::vector<int>& values, std::vector<std::uint16_t>& halves) {
    for (int& value : values) {
      value = random.below(17) - 8;
      halves.push_back(
          static_cast<std::uint16_t>(kHalves[std::abs(value)] | (value < 0 ? 0x8000 : 0)));
    }
  };
  draw(a, half_a);
  draw(b, half_b);
  const auto c = random.integers(256, -100, 100);
  for_each_variant("tensor_cores", [&](Program& program, const std::string&) {
    const auto d = program.zeros<float>(256), d_mma = program.zeros<float>(128);
    if (is_rejected(program, "wmma.load.a.sync.aligned.row.m16n16k16")) return;
    program.launch("program", {{1}, {32}}, program.upload(half_a), program.upload(half_b),
                   program.upload(std::vector<float>(c.begin(), c.end())), d, d_mma);
    std::vector<float> expected, expected_mma;
    for (int row = 0; row < 16; ++row)
      for (int column = 0; column < 16; ++column) {
        int sum = c[row * 16 + column], part = 0;
        for (int k = 0; k < 16; ++k) {
          sum += a[row * 16 + k] * b[column * 16 + k];
          if (k < 8) part += a[row * 16 + k] * b[column * 16 + k];
        }
        expected.push_back(static_cast<float>(2 * sum));
        if (column < 8) expected_mma.push_back(static_cast<float>(part));
      }
    expect_equal(d.download(), expected);
    expect_equal(d_mma.download(), expected_mma);
  });
}

}  // namespace
}  // namespace heddle::corpus
