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

void* found(const char* name, int version, bool per_thread = false) {
  return find_procedure(name, version, per_thread).address;
}
void* at(void (*function)()) { return reinterpret_cast<void*>(function); }

TEST(Procedures, MatchRequestedVersion) {
  EXPECT_EQ(found("cuMemAlloc", 3010), at(&cuMemAlloc));
  EXPECT_EQ(found("cuMemAlloc", 3020), at(&cuMemAlloc_v2));
  EXPECT_EQ(found("cuMemAlloc", 13000), at(&cuMemAlloc_v2));
  EXPECT_EQ(found("cuCtxCreate", 2000), at(&cuCtxCreate));
  EXPECT_EQ(found("cuCtxCreate", 11030), at(&cuCtxCreate_v2));
  EXPECT_EQ(found("cuCtxCreate", 11040), at(&cuCtxCreate_v3));
  EXPECT_EQ(found("cuCtxCreate", 13000), at(&cuCtxCreate_v4));
}

TEST(Procedures, UsePerThreadVariantIfRequested) {
  EXPECT_EQ(found("cuMemcpyHtoD", 12000, true), at(&cuMemcpyHtoD_v2_ptds));
  EXPECT_EQ(found("cuMemcpyHtoD", 12000, false), at(&cuMemcpyHtoD_v2));
  EXPECT_EQ(found("cuInit", 12000, true), at(&cuInit));
}

TEST(Procedures, IncludeUnsupportedFunctions) {
  EXPECT_EQ(found("cuGraphCreate", 12000), at(&cuGraphCreate));
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
