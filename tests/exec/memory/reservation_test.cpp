#include "exec/memory/reservation.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/error.h"

namespace heddle::exec {
namespace {

constexpr std::uint64_t kBytes = 1 << 20;

std::uint64_t address_of(const Reservation& reservation) {
  return reinterpret_cast<std::uint64_t>(reservation.base());
}

TEST(Reservation, ReservesAtFreeAddress) {
  auto first = std::make_unique<Reservation>(kBytes);
  const std::uint64_t address = address_of(*first);
  first.reset();
  Reservation second(kBytes, address);
  EXPECT_EQ(address_of(second), address);
  second.commit(kBytes);
  second.base()[kBytes - 1] = std::byte{7};
}

TEST(Reservation, RejectsAddressInUseAndKeepsExistingMapping) {
  Reservation first(kBytes);
  first.commit(kBytes);
  first.base()[100] = std::byte{7};
  EXPECT_THROW(Reservation(kBytes, address_of(first)), InputError);
  EXPECT_EQ(first.base()[100], std::byte{7});
}

}  // namespace
}  // namespace heddle::exec
