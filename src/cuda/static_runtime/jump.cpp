#include "cuda/static_runtime/jump.h"

#include <cstring>

namespace heddle::cuda {

std::array<std::byte, kJumpBytes> jump_to(std::uint64_t target) {
#if defined(__x86_64__)
  // movabs $target, %r11; jmp *%r11. Arguments are never passed in r11.
  constexpr std::size_t kTarget = 2;
  std::array code{std::byte{0x49}, std::byte{0xbb}, std::byte{},    std::byte{}, std::byte{},
                  std::byte{},     std::byte{},     std::byte{},    std::byte{}, std::byte{},
                  std::byte{0x41}, std::byte{0xff}, std::byte{0xe3}};
#else
  // ldr x16, 8 bytes from here; br x16; the target. x16 is reserved for such jumps.
  constexpr std::size_t kTarget = 8;
  std::array code{std::byte{0x50}, std::byte{0x00}, std::byte{0x00}, std::byte{0x58},
                  std::byte{0x00}, std::byte{0x02}, std::byte{0x1f}, std::byte{0xd6},
                  std::byte{},     std::byte{},     std::byte{},     std::byte{},
                  std::byte{},     std::byte{},     std::byte{},     std::byte{}};
#endif
  static_assert(code.size() == kJumpBytes);
  std::memcpy(code.data() + kTarget, &target, sizeof target);
  return code;
}

}  // namespace heddle::cuda
