#include <fmt/format.h>
#include <lz4.h>
#include <zstd.h>

#include "base/error.h"
#include "cuda/fatbin/fat_binary.h"

namespace heddle::cuda {
namespace {

/// The limit of an image's size, 256 MiB. No program has as much PTX; a greater size indicates
/// corrupt data.
constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;
/// An upper bound of LZ4's compression ratio: each byte of a length encodes up to 255 bytes of
/// text, and a token a few more.
constexpr std::uint64_t kMaxLz4Ratio = 256;

[[noreturn]] void refuse(const std::string& why) {
  throw InputError(fmt::format("an image of the fat binary cannot be unpacked: {}", why));
}

std::string unpack_zstd(const FatImage& image) {
  const unsigned long long bytes =
      ZSTD_getFrameContentSize(image.payload.data(), image.payload.size());
  if (bytes != image.unpacked_bytes) refuse("the sizes in its two headers differ");
  std::string text(image.unpacked_bytes, '\0');
  const std::size_t unpacked_bytes =
      ZSTD_decompress(text.data(), text.size(), image.payload.data(), image.payload.size());
  if (ZSTD_isError(unpacked_bytes) != 0) refuse(ZSTD_getErrorName(unpacked_bytes));
  if (unpacked_bytes != text.size())
    refuse(fmt::format("it has {} bytes, not {}", unpacked_bytes, text.size()));
  return text;
}

std::string unpack_lz4(const FatImage& image) {
  if (image.unpacked_bytes > kMaxLz4Ratio * (image.payload.size() + 1)) {
    refuse(fmt::format("{} bytes cannot decompress to {}", image.payload.size(),
                       image.unpacked_bytes));
  }
  std::string text(image.unpacked_bytes, '\0');
  const int unpacked_bytes =
      LZ4_decompress_safe(reinterpret_cast<const char*>(image.payload.data()), text.data(),
                          static_cast<int>(image.payload.size()), static_cast<int>(text.size()));
  if (unpacked_bytes < 0) refuse("it is not an LZ4 block");
  if (static_cast<std::size_t>(unpacked_bytes) != text.size()) {
    refuse(fmt::format("it has {} bytes, not {}", unpacked_bytes, text.size()));
  }
  return text;
}

/// The content of an image with its padding.
std::string unpack_bytes(const FatImage& image) {
  if (image.unpacked_bytes > kMaxBytes || image.payload.size() > kMaxBytes) {
    refuse(fmt::format("it is larger than {} bytes", kMaxBytes));
  }
  switch (image.compression) {
    case FatImage::Compression::zstd:
      return unpack_zstd(image);
    case FatImage::Compression::lz4:
      return unpack_lz4(image);
    case FatImage::Compression::none:
      break;
  }
  return {reinterpret_cast<const char*>(image.payload.data()), image.payload.size()};
}

}  // namespace

std::string unpack(const FatImage& image) {
  std::string text = unpack_bytes(image);
  // A text ends with a zero byte, and images are padded with more.
  if (image.kind == FatImage::Kind::ptx) text.erase(text.find_last_not_of('\0') + 1);
  return text;
}

}  // namespace heddle::cuda
