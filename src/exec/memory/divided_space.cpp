#include "exec/memory/divided_space.h"

#include <fmt/format.h>

#include "base/error.h"

namespace heddle::exec {
namespace {

/// The size of the whole address space, in bytes. Throws InputError if a part is too large.
std::uint64_t checked_bytes(std::uint32_t parts, std::uint64_t bytes_of_each) {
  if (bytes_of_each > DividedSpace::kStride) {
    throw InputError(
        fmt::format("a program that shares the device can have at most {} bytes of address space, "
                    "and needs {} (a little more than twice its memory capacity): reduce the "
                    "capacity",
                    DividedSpace::kStride, bytes_of_each));
  }
  return (parts - 1) * DividedSpace::kStride + bytes_of_each;
}

}  // namespace

DividedSpace::DividedSpace(std::uint32_t parts, std::uint64_t bytes_of_each)
    : whole_(checked_bytes(parts, bytes_of_each)) {}

}  // namespace heddle::exec
