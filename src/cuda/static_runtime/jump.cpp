#include "cuda/static_runtime/jump.h"

#include <cstring>

namespace heddle::cuda {

std::array<std::byte, kJumpBytes> jump_to(std::uint64_t target) {
#if defined(__x86_64__)
  // movabs $target, %r11; jmp *%r11. No argument is ever passed in r11.
  constexpr std::size_t kTargetOffset = 2;
  std::array code{std::byte{0x49}, std::byte{0xbb}, std::byte{},    std::byte{}, std::byte{},
                  std::byte{},     std::byte{},     std::byte{},    std::byte{}, std::byte{},
                  std::byte{0x41}, std::byte{0xff}, std::byte{0xe3}};
#else
  // ldr x16, 8 bytes ahead; br x16; then the target. x16 is reserved for such jumps.
  constexpr std::size_t kTargetOffset = 8;
  std::array code{std::byte{0x50}, std::byte{0x00}, std::byte{0x00}, std::byte{0x58},
                  std::byte{0x00}, std::byte{0x02}, std::byte{0x1f}, std::byte{0xd6},
                  std::byte{},     std::byte{},     std::byte{},     std::byte{},
                  std::byte{},     std::byte{},     std::byte{},     std::byte{}};
#endif
  static_assert(code.size() == kJumpBytes);
  std::memcpy(code.data() + kTargetOffset, &target, sizeof target);
  return code;
}

}  // namespace heddle::cuda
