#include "sm/memory/load_store_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "config/set_parameter.h"
#include "sm/memory/load_store_unit.h"

namespace heddle::sm {
namespace {

using ::testing::HasSubstr;

LoadStoreDescription description_with(std::initializer_list<const char*> values) {
  LoadStoreDescription description;
  config::Declarations parameters;
  description.declare(parameters);
  for (const char* value : values) config::set_parameter(parameters, value);
  return description;
}

void make(const LoadStoreDescription& description, std::uint32_t interleave_bytes = 256) {
  const LoadStoreUnit unit(description, {}, {},
                           memory::AddressMap({.interleave_bytes = interleave_bytes}), 0);
}

std::string refusal(const LoadStoreDescription& description, std::uint32_t interleave_bytes = 256) {
  try {
    make(description, interleave_bytes);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(LoadStoreDescription, DefaultsAreValid) { EXPECT_NO_THROW(make({})); }

TEST(LoadStoreDescription, RejectsSegmentLargerThanLine) {
  EXPECT_THAT(refusal(description_with({"l1.line_bytes=64"})),
              HasSubstr("coalescer.segment_bytes is 128"));
  EXPECT_EQ(refusal(description_with({"l1.line_bytes=64", "coalescer.segment_bytes=64"})), "");
  EXPECT_EQ(refusal(description_with({"l1.line_bytes=64", "l1.present=no"})), "");
}

TEST(LoadStoreDescription, RejectsRequestLargerThanPartitionInterleave) {
  EXPECT_THAT(refusal({}, 64), HasSubstr("at most 64, the number of consecutive bytes"));
  EXPECT_EQ(refusal(description_with({"lsu.request_bytes=64"}), 64), "");
  EXPECT_THAT(refusal(description_with({"lsu.request_bytes=96"})), HasSubstr("power of two"));
}

TEST(LoadStoreDescription, RejectsSectorLargerThanRequest) {
  EXPECT_THAT(refusal(description_with({"lsu.request_bytes=32", "coalescer.sector_bytes=64"})),
              HasSubstr("a request must hold a sector"));
}

TEST(LoadStoreDescription, ErrorNamesInvalidCache) {
  EXPECT_THAT(refusal(description_with({"l1.bytes=1000"})), HasSubstr("l1: "));
  EXPECT_THAT(refusal(description_with({"texture.ways=7"})), HasSubstr("texture: "));
  EXPECT_THAT(refusal(description_with({"constant.line_bytes=48"})), HasSubstr("constant: "));
}

}  // namespace
}  // namespace heddle::sm
