#pragma once

// Runs programs of tests/corpus on a simulated device and compares the resulting memory.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "source_file.h"

namespace heddle::corpus {

/// An array in device memory.
template <class T>
class Buffer {
 public:
  Buffer(device::Device& device, const std::vector<T>& values)
      : device_(&device), count_(values.size()), address_(device.upload(values)) {}

  std::vector<T> download() const { return device_->download<T>(address_, count_); }
  void assign(const std::vector<T>& values) {
    device_->copy_to_device(address_, std::as_bytes(std::span<const T>(values)));
  }
  device::DevicePointer address() const { return address_; }

 private:
  device::Device* device_;
  std::size_t count_;
  device::DevicePointer address_;
};

/// A device with one program of the corpus.
class Program {
 public:
  /// The path is relative to tests/corpus and has no suffix: "kernels/scan".
  explicit Program(const std::string& path, device::DeviceOptions options = {})
      : device_(with_print(options)),
        module_(&device_.load_file(source_file("tests/corpus/" + path + ".ptx"))) {}

  template <class T>
  Buffer<T> upload(const std::vector<T>& values) {
    return Buffer<T>(device_, values);
  }
  template <class T>
  Buffer<T> zeros(std::size_t count) {
    return Buffer<T>(device_, std::vector<T>(count));
  }
  template <class T>
  void set_symbol(std::string_view name, const std::vector<T>& values) {
    const auto symbol = device_.find_symbol(*module_, name);
    ASSERT_TRUE(symbol.has_value()) << name;
    ASSERT_LE(values.size() * sizeof(T), symbol->bytes) << name;
    device_.copy_to_device(symbol->address, std::as_bytes(std::span<const T>(values)));
  }

  /// Launches a kernel; buffers among the arguments are passed as addresses.
  template <class... Values>
  device::LaunchResult launch(std::string_view kernel,
                              const device::LaunchConfiguration& configuration,
                              const Values&... values) {
    device::Arguments arguments;
    (add(arguments, values), ...);
    return device_.launch(find_kernel(kernel), configuration, arguments);
  }

  device::Kernel find_kernel(std::string_view name) const {
    return device_.find_kernel(*module_, name);
  }
  device::Device& device() { return device_; }
  /// All text that the program's kernels have printed.
  const std::string& printed() const { return printed_; }

 private:
  device::DeviceOptions with_print(device::DeviceOptions options) {
    options.print = [this](std::string_view text) { printed_ += text; };
    return options;
  }
  template <class T>
  static void add(device::Arguments& arguments, const Buffer<T>& buffer) {
    arguments.add(buffer.address());
  }
  template <class T>
  static void add(device::Arguments& arguments, const T& value) {
    arguments.add(value);
  }

  std::string printed_;
  device::Device device_;
  const device::LoadedModule* module_;
};

/// Pseudorandom numbers that are the same on every host (SplitMix64).
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u) {}

  std::uint64_t wide() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  std::uint32_t word() { return static_cast<std::uint32_t>(wide() >> 32); }
  /// An integer from 0 to limit - 1.
  int below(int limit) { return static_cast<int>(word() % static_cast<std::uint32_t>(limit)); }
  double real(double low, double high) {
    return low + (high - low) * (static_cast<double>(wide() >> 11) * 0x1p-53);
  }
  float single(double low, double high) { return static_cast<float>(real(low, high)); }

  std::vector<std::uint32_t> words(int count) {
    std::vector<std::uint32_t> values(static_cast<std::size_t>(count));
    for (auto& value : values) value = word();
    return values;
  }
  std::vector<int> integers(int count, int low, int high) {
    std::vector<int> values(static_cast<std::size_t>(count));
    for (auto& value : values) value = low + below(high - low);
    return values;
  }
  std::vector<float> singles(int count, double low, double high) {
    std::vector<float> values(static_cast<std::size_t>(count));
    for (auto& value : values) value = single(low, high);
    return values;
  }
  std::vector<double> reals(int count, double low, double high) {
    std::vector<double> values(static_cast<std::size_t>(count));
    for (auto& value : values) value = real(low, high);
    return values;
  }

 private:
  std::uint64_t state_;
};

/// The number of blocks that contain `count` threads, with `block_threads` threads in each.
constexpr std::uint32_t blocks_for(int count, int block_threads) {
  return static_cast<std::uint32_t>((count + block_threads - 1) / block_threads);
}

/// Compares whole arrays. A failure names the first elements that differ.
template <class T>
void expect_equal(const std::vector<T>& actual, const std::vector<T>& expected) {
  ASSERT_EQ(actual.size(), expected.size());
  int reported = 0;
  for (std::size_t i = 0; i < actual.size() && reported < 5; ++i)
    if (!(actual[i] == expected[i])) {
      ADD_FAILURE() << "element " << i << " is " << +actual[i] << ", not " << +expected[i];
      ++reported;
    }
}

/// Compares whole arrays with a tolerance: |actual - expected| <= absolute + relative |expected|.
template <class T, class U>
void expect_close(const std::vector<T>& actual, const std::vector<U>& expected, double relative,
                  double absolute = 0.0) {
  ASSERT_EQ(actual.size(), expected.size());
  int reported = 0;
  for (std::size_t i = 0; i < actual.size() && reported < 5; ++i) {
    const double difference =
        std::fabs(static_cast<double>(actual[i]) - static_cast<double>(expected[i]));
    if (!(difference <= absolute + relative * std::fabs(static_cast<double>(expected[i])))) {
      ADD_FAILURE() << "element " << i << " is " << actual[i] << ", not " << expected[i];
      ++reported;
    }
  }
}

}  // namespace heddle::corpus
