#pragma once

// What nvcc puts into a program: images of its kernels, as PTX text and as machine code for some
// GPUs, perhaps compressed.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::cuda {

/// Of a GPU, as in "compute_75": ten times the major number and the minor one.
struct ComputeCapability {
  std::uint32_t number = 0;

  std::uint32_t major() const { return number / 10; }
  std::uint32_t minor() const { return number % 10; }
  friend auto operator<=>(const ComputeCapability&, const ComputeCapability&) = default;
};

/// The one that programs see: the newest all of whose ordinary instructions are executed.
inline constexpr ComputeCapability kOurCapability{80};

struct FatImage {
  enum class Kind : std::uint8_t { ptx, machine_code, other };
  enum class Compression : std::uint8_t { none, lz4, zstd };

  Kind kind = Kind::other;
  Compression compression = Compression::none;
  ComputeCapability capability;
  std::uint64_t unpacked_bytes = 0;  ///< Where it is compressed.
  std::span<const std::byte> payload;
};

/// The images of one fat binary; they refer to `bytes`. Throws InputError for what is none.
std::vector<FatImage> read_fat_binary(std::span<const std::byte> bytes);
/// The whole of a fat binary in memory, by its own account. Throws InputError for what is none, and
/// where there is not so much.
std::span<const std::byte> fat_binary_at(const void* address);

/// An image's text. Throws InputError where it cannot be unpacked.
std::string unpack(const FatImage& image);

/// The PTX that a GPU of a capability is given: the newest that is not newer than the GPU; if all
/// are newer, the oldest. Throws InputError, which says how to build the program, if there is none.
const FatImage& best_ptx(const std::vector<FatImage>& images, ComputeCapability gpu);

/// What a PTX text says it is made for; 0 where it does not say.
ComputeCapability target_of(std::string_view ptx);

}  // namespace heddle::cuda
