#pragma once

// The types of CUDA 13's runtime API, with CUDA's layout. The names are ours. tests/cuda/abi
// compares sizes and offsets with CUDA's headers where they are installed.

#include <cstddef>
#include <cstdint>

namespace heddle::cuda::abi {

/// The version of CUDA that these types belong to.
inline constexpr int kVersion = 13000;

/// An extent, passed by value.
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

enum class CopyKind : int {
  host_to_host = 0,
  host_to_device = 1,
  device_to_host = 2,
  device_to_device = 3,
  by_address = 4,
};

enum class Limit : int { stack_bytes = 0, printf_bytes = 1, heap_bytes = 2 };

struct Extent {
  std::size_t width, height, depth;
};
struct Position {
  std::size_t x, y, z;
};
struct PitchedPointer {
  void* pointer;
  std::size_t pitch;
  std::size_t width, height;
};

enum class ChannelKind : int { signed_integer = 0, unsigned_integer = 1, floating = 2, none = 3 };
struct ChannelFormat {
  int bits[4];
  ChannelKind kind;
};

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
  } of;
  std::uint32_t flags;
};

struct TextureDescription {
  int address_modes[3];
  int filter;
  int read_as_fraction;
  int srgb;
  float border[4];
  int normalized_coordinates;
  std::uint32_t anisotropy;
  int mipmap_filter;
  float level_bias;
  float least_level, greatest_level;
  int without_trilinear_optimisation;
  int seamless_cube;
};

struct ResourceView {
  int format;
  std::size_t width, height, depth;
  std::uint32_t first_level, last_level;
  std::uint32_t first_layer, last_layer;
  std::uint32_t reserved[16];
};

enum class PointerKind : int { unregistered = 0, host = 1, device = 2, managed = 3 };
struct PointerAttributes {
  PointerKind kind;
  int device;
  void* device_pointer;
  void* host_pointer;
  long reserved[8];
};

struct FunctionAttributes {
  std::size_t static_shared_bytes;
  std::size_t constant_bytes;
  std::size_t local_bytes;
  int max_threads;
  int registers;
  int ptx_version;
  int binary_version;
  int caches_globally;
  int max_dynamic_shared_bytes;
  int carveout;
  int cluster_must_be_set;
  int cluster[3];
  int cluster_scheduling;
  int odd_cluster_size;
  int reserved[16];
};

enum class FunctionAttribute : int { max_dynamic_shared_bytes = 8, carveout = 9 };

struct LaunchAttribute {
  int id;
  char padding[4];
  union {
    int flag;
    char reserved[64];
  } value;
};
/// The ids of launch attributes.
inline constexpr int kIgnoredAttribute = 0;
inline constexpr int kCooperativeAttribute = 2;
inline constexpr int kSynchronizationPolicyAttribute = 3;
inline constexpr int kEarlyStartAttribute = 6;  ///< May start before the previous launch has ended.
inline constexpr int kPriorityAttribute = 8;
inline constexpr int kCarveoutAttribute = 14;

struct LaunchConfiguration {
  Dim3 grid, block;
  std::size_t dynamic_shared_bytes;
  StreamHandle stream;
  LaunchAttribute* attributes;
  std::uint32_t attribute_count;
};

struct MemoryLocation {
  int kind;
  int id;
};
struct MemoryAccess {
  MemoryLocation location;
  int flags;
};
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
