#include "cuda/runtime/loading.h"

#include <gtest/gtest.h>

#include "cuda/fatbin/fat_binary_bytes.h"

namespace heddle::cuda {
namespace {

TEST(Loading, ReadsFatBinariesOfLinkedObjects) {
  FatBinaryBytes linked, first, second;
  linked.add({.kind = kElfKind, .payload = "machine code"});
  first.add({.payload = "// first"});
  second.add({.payload = "// second"});
  const void* const prelinked[] = {first.bytes().data(), second.bytes().data(), nullptr};
  const FatBinaryWrapper wrapper{0x4662'43b1, 2, linked.bytes().data(), prelinked};

  const std::vector<device::PtxSource> sources = sources_of(&wrapper, "loaded.ptx");

  ASSERT_EQ(sources.size(), 2U);
  EXPECT_EQ(sources[0].text, "// first");
  EXPECT_EQ(sources[1].text, "// second");
}

}  // namespace
}  // namespace heddle::cuda
