#pragma once

// Runs all variants of a program of tests/corpus/language.

#include <algorithm>
#include <filesystem>
#include <functional>

#include "device/corpus/corpus_runner.h"
#include "source_file.h"

namespace heddle::corpus {

using Words = std::vector<std::uint32_t>;

/// The number of threads with which most programs run, and the number of threads per block.
inline constexpr int kThreads = 256;
inline constexpr int kBlock = 64;

/// The variants of a program, which differ in the compiler's options: "language/NAME" and all
/// "language/variants/NAME.*".
inline std::vector<std::string> variants_of(const std::string& name) {
  std::vector<std::string> variants;
  const std::filesystem::path folder = source_file("tests/corpus/language/variants");
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().filename().string().starts_with(name + "."))
      variants.push_back("language/variants/" + entry.path().stem().string());
  std::sort(variants.begin(), variants.end());
  variants.insert(variants.begin(), "language/" + name);
  return variants;
}

/// Calls `check` for each variant, loaded on a new device. An exception fails the test, and the
/// other variants still run.
inline void for_each_variant(const std::string& name,
                             const std::function<void(Program&, const std::string&)>& check,
                             const device::DeviceOptions& options = {}) {
  for (const std::string& variant : variants_of(name)) {
    SCOPED_TRACE(variant);
    try {
      Program program(variant, options);
      check(program, variant);
    } catch (const std::exception& error) {
      ADD_FAILURE() << error.what();
    }
  }
}

/// Compares the results of all threads with `expected`, which returns those of one thread. The k-th
/// result of thread i is actual[k * kThreads + i].
template <class T>
void expect_results(const std::vector<T>& actual,
                    const std::function<std::vector<T>(int)>& expected) {
  int reported = 0;
  for (int i = 0; i < kThreads && reported < 5; ++i) {
    const std::vector<T> results = expected(i);
    ASSERT_EQ(actual.size(), results.size() * kThreads);
    for (std::size_t k = 0; k < results.size() && reported < 5; ++k)
      if (!(actual[k * kThreads + i] == results[k])) {
        ADD_FAILURE() << "result " << k << " of thread " << i << " is " << actual[k * kThreads + i]
                      << ", not " << results[k];
        ++reported;
      }
  }
}

/// Runs program(in, out, count) in every variant, and compares the results as expect_results()
/// does.
template <class T>
void check_program(const std::string& name, const std::vector<T>& in,
                   const std::function<std::vector<T>(int)>& expected,
                   std::uint32_t dynamic_shared_bytes = 0,
                   const device::DeviceOptions& options = {}) {
  for_each_variant(
      name,
      [&](Program& program, const std::string&) {
        const auto out = program.zeros<T>(expected(0).size() * kThreads);
        program.launch("program", {{kThreads / kBlock}, {kBlock}, dynamic_shared_bytes},
                       program.upload(in), out, kThreads);
        expect_results<T>(out.download(), expected);
      },
      options);
}

inline std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
inline std::uint32_t low_word(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
inline std::uint32_t high_word(std::uint64_t value) {
  return static_cast<std::uint32_t>(value >> 32);
}

}  // namespace heddle::corpus
