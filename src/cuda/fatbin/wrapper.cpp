#include "cuda/fatbin/wrapper.h"

#include <fmt/format.h>

#include "base/error.h"
#include "cuda/fatbin/readable_memory.h"

namespace heddle::cuda {
namespace {

constexpr std::uint32_t kMagic = 0x4662'43b1;
constexpr std::uint32_t kLinkedVersion = 2;

}  // namespace

std::vector<const void*> fat_binaries_of(const FatBinaryWrapper& wrapper) {
  if (wrapper.magic != kMagic) {
    throw InputError(
        fmt::format("the program registers data that is not a fat binary: it begins with "
                    "{:#010x}, not {:#010x}",
                    wrapper.magic, kMagic));
  }
  std::vector<const void*> binaries;
  if (wrapper.version == kLinkedVersion && wrapper.prelinked != nullptr) {
    const void* const* next = wrapper.prelinked;
    for (std::size_t readable = readable_memory_at(next).size() / sizeof *next; readable > 0;
         --readable, ++next) {
      if (*next == nullptr) break;
      binaries.push_back(*next);
    }
  }
  if (binaries.empty()) binaries.push_back(wrapper.data);
  return binaries;
}

}  // namespace heddle::cuda
