#include "cuda/runtime/registered_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "cuda/runtime/error_of.h"

namespace heddle::cuda {
namespace {

class RegisteredMemoryTest : public ::testing::Test {
 protected:
  RegisteredMemoryTest() {
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<unsigned char>(i % 251);
  }

  /// The host address of a byte of `memory`.
  std::uint64_t host(std::size_t offset = 0) const {
    return reinterpret_cast<std::uint64_t>(memory.data()) + offset;
  }
  /// A pointer to the byte of simulated device memory at an address.
  unsigned char* on_device(std::uint64_t address) {
    return reinterpret_cast<unsigned char*>(device.memory().host(address));
  }

  device::Device device{{.memory = {.capacity = 1 << 20}}};
  std::vector<unsigned char> memory = std::vector<unsigned char>(20'000);
  RegisteredMemory registered;
};

TEST_F(RegisteredMemoryTest, RejectsOverlappingRanges) {
  registered.add(1000, 100, 3);
  EXPECT_EQ(registered.flags_at(1099), 3U);
  EXPECT_FALSE(registered.flags_at(1100));
  EXPECT_FALSE(registered.flags_at(999));
  const auto add = [&](std::uint64_t at, std::uint64_t bytes) {
    return error_of([&] { registered.add(at, bytes, 0); });
  };
  EXPECT_EQ(add(1099, 10), Error::already_registered);
  EXPECT_EQ(add(900, 101), Error::already_registered);
  EXPECT_EQ(add(900, 400), Error::already_registered);
  EXPECT_EQ(add(900, 100), Error::success);
  EXPECT_EQ(add(1100, 1), Error::success);
  EXPECT_EQ(add(5000, 0), Error::invalid_value);
  registered.remove(1000, device);
  EXPECT_EQ(error_of([&] { registered.remove(1000, device); }), Error::not_registered);
}

TEST_F(RegisteredMemoryTest, MapsAddressesToDeviceAndBack) {
  registered.add(host(), memory.size(), 0);
  const std::uint64_t begin = registered.device_address(host(), device);
  EXPECT_EQ(registered.device_address(host(1234), device), begin + 1234);
  EXPECT_EQ(registered.host_address(begin), host());
  EXPECT_EQ(registered.host_address(begin + memory.size() - 1), host(memory.size() - 1));
  EXPECT_FALSE(registered.host_address(begin + memory.size()));
  EXPECT_FALSE(registered.host_address(begin - 1));
  EXPECT_EQ(error_of([&] { registered.device_address(host(memory.size()), device); }),
            Error::invalid_value);
}

TEST_F(RegisteredMemoryTest, CopiesHostContentsToDeviceBeforeKernel) {
  registered.add(host(), memory.size(), 0);
  const std::uint64_t begin = registered.device_address(host(), device);
  registered.copy_to(device);
  EXPECT_EQ(std::memcmp(on_device(begin), memory.data(), memory.size()), 0);
  memory[7] = 200;
  registered.copy_to(device);
  EXPECT_EQ(on_device(begin)[7], 200);
}

TEST_F(RegisteredMemoryTest, CopiesBackOnlyBytesThatKernelChanged) {
  registered.add(host(), memory.size(), 0);
  const std::uint64_t begin = registered.device_address(host(), device);
  registered.copy_to(device);
  on_device(begin)[5000] ^= 0xff;
  on_device(begin)[19'999] ^= 0xff;
  // Another host thread writes a byte next to one of the kernel's, and a byte elsewhere.
  memory[5001] = 250;
  memory[100] = 251;
  std::vector<unsigned char> expected = memory;
  expected[5000] ^= 0xff;
  expected[19'999] ^= 0xff;
  registered.copy_back_from(device);
  EXPECT_EQ(memory, expected);
}

TEST_F(RegisteredMemoryTest, AllocatesDeviceMemoryOnFirstRequest) {
  registered.add(host(), memory.size(), 0);
  registered.copy_to(device);
  EXPECT_EQ(device.memory().used(), 0U);
  registered.device_address(host(), device);
  EXPECT_GE(device.memory().used(), memory.size());
  registered.remove(host(), device);
  EXPECT_EQ(device.memory().used(), 0U);
}

TEST_F(RegisteredMemoryTest, ReportsOutOfDeviceMemory) {
  registered.add(host(), 2 << 20, 0);
  EXPECT_EQ(error_of([&] { registered.device_address(host(), device); }), Error::memory_allocation);
}

}  // namespace
}  // namespace heddle::cuda
