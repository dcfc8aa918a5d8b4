#include "cuda/driver/procedures.h"

#include <gtest/gtest.h>

#include "cuda/runtime/error.h"

extern "C" void cuMemAlloc();
extern "C" void cuMemAlloc_v2();
extern "C" void cuCtxCreate();
extern "C" void cuCtxCreate_v2();
extern "C" void cuCtxCreate_v3();
extern "C" void cuCtxCreate_v4();
extern "C" void cuMemcpyHtoD_v2();
extern "C" void cuMemcpyHtoD_v2_ptds();
extern "C" void cuInit();
extern "C" void cuGraphCreate();

namespace heddle::cuda::driver {
namespace {

/// The address of a function of the driver for a CUDA version, such as 13000.
void* address_of(const char* name, int version, bool per_thread = false) {
  return find_procedure(name, version, per_thread).address;
}
void* pointer_to(void (*function)()) { return reinterpret_cast<void*>(function); }

TEST(Procedures, MatchRequestedVersion) {
  EXPECT_EQ(address_of("cuMemAlloc", 3010), pointer_to(&cuMemAlloc));
  EXPECT_EQ(address_of("cuMemAlloc", 3020), pointer_to(&cuMemAlloc_v2));
  EXPECT_EQ(address_of("cuMemAlloc", 13000), pointer_to(&cuMemAlloc_v2));
  EXPECT_EQ(address_of("cuCtxCreate", 2000), pointer_to(&cuCtxCreate));
  EXPECT_EQ(address_of("cuCtxCreate", 11030), pointer_to(&cuCtxCreate_v2));
  EXPECT_EQ(address_of("cuCtxCreate", 11040), pointer_to(&cuCtxCreate_v3));
  EXPECT_EQ(address_of("cuCtxCreate", 13000), pointer_to(&cuCtxCreate_v4));
}

TEST(Procedures, UsePerThreadVariantIfRequested) {
  EXPECT_EQ(address_of("cuMemcpyHtoD", 12000, true), pointer_to(&cuMemcpyHtoD_v2_ptds));
  EXPECT_EQ(address_of("cuMemcpyHtoD", 12000, false), pointer_to(&cuMemcpyHtoD_v2));
  EXPECT_EQ(address_of("cuInit", 12000, true), pointer_to(&cuInit));
}

TEST(Procedures, IncludeUnsupportedFunctions) {
  EXPECT_EQ(address_of("cuGraphCreate", 12000), pointer_to(&cuGraphCreate));
}

TEST(Procedures, ReportWhyFunctionIsMissing) {
  EXPECT_EQ(find_procedure("cuNothing", 13000, false).status, ProcedureStatus::no_such_name);
  EXPECT_EQ(find_procedure("cuMemAlloc_v2", 13000, false).status, ProcedureStatus::no_such_name);
  EXPECT_EQ(find_procedure("cuGraphCreate", 9000, false).status, ProcedureStatus::not_in_version);
  EXPECT_EQ(find_procedure("cuInit", 2000, false).status, ProcedureStatus::found);
}

TEST(Procedures, RejectUnknownFlags) {
  EXPECT_FALSE(requests_per_thread_streams(0));
  EXPECT_FALSE(requests_per_thread_streams(1));
  EXPECT_TRUE(requests_per_thread_streams(2));
  EXPECT_THROW(requests_per_thread_streams(3), Failure);
}

}  // namespace
}  // namespace heddle::cuda::driver
