// C++ functions and types in device code: calls, recursion, pointers, classes, structures.

#include <array>
#include <cstdio>
#include <memory>

#include "base/file.h"
#include "device/corpus/language_runner.h"
#include "source_file.h"

namespace heddle::corpus {
namespace {

Words random_words(std::uint64_t seed, int count = kThreads) { return Random(seed).words(count); }

TEST(CorpusLanguage, StructuresArePassedByValue) {
  struct Inner {
    char tag;
    double weight;
    short pair[3];
  };
  struct Outer {
    int id;
    Inner inner[2];
    unsigned char mask : 3;
    unsigned char rest : 5;
    long long big;
  };
  struct alignas(16) Wide {
    float values[12];
  };
  Outer outer = {};
  outer.id = 1000000;
  outer.inner[0] = {'a', 2.5, {100, -200, 300}};
  outer.inner[1] = {-5, -7.25, {1, 2, -3}};
  outer.mask = 6;
  outer.rest = 21;
  outer.big = -0x123456789abcdefll;
  Wide wide;
  for (int k = 0; k < 12; ++k) wide.values[k] = 0.5f * static_cast<float>(k);
  const char last = -3;
  const Words in = random_words(1);
  for_each_variant("structs_by_value", [&](Program& program, const std::string&) {
    const auto out = program.zeros<std::uint32_t>(4 * kThreads);
    program.launch("program", {{4}, {64}}, program.upload(in), out, kThreads, outer, wide, last);
    expect_results<std::uint32_t>(out.download(), [&](int i) -> Words {
      // The kernel swaps the parts once or twice. The second swap restores everything except the
      // mask.
      const bool twice = in[i] & 1;
      const Inner& first = outer.inner[twice ? 0 : 1];
      const Inner& chosen = outer.inner[(in[i] / 2 % 2 == 0) == twice ? 0 : 1];
      const long long big = twice ? outer.big : -outer.big;
      const auto big_bits = static_cast<std::uint64_t>(big);
      const std::uint32_t mask = twice ? 0 : 7;
      return {static_cast<std::uint32_t>(outer.id + chosen.tag + chosen.pair[in[i] % 3]),
              bits_of(wide.values[in[i] % 12] + static_cast<float>(first.weight)),
              high_word(big_bits) ^ low_word(big_bits),
              mask << 16 | 21u << 8 | static_cast<unsigned char>(last)};
    });
  });
}

TEST(CorpusLanguage, FunctionsRecurse) {
  const Words in = random_words(2);
  device::DeviceOptions options;
  options.stack_bytes = 16 << 10;
  check_program<std::uint32_t>(
      "recursion", in,
      [&](int i) {
        const std::uint32_t n = in[i] / 3 % 4;
        const Words ackermann = {n + 1, n + 2, 2 * n + 3};
        Words results = {ackermann[in[i] % 3], in[i] % 23 % 2 == 0};
        for (int k = 0; k < 12; ++k) results.push_back(in[(i + k * 7) % kThreads] >> 8);
        std::sort(results.begin() + 2, results.end());
        return results;
      },
      0, options);
}

TEST(CorpusLanguage, FunctionPointersReachTheirFunctions) {
  const Words in = random_words(3, 2 * kThreads);
  auto apply = [](std::uint32_t which, std::uint32_t a, std::uint32_t b) {
    if (which == 0) return a + b;
    if (which == 1) return a - b;
    if (which == 2) return a * b;
    for (std::uint32_t k = b % 5; k > 0; --k) a = (a << 5) - a + b;
    return a;
  };
  check_program<std::uint32_t>("function_pointers", in, [&](int i) -> Words {
    const std::uint32_t a = in[i], b = in[kThreads + i];
    return {apply(a % 4, a, b), i / kBlock % 2 ? a + b : a * b, apply(b % 4, apply(b % 4, a, b), b),
            a > b ? apply(3, b, a) : b - a};
  });
}

TEST(CorpusLanguage, VirtualFunctionsAreThoseOfTheObject) {
  const Words in = random_words(4);
  check_program<std::uint32_t>("virtual_functions", in, [&](int i) -> Words {
    float area = 0;
    std::uint32_t corners = 0;
    for (std::uint32_t k = 0; k < 2; ++k) {
      const float size = static_cast<float>(in[i] / (k + 1) % 16 + 4);
      const std::uint32_t kind = (in[i] >> k) % 3;
      area += kind == 0 ? 3 * size * size : kind == 1 ? size * (size + 1) : 2 * size * size - 9;
      corners = corners * 16 + 4 * kind;
    }
    return {bits_of(area), corners};
  });
}

TEST(CorpusLanguage, TemplatesAndLambdasAreExpanded) {
  const Words in = random_words(5, 2 * kThreads);
  check_program<std::uint32_t>("templates_lambdas", in, [&](int i) -> Words {
    const std::uint32_t a = in[i], b = in[kThreads + i];
    std::uint64_t power = 1;
    for (int k = 0; k < 13; ++k) power *= a % 1000;
    const std::uint32_t sum =
        a + (b & 0xffff) + static_cast<std::uint32_t>(static_cast<std::int8_t>(b)) + 832040u;
    const int x = static_cast<int>(b % 64) - 32;
    const int value = 3 - 2 * x + 7 * x * x + x * x * x - x * x * x * x;
    return {(a ^ b) * 3 + a, low_word(power), high_word(power), sum,
            static_cast<std::uint32_t>(value)};
  });
}

TEST(CorpusLanguage, CallsPassManyArgumentsAndReturnStructures) {
  const Words in = random_words(6);
  check_program<std::uint32_t>("calls", in, [&](int i) -> Words {
    const std::uint32_t value = in[i];
    double sum = value % 11 + static_cast<double>(static_cast<std::uint8_t>(value)) +
                 static_cast<std::int16_t>(value) + static_cast<double>(std::uint64_t{value} << 8);
    sum += value % 3 + value % 5 * 0.5 + (value & 1 ? 100 : 0) + value % 100 + value % 50 +
           value % 90 + value % 4 * 3 - 3;
    using Matrix = std::array<float, 9>;
    auto times = [](const Matrix& a, const Matrix& b) {
      Matrix c = {};
      for (int k = 0; k < 27; ++k)
        c[k / 9 * 3 + k % 3] += a[k / 9 * 3 + k / 3 % 3] * b[k / 3 % 3 * 3 + k % 3];
      return c;
    };
    Matrix matrix;
    for (int k = 0; k < 9; ++k) matrix[k] = static_cast<float>((value >> k) % 4);
    const Matrix squared = times(matrix, matrix);
    const Matrix result = value % 2 ? times(squared, matrix) : squared;
    const auto bits = std::bit_cast<std::uint64_t>(sum);
    return {low_word(bits), high_word(bits), bits_of(result[value % 3 * 3 + value / 3 % 3]),
            value / (value % 1000 + 1), value % (value % 1000 + 1)};
  });
}

TEST(CorpusLanguage, PrintingFormatsLikeC) {
  const Words in = random_words(7);
  for_each_variant("printing", [&](Program& program, const std::string&) {
    const auto out = program.zeros<std::uint32_t>(kThreads);
    program.launch("program", {{4}, {64}}, program.upload(in), out, kThreads);
    std::string expected = "plain text, 100%\n";
    char line[200];
    auto format = [&](const char* form, auto... values) {
      std::snprintf(line, sizeof line, form, values...);
      expected += line;
    };
    expected += "-7 7 ff FF 10 h|   42|42   |00042|+42\n";
    expected += "-5000000000 18000000000000000000 feedfacecafe -3\n";
    expected += "1.500000 2.35    3.142 1.234568e+04 0.0001 1E+20\n";
    expected += "text and      right|left  |cut\n";
    expected += "    17 2.000\n";
    for (int i = 0; i < 3; ++i) format("thread %d of %d holds %u\n", i, kThreads, in[i]);
    EXPECT_EQ(program.printed(), expected);
    EXPECT_EQ(out.download()[0], 10u) << "printf must return the number of its arguments";
  });
}

TEST(CorpusLanguage, AssertionsThatHoldAreSilent) {
  const Words in = random_words(8);
  check_program<std::uint32_t>("assertions", in, [&](int i) -> Words {
    return {in[i] == 0 ? 0 : in[i] >> std::countr_zero(in[i])};
  });
}

TEST(CorpusLanguage, DeviceHeapHoldsTrees) {
  const Words in = random_words(9);
  struct Node {
    std::uint32_t key;
    std::unique_ptr<Node> left, right;
  };
  check_program<std::uint32_t>("device_heap", in, [&](int i) -> Words {
    std::unique_ptr<Node> root;
    for (std::uint32_t k = 0; k < 1 + in[i] % 6; ++k) {
      const std::uint32_t key = in[(i + k) % kThreads] % 100;
      std::unique_ptr<Node>* link = &root;
      while (*link) link = key < (*link)->key ? &(*link)->left : &(*link)->right;
      *link = std::make_unique<Node>(Node{key, nullptr, nullptr});
    }
    std::uint32_t depth = 0, sum = 0, order = 0;
    for (const Node* node = root.get(); node; node = node->left.get()) ++depth;
    const std::function<void(const Node*)> walk = [&](const Node* node) {
      if (!node) return;
      sum += node->key * ++order;
      walk(node->right.get());
      walk(node->left.get());
    };
    walk(root.get());
    return {depth, sum, static_cast<std::uint32_t>(15 * i) & 0xff};
  });
}

TEST(CorpusLanguage, PunningKeepsTheBytes) {
  const Words in = random_words(10);
  check_program<std::uint32_t>("type_punning", in, [&](int i) -> Words {
    const std::uint32_t value = in[i];
    const float number = std::bit_cast<float>((value & 0xffffffu) | 0x42000000u);
    const std::uint32_t a = value & 31, c = value >> 9 & 0x1ffff;
    int b = static_cast<int>((value >> 5 & 127) + 3) & 127;
    if (b >= 64) b -= 128;
    const std::uint64_t d = std::uint64_t{value} * 1000003 & 0xff'ffff'ffffu;
    return {bits_of(number * 2), static_cast<std::uint32_t>(static_cast<int>(a) + b * 64) + c,
            low_word(d >> 20), value >> 8 | 2u << 24, (value & 0xff) * 0x01010101u};
  });
}

TEST(CorpusLanguage, ManyValuesLiveAtOnceAcrossCalls) {
  const auto in = Random(11).singles(kThreads, -1, 1);
  for_each_variant("long_loop", [&](Program& program, const std::string&) {
    const auto out = program.zeros<float>(kThreads);
    program.launch("program", {{4}, {64}}, program.upload(in), out, kThreads);
    std::vector<double> expected;
    for (int i = 0; i < kThreads; ++i) {
      auto v = [&](int k) { return double(in[(i + k) % kThreads]); };
      double sum = v(0) / 2 + 1;
      for (int k = 0; k < 40; ++k) sum = sum * 0.75 + v(k) * v((k * 7 + 3) % 40);
      sum = sum / 2 + 1;
      for (int k = 0; k < 40; ++k) sum += v(k) * (39 - k);
      expected.push_back(sum);
    }
    expect_close(out.download(), expected, 1e-4, 1e-4);
  });
}

TEST(CorpusLanguage, UnitsCompiledApartAreLinked) {
  const Words in = random_words(12);
  const Words table = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
  constexpr float kWeights[] = {0.5f, -1.25f, 3.0f, 1e10f};
  for (const std::string variant :
       {"link/main_unit.ptx link/library_unit.ptx",
        "link/variants/main_unit.O0.ptx link/variants/library_unit.O0.ptx"}) {
    SCOPED_TRACE(variant);
    const std::size_t space = variant.find(' ');
    std::vector<device::PtxSource> sources;
    for (const std::string& file : {variant.substr(0, space), variant.substr(space + 1)})
      sources.push_back({file, read_file(source_file("tests/corpus/" + file))});
    device::Device device;
    const auto& module = device.load(sources);
    const auto device_in = device.upload(in), out = device.upload(Words(5 * kThreads));
    device.launch_with(device.find_kernel(module, "program"), {{4}, {64}}, device_in, out,
                       kThreads);
    expect_results<std::uint32_t>(
        device.download<std::uint32_t>(out, 5 * kThreads), [&](int i) -> Words {
          std::uint32_t mixed = in[i], sum = 0;
          for (std::uint32_t k = 0; k < in[i] % 5; ++k) mixed = (mixed ^ 0x5aa5) + mixed * 5 + 2;
          std::uint64_t product = 1;
          for (std::uint32_t k = 0; k < 1 + in[i] % 16; ++k)
            sum += table[k], product *= table[k] + 11;
          return {mixed + in[i] * 7 + 1, sum, low_word(product) ^ high_word(product),
                  bits_of(kWeights[in[i] % 4]), in[i] % 2 ? 2 * in[i] : in[i] ^ 0x5aa5};
        });
    const auto counter = device.upload(Words(1));
    device.launch_with(device.find_kernel(module, "read_counter"), {{1}, {1}}, counter);
    EXPECT_EQ(device.download<std::uint32_t>(counter, 1)[0], 100u + kThreads);
  }
}

}  // namespace
}  // namespace heddle::corpus
