#pragma once

// The image that results from linking several PTX texts at run time. It contains the texts
// themselves, which are compiled together when it is loaded. A program can also save it to a file.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cuda {

struct LinkedText {
  std::string name{};  ///< Its name in messages.
  std::string ptx{};
};

/// The magic number at the beginning of a linked image.
inline constexpr std::uint32_t kLinkedImage = 0x4b4e'4c48;

std::string linked_image_of(const std::vector<LinkedText>& texts);
/// The size of a linked image by its header; 0 if the bytes do not begin with one.
std::uint64_t linked_image_bytes(std::string_view begin);
/// The texts of a linked image, which must have the size in its header. Throws InputError for other
/// data.
std::vector<LinkedText> texts_of_linked_image(const void* image);

}  // namespace heddle::cuda
