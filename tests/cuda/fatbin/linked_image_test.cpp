// Tests of linked images: what cuLinkComplete() returns, which contains several PTX texts.

#include "cuda/fatbin/linked_image.h"

#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"

namespace heddle::cuda {
namespace {

TEST(LinkedImage, ReturnsTextsInOrder) {
  const std::string image = linked_image_of({{"a.ptx", "first"}, {"", ""}, {"b.ptx", "second\n"}});
  const std::vector<LinkedText> texts = texts_of_linked_image(image.data());
  ASSERT_EQ(texts.size(), 3U);
  EXPECT_EQ(texts[0].name, "a.ptx");
  EXPECT_EQ(texts[0].ptx, "first");
  EXPECT_EQ(texts[1].ptx, "");
  EXPECT_EQ(texts[2].ptx, "second\n");
}

TEST(LinkedImage, HasSizeInItsHeader) {
  const std::string image = linked_image_of({{"a.ptx", "first"}});
  EXPECT_EQ(linked_image_bytes(image), image.size());
  EXPECT_EQ(linked_image_bytes(image + "more"), image.size());
  EXPECT_EQ(linked_image_bytes(".version 7.5 and so on"), 0U);
  EXPECT_EQ(linked_image_bytes(image.substr(0, 8)), 0U);
}

TEST(LinkedImage, RejectsLengthsBeyondItsEnd) {
  const std::string image = linked_image_of({{"a.ptx", "first"}, {"b.ptx", "second"}});
  constexpr std::size_t kHeader = 16;  // Bytes.
  const std::string no_magic = "xxxx" + image.substr(4);
  EXPECT_THROW(texts_of_linked_image(no_magic.data()), InputError);
  std::size_t rejections = 0;
  for (std::size_t at = kHeader; at + 8 <= image.size(); ++at) {
    std::string broken = image;
    const std::uint64_t length = ~std::uint64_t{0};
    std::memcpy(&broken[at], &length, sizeof length);
    try {
      texts_of_linked_image(broken.data());
    } catch (const InputError&) {
      ++rejections;
    }
  }
  EXPECT_GT(rejections, 4U);
}

}  // namespace
}  // namespace heddle::cuda
