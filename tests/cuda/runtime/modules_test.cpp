#include "cuda/runtime/modules.h"

#include <gtest/gtest.h>

#include "cuda/runtime/error_of.h"

namespace heddle::cuda {
namespace {

std::vector<device::PtxSource> texts_with_one_variable() {
  return {{.file = "test.ptx",
           .text = ".version 8.0\n.target sm_75\n.address_size 64\n"
                   ".visible .global .align 4 .u32 present = 7;\n"
                   ".visible .entry k() { ret; }\n"}};
}

class ModuleTest : public ::testing::Test {
 protected:
  Error load() {
    return error_of([&] { module.load(device); });
  }

  device::Device device{{.memory = {.capacity = 1 << 20}}};
  Module module{texts_with_one_variable()};
  void* present = nullptr;
  void* absent = nullptr;
};

TEST_F(ModuleTest, StoresAddressesOfManagedVariablesWhenLoaded) {
  module.managed_variables.push_back({.pointer = &present, .name = "present"});
  EXPECT_EQ(load(), Error::success);
  ASSERT_NE(present, nullptr);
  EXPECT_EQ(*static_cast<const std::uint32_t*>(present), 7U);
  EXPECT_EQ(module.target().number, 75U);
}

TEST_F(ModuleTest, FailsAtEveryLoadIfManagedVariableIsMissing) {
  module.managed_variables.push_back({.pointer = &present, .name = "present"});
  module.managed_variables.push_back({.pointer = &absent, .name = "absent"});
  EXPECT_EQ(load(), Error::symbol_not_found);
  EXPECT_EQ(load(), Error::symbol_not_found) << "expected the error of the first load";
  EXPECT_FALSE(module.is_loaded());
  EXPECT_EQ(device.memory().used(), 0U) << "expected the module's memory to be freed";
  EXPECT_EQ(present, nullptr) << "expected no address of freed memory";
}

}  // namespace
}  // namespace heddle::cuda
