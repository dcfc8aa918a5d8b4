#pragma once

// Reads fat binaries, which nvcc embeds in a program. A fat binary contains images of the program's
// device code: PTX text, and machine code for some GPUs. Images may be compressed.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cuda {

/// A GPU's compute capability, as in "compute_75": ten times the major number plus the minor one.
struct ComputeCapability {
  std::uint32_t number = 0;

  std::uint32_t major() const { return number / 10; }
  std::uint32_t minor() const { return number % 10; }
  friend auto operator<=>(const ComputeCapability&, const ComputeCapability&) = default;
};

/// The capability that programs see, 8.0: the newest for which Heddle executes all ordinary
/// instructions. docs/ptx.md lists the instructions that it does not execute.
inline constexpr ComputeCapability kReportedCapability{80};

/// One image of a fat binary.
struct FatImage {
  enum class Kind : std::uint8_t { ptx, machine_code, other };
  enum class Compression : std::uint8_t { none, lz4, zstd };

  Kind kind = Kind::other;
  Compression compression = Compression::none;
  ComputeCapability capability;
  std::uint64_t unpacked_bytes = 0;    ///< Set only if the image is compressed.
  std::span<const std::byte> payload;  ///< The image without its header.
};

/// The images of the fat binary in `bytes`, to which they refer. Throws InputError for other data.
std::vector<FatImage> read_fat_binary(std::span<const std::byte> bytes);
/// The bytes of the fat binary at an address, by the size in its header. Throws InputError for
/// other data, and if less memory is readable.
std::span<const std::byte> fat_binary_at(const void* address);

/// The content of an image, decompressed. Throws InputError if it cannot be decompressed.
std::string unpack(const FatImage& image);

/// True if one of the images is PTX.
bool has_ptx(const std::vector<FatImage>& images);
/// The PTX image for a GPU: the newest that is not newer than the GPU; if all are newer, the
/// oldest. If there is none, throws InputError with a message on how to build the file that
/// contains the fat binary, `owner`.
const FatImage& best_ptx(const std::vector<FatImage>& images, ComputeCapability gpu,
                         std::string_view owner = "the program");

/// The compute capability in a PTX text's .target directive; 0 if there is none.
ComputeCapability target_of(std::string_view ptx);

}  // namespace heddle::cuda
