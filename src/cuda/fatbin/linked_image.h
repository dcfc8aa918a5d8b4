#pragma once

// The image that results from linking several PTX texts at run time. It contains the texts
// themselves, which are compiled together when it is loaded. A program can also save it to a file.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cuda {

/// One of the PTX texts.
struct LinkedText {
  std::string name{};  ///< The text's name in messages.
  std::string ptx{};
};

/// The magic number at the beginning of a linked image.
inline constexpr std::uint32_t kLinkedImage = 0x4b4e'4c48;

/// Makes a linked image of the texts.
std::string linked_image_of(const std::vector<LinkedText>& texts);
/// The size in bytes of a linked image, according to the header at the beginning of `bytes`; 0 if
/// there is no such header.
std::uint64_t linked_image_bytes(std::string_view bytes);
/// The texts of the linked image at an address. The memory must be readable to the size in the
/// image's header. Throws InputError for other data.
std::vector<LinkedText> texts_of_linked_image(const void* image);

}  // namespace heddle::cuda
