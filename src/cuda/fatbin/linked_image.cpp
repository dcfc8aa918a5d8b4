#include "cuda/fatbin/linked_image.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/error.h"

namespace heddle::cuda {
namespace {

struct Header {
  std::uint32_t magic = kLinkedImage;
  std::uint32_t text_count = 0;
  std::uint64_t bytes = 0;  ///< The size of the parts, which follow the header.
};

/// Appends a part to an image: its size, then its bytes.
void append(std::string& image, std::string_view part) {
  const std::uint64_t bytes = part.size();
  image.append(reinterpret_cast<const char*>(&bytes), sizeof bytes);
  image.append(part);
}

/// Removes the first part from `rest` and returns it.
std::string take(std::string_view& rest) {
  std::uint64_t bytes = 0;
  if (rest.size() < sizeof bytes) throw InputError("the linked image is truncated");
  std::memcpy(&bytes, rest.data(), sizeof bytes);
  rest.remove_prefix(sizeof bytes);
  if (rest.size() < bytes) throw InputError("the linked image is truncated");
  std::string part(rest.substr(0, bytes));
  rest.remove_prefix(bytes);
  return part;
}

}  // namespace

std::string linked_image_of(const std::vector<LinkedText>& texts) {
  std::string parts;
  for (const LinkedText& text : texts) {
    append(parts, text.name);
    append(parts, text.ptx);
  }
  const Header header{.text_count = static_cast<std::uint32_t>(texts.size()),
                      .bytes = parts.size()};
  return std::string(reinterpret_cast<const char*>(&header), sizeof header) + parts;
}

std::uint64_t linked_image_bytes(std::string_view bytes) {
  Header header;
  if (bytes.size() < sizeof header) return 0;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != kLinkedImage) return 0;
  constexpr std::uint64_t kMaxBytes = ~std::uint64_t{0} - sizeof header;
  return sizeof header + std::min(header.bytes, kMaxBytes);
}

std::vector<LinkedText> texts_of_linked_image(const void* image) {
  Header header;
  std::memcpy(&header, image, sizeof header);
  if (header.magic != kLinkedImage) throw InputError("it is not a linked image");
  std::string_view rest(static_cast<const char*>(image) + sizeof header, header.bytes);
  std::vector<LinkedText> texts;
  for (std::uint32_t i = 0; i < header.text_count; ++i) {
    LinkedText text;
    text.name = take(rest);
    text.ptx = take(rest);
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace heddle::cuda
