#pragma once

// What linking several texts while a program runs gives it: the texts themselves, in one piece that
// it can load or keep in a file. They are compiled together when it is loaded.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cuda {

struct LinkedText {
  std::string name{};  ///< For messages.
  std::string ptx{};
};

/// What such a piece begins with.
inline constexpr std::uint32_t kLinkedImage = 0x4b4e'4c48;

std::string linked_image_of(const std::vector<LinkedText>& texts);
/// How long the piece that a text begins with is by its own account; 0 where it is no such piece.
std::uint64_t linked_image_bytes(std::string_view begin);
/// As long as it is by its own account. Throws InputError for what is none.
std::vector<LinkedText> texts_of_linked_image(const void* image);

}  // namespace heddle::cuda
