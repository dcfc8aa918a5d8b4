#include "base/small_vector.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace heddle {
namespace {

using Vector = SmallVector<int, 2>;

std::vector<int> elements(const Vector& vector) { return {vector.begin(), vector.end()}; }

/// The numbers from 0 to count - 1.
Vector first_numbers(int count) {
  Vector vector;
  for (int i = 0; i < count; ++i) vector.push_back(i);
  return vector;
}

TEST(SmallVector, KeepsElementsInlineAndOnHeap) {
  for (int count = 0; count < 40; ++count) {
    const Vector vector = first_numbers(count);
    std::vector<int> expected;
    for (int i = 0; i < count; ++i) expected.push_back(i);
    EXPECT_EQ(elements(vector), expected);
    EXPECT_EQ(vector.empty(), count == 0);
    if (count > 0) {
      EXPECT_EQ(vector.back(), count - 1);
    }
  }
}

TEST(SmallVector, RemovesElementsFromTheEnd) {
  Vector vector = first_numbers(9);
  vector.pop_back();
  EXPECT_EQ(vector.back(), 7);
  vector.shrink(1);
  EXPECT_EQ(elements(vector), std::vector<int>{0});
  vector.push_back(5);
  EXPECT_EQ(elements(vector), (std::vector<int>{0, 5}));
}

TEST(SmallVector, PushesItsOwnElementWhileGrowing) {
  Vector vector = first_numbers(2);
  vector.push_back(vector[1]);
  EXPECT_EQ(elements(vector), (std::vector<int>{0, 1, 1}));
}

TEST(SmallVector, SupportsCopyAndMove) {
  for (const int count : {0, 2, 3, 17}) {
    Vector from = first_numbers(count);
    Vector copy(from);
    copy.push_back(100);
    EXPECT_EQ(elements(from), elements(first_numbers(count)));
    Vector moved(std::move(from));
    EXPECT_EQ(elements(moved), elements(first_numbers(count)));
    from = first_numbers(1);  // A moved-from vector can be used again.
    EXPECT_EQ(elements(from), std::vector<int>{0});
    from = copy;
    EXPECT_EQ(elements(from), elements(copy));
    from = std::move(moved);
    EXPECT_EQ(elements(from), elements(first_numbers(count)));
  }
}

}  // namespace
}  // namespace heddle
