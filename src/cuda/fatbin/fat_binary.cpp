#include "cuda/fatbin/fat_binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>

#include "base/error.h"
#include "cuda/fatbin/readable_memory.h"

namespace heddle::cuda {
namespace {

constexpr std::uint32_t kMagic = 0xba55'ed50;
constexpr std::uint16_t kVersion = 1;
/// The size of the header's fields: magic, version, size of the header, and size of all images.
constexpr std::size_t kMinHeaderBytes = 16;
/// The size of an image's header up to the field with the uncompressed size. Compilers write more
/// fields, which Heddle does not need.
constexpr std::size_t kMinImageHeaderBytes = 64;

// The kinds of images, and the flags for compression.
constexpr std::uint16_t kPtx = 1;
constexpr std::uint16_t kElf = 2;
constexpr std::uint64_t kLz4 = 0x2000;
constexpr std::uint64_t kZstd = 0x8000;

template <class T>
T read(std::span<const std::byte> bytes, std::size_t offset) {
  T value{};
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

[[noreturn]] void refuse(const std::string& why) {
  throw InputError(fmt::format("this is not a fat binary that Heddle can read: {}", why));
}

struct Header {
  std::size_t bytes = 0;          ///< The size of the header itself.
  std::uint64_t image_bytes = 0;  ///< The size of all images.
};

/// The header of a fat binary. There must be at least kMinHeaderBytes bytes.
Header read_header(std::span<const std::byte> bytes) {
  if (const auto magic = read<std::uint32_t>(bytes, 0); magic != kMagic) {
    refuse(fmt::format("it begins with {:#010x}, not {:#010x}", magic, kMagic));
  }
  if (const auto version = read<std::uint16_t>(bytes, 4); version != kVersion) {
    refuse(fmt::format("it has version {}, not {}", version, kVersion));
  }
  const Header header{.bytes = read<std::uint16_t>(bytes, 6),
                      .image_bytes = read<std::uint64_t>(bytes, 8)};
  if (header.bytes < kMinHeaderBytes) {
    refuse(fmt::format("its header has {} bytes", header.bytes));
  }
  return header;
}

FatImage::Kind kind_of(std::uint16_t number) {
  switch (number) {
    case kPtx:
      return FatImage::Kind::ptx;
    case kElf:
      return FatImage::Kind::machine_code;
    default:
      return FatImage::Kind::other;
  }
}

/// Removes the first image from `bytes` and returns it.
FatImage take_image(std::span<const std::byte>& bytes) {
  if (bytes.size() < kMinImageHeaderBytes) {
    refuse(fmt::format("{} bytes are left for an image's header", bytes.size()));
  }
  const auto header_bytes = read<std::uint32_t>(bytes, 4);
  const auto padded_bytes = read<std::uint64_t>(bytes, 8);
  const auto compressed_bytes = read<std::uint32_t>(bytes, 16);
  const auto flags = read<std::uint64_t>(bytes, 40);
  if (header_bytes < kMinImageHeaderBytes || header_bytes > bytes.size() ||
      padded_bytes > bytes.size() - header_bytes) {
    refuse(
        fmt::format("an image with a header of {} bytes and a content of {} bytes does not fit "
                    "into the last {} bytes",
                    header_bytes, padded_bytes, bytes.size()));
  }
  FatImage image{.kind = kind_of(read<std::uint16_t>(bytes, 0)),
                 .capability = {read<std::uint32_t>(bytes, 28)},
                 .payload = bytes.subspan(header_bytes, padded_bytes)};
  if ((flags & (kLz4 | kZstd)) != 0) {
    image.compression =
        (flags & kZstd) != 0 ? FatImage::Compression::zstd : FatImage::Compression::lz4;
    image.unpacked_bytes = read<std::uint64_t>(bytes, 56);
    if (compressed_bytes > padded_bytes) {
      refuse(fmt::format("an image has {} compressed bytes in {} padded bytes", compressed_bytes,
                         padded_bytes));
    }
    image.payload = image.payload.first(compressed_bytes);
  }
  bytes = bytes.subspan(header_bytes + padded_bytes);
  return image;
}

/// The GPUs for which there is machine code, such as "sm_75, sm_90".
std::string names_of_machine_code(const std::vector<FatImage>& images) {
  std::set<std::uint32_t> numbers;
  for (const FatImage& image : images) {
    if (image.kind == FatImage::Kind::machine_code) numbers.insert(image.capability.number);
  }
  std::string names;
  for (const std::uint32_t number : numbers) {
    names += fmt::format("{}sm_{}", names.empty() ? "" : ", ", number);
  }
  return names;
}

}  // namespace

std::span<const std::byte> fat_binary_at(const void* address) {
  const std::span<const std::byte> memory = readable_memory_at(address);
  if (memory.size() < kMinHeaderBytes) refuse("its address is not in readable memory");
  const Header header = read_header(memory);
  if (header.bytes > memory.size() || header.image_bytes > memory.size() - header.bytes) {
    refuse(
        fmt::format("its header of {} bytes and its images of {} bytes do not fit into the {} "
                    "bytes of readable memory",
                    header.bytes, header.image_bytes, memory.size()));
  }
  return memory.first(header.bytes + header.image_bytes);
}

std::vector<FatImage> read_fat_binary(std::span<const std::byte> bytes) {
  if (bytes.size() < kMinHeaderBytes) refuse(fmt::format("it has {} bytes", bytes.size()));
  const Header header = read_header(bytes);
  if (header.bytes > bytes.size() || header.image_bytes > bytes.size() - header.bytes) {
    refuse(fmt::format("its header of {} bytes and its images of {} bytes do not fit into {} bytes",
                       header.bytes, header.image_bytes, bytes.size()));
  }
  std::span<const std::byte> rest = bytes.subspan(header.bytes, header.image_bytes);
  std::vector<FatImage> images;
  while (!rest.empty()) images.push_back(take_image(rest));
  return images;
}

bool has_ptx(const std::vector<FatImage>& images) {
  return std::any_of(images.begin(), images.end(),
                     [](const FatImage& image) { return image.kind == FatImage::Kind::ptx; });
}

const FatImage& best_ptx(const std::vector<FatImage>& images, ComputeCapability gpu,
                         std::string_view owner) {
  const FatImage* best = nullptr;
  const auto is_better = [&](const FatImage& image) {
    if (best == nullptr) return true;
    const bool fits = image.capability <= gpu;
    if (fits != (best->capability <= gpu)) return fits;
    return fits ? image.capability > best->capability : image.capability < best->capability;
  };
  for (const FatImage& image : images) {
    if (image.kind == FatImage::Kind::ptx && is_better(image)) best = &image;
  }
  if (best != nullptr) return *best;
  const std::string machine_code = names_of_machine_code(images);
  throw InputError(fmt::format(
      "{} contains no PTX{}, and Heddle runs only PTX; build it with PTX: nvcc "
      "-gencode arch=compute_{},code=compute_{}",
      owner, machine_code.empty() ? "" : fmt::format(", only machine code for {}", machine_code),
      gpu.number, gpu.number));
}

ComputeCapability target_of(std::string_view ptx) {
  const std::size_t target = ptx.find(".target");
  const std::size_t name = ptx.find("sm_", std::min(target, ptx.size()));
  if (name == std::string_view::npos) return {};
  ComputeCapability found;
  for (const char digit : ptx.substr(name + 3, 3)) {  // At most three digits.
    if (digit < '0' || digit > '9') break;
    found.number = found.number * 10 + static_cast<std::uint32_t>(digit - '0');
  }
  return found;
}

}  // namespace heddle::cuda
