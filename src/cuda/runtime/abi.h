#pragma once

// The types of CUDA 13's runtime API, with CUDA's layout and numbers, but Heddle's names.
// tests/cuda/abi compares sizes and offsets with CUDA's headers where these are installed.

#include <cstddef>
#include <cstdint>

namespace heddle::cuda::abi {

/// The version of CUDA that these types belong to: 1000 times the major number plus 10 times the
/// minor one.
inline constexpr int kVersion = 13000;

/// dim3: the extent of a grid in blocks, or of a block in threads.
struct Dim3 {
  std::uint32_t x, y, z;
};

/// Handles. Programs see pointers to opaque types.
using StreamHandle = struct OpaqueStream*;
using EventHandle = struct OpaqueEvent*;
using KernelHandle = struct OpaqueKernel*;
using ArrayHandle = struct OpaqueArray*;
using MipmappedArrayHandle = struct OpaqueMipmappedArray*;
using PoolHandle = struct OpaquePool*;
using HostFunction = void (*)(void*);

/// Handles of the streams that always exist.
inline constexpr std::uintptr_t kLegacyStream = 1;
inline constexpr std::uintptr_t kPerThreadStream = 2;

/// cudaMemcpyKind: the direction of a copy.
enum class CopyKind : int {
  host_to_host = 0,
  host_to_device = 1,
  device_to_host = 2,
  device_to_device = 3,
  by_address = 4,  ///< cudaMemcpyDefault: the addresses determine the direction.
};

/// cudaLimit: the limits that a program can set for the device, in bytes.
enum class Limit : int { stack_bytes = 0, printf_bytes = 1, heap_bytes = 2 };

/// cudaExtent. The width is in texels for arrays, and otherwise in bytes.
struct Extent {
  std::size_t width, height, depth;
};
/// cudaPos, in the units of Extent.
struct Position {
  std::size_t x, y, z;
};
/// cudaPitchedPtr: rows in memory.
struct PitchedPointer {
  void* pointer;
  std::size_t pitch;          ///< Bytes from one row to the next.
  std::size_t width, height;  ///< In elements and rows.
};

/// cudaChannelFormatKind and cudaChannelFormatDesc: the format of a texel.
enum class ChannelKind : int { signed_integer = 0, unsigned_integer = 1, floating = 2, none = 3 };
struct ChannelFormat {
  int bits[4];  ///< Of each channel; 0: the texel lacks the channel.
  ChannelKind kind;
};

/// cudaMemcpy3DParms. Each side is either an array or a pointer; the array is null for a pointer.
struct Copy3D {
  ArrayHandle from_array;
  Position from_position;
  PitchedPointer from_pointer;
  ArrayHandle to_array;
  Position to_position;
  PitchedPointer to_pointer;
  Extent extent;
  CopyKind kind;
};

/// Flags of arrays.
inline constexpr std::uint32_t kArrayLayered = 0x01;
inline constexpr std::uint32_t kArrayCube = 0x04;

/// cudaResourceDesc: the memory that a texture or surface refers to. `kind` selects the member of
/// `details`.
enum class ResourceKind : int { array = 0, mipmapped_array = 1, linear = 2, pitched = 3 };
struct ResourceDescription {
  ResourceKind kind;
  union {
    struct {
      ArrayHandle array;
    } array;
    struct {
      MipmappedArrayHandle array;
    } mipmapped;
    struct {
      void* pointer;
      ChannelFormat format;
      std::size_t bytes;
    } linear;
    struct {
      void* pointer;
      ChannelFormat format;
      std::size_t width, height;
      std::size_t pitch;
    } pitched;
    int reserved[32];
  } details;
  std::uint32_t flags;
};

/// cudaTextureDesc: how a texture is sampled.
struct TextureDescription {
  int address_modes[3];
  int filter;
  int read_as_fraction;  ///< 1: integer texels are scaled to [0, 1] or [-1, 1].
  int srgb;
  float border[4];
  int normalized_coordinates;
  std::uint32_t anisotropy;
  int mipmap_filter;
  float level_bias;
  float least_level, greatest_level;  ///< Of mipmaps.
  int without_trilinear_optimisation;
  int seamless_cube;
};

/// cudaResourceViewDesc.
struct ResourceView {
  int format;
  std::size_t width, height, depth;
  std::uint32_t first_level, last_level;
  std::uint32_t first_layer, last_layer;
  std::uint32_t reserved[16];
};

/// cudaMemoryType and cudaPointerAttributes.
enum class PointerKind : int { unregistered = 0, host = 1, device = 2, managed = 3 };
struct PointerAttributes {
  PointerKind kind;
  int device;
  void* device_pointer;
  void* host_pointer;
  long reserved[8];
};

/// cudaFuncAttributes: the properties of a kernel.
struct FunctionAttributes {
  std::size_t static_shared_bytes;
  std::size_t constant_bytes;
  std::size_t local_bytes;
  int max_threads;
  int registers;
  int ptx_version;
  int binary_version;
  int caches_globally;  ///< 1: compiled to cache global loads in L1.
  int max_dynamic_shared_bytes;
  int carveout;  ///< The preferred share of shared memory in L1, in percent; -1: the default.
  int cluster_must_be_set;
  int cluster[3];
  int cluster_scheduling;
  int nonportable_cluster_size;
  int reserved[16];
};

/// cudaFuncAttribute: the attributes that a program can set.
enum class FunctionAttribute : int { max_dynamic_shared_bytes = 8, carveout = 9 };

struct LaunchAttribute {
  int id;  ///< One of the constants below.
  char padding[4];
  union {
    int flag;
    char reserved[64];
  } value;
};
/// The values of LaunchAttribute::id.
inline constexpr int kIgnoredAttribute = 0;
inline constexpr int kCooperativeAttribute = 2;
inline constexpr int kSynchronizationPolicyAttribute = 3;
/// The kernel may start before the previous one in its stream has ended.
inline constexpr int kEarlyStartAttribute = 6;
inline constexpr int kPriorityAttribute = 8;
inline constexpr int kCarveoutAttribute = 14;

struct LaunchConfiguration {
  Dim3 grid, block;
  std::size_t dynamic_shared_bytes;
  StreamHandle stream;
  LaunchAttribute* attributes;
  std::uint32_t attribute_count;
};

/// cudaMemLocation.
struct MemoryLocation {
  int kind;
  int id;  ///< The device's number, if the kind is a device.
};
/// cudaMemAccessDesc: the access to a memory pool from a location.
struct MemoryAccess {
  MemoryLocation location;
  int flags;
};
/// cudaMemPoolProps.
struct PoolProperties {
  int allocation_kind;
  int handle_kinds;
  MemoryLocation location;
  void* unused;
  std::size_t max_bytes;
  unsigned short usage;
  unsigned char reserved[54];
};

}  // namespace heddle::cuda::abi
