#pragma once

// The types of CUDA 13's driver API that differ from the runtime's, with CUDA's layout and numbers,
// but Heddle's names. tests/cuda/abi compares sizes and offsets with CUDA's headers where these are
// installed. Handles are the same in both APIs, except those that are declared here.

#include <cstddef>
#include <cstdint>

#include "cuda/runtime/abi.h"

namespace heddle::cuda::abi {

using DevicePointer = std::uint64_t;
using ContextHandle = struct OpaqueContext*;
using FunctionHandle = KernelHandle;  ///< CUfunction and CUkernel, which are the same here.
using LinkHandle = struct OpaqueLink*;

enum class MemoryType : int { host = 1, device = 2, array = 3, unified = 4 };

/// One side of a copy of two dimensions. `kind` selects between `host`, `device` and `array`.
struct CopySide2D {
  std::size_t x_bytes, y;
  MemoryType kind;
  const void* host;
  DevicePointer device;
  ArrayHandle array;
  std::size_t pitch;
};
struct DriverCopy2D {
  CopySide2D from, to;
  std::size_t width_bytes, height;
};

/// One side of a copy of three dimensions. `kind` selects between `host`, `device` and `array`.
struct CopySide3D {
  std::size_t x_bytes, y, z, level;
  MemoryType kind;
  const void* host;
  DevicePointer device;
  ArrayHandle array;
  void* reserved;
  std::size_t pitch, height;
};
struct DriverCopy3D {
  CopySide3D from, to;
  std::size_t width_bytes, height, depth;
};

/// CUarray_format: the format of one channel of a texel.
enum class ElementFormat : int {
  unsigned_8 = 0x01,
  unsigned_16 = 0x02,
  unsigned_32 = 0x03,
  signed_8 = 0x08,
  signed_16 = 0x09,
  signed_32 = 0x0a,
  floating_16 = 0x10,
  floating_32 = 0x20,
};
struct ArrayDescription {
  std::size_t width, height;
  ElementFormat format;
  std::uint32_t channels;
};
struct ArrayDescription3D {
  std::size_t width, height, depth;
  ElementFormat format;
  std::uint32_t channels;
  std::uint32_t flags;
};

/// CUDA_RESOURCE_DESC: the memory that a texture or surface refers to. `kind` selects the member of
/// `details`.
struct DriverResource {
  ResourceKind kind;
  union {
    ArrayHandle array;
    MipmappedArrayHandle mipmapped;
    struct {
      DevicePointer pointer;
      ElementFormat format;
      std::uint32_t channels;
      std::size_t bytes;
    } linear;
    struct {
      DevicePointer pointer;
      ElementFormat format;
      std::uint32_t channels;
      std::size_t width, height, pitch;
    } pitched;
    int reserved[32];
  } details;
  std::uint32_t flags;
};

/// CUDA_TEXTURE_DESC: how a texture is sampled.
struct DriverTexture {
  int address_modes[3];
  int filter;
  std::uint32_t flags;
  std::uint32_t anisotropy;
  int mipmap_filter;
  float level_bias;
  float least_level, greatest_level;
  float border[4];
  int reserved[12];
};
// Bits of DriverTexture::flags.
inline constexpr std::uint32_t kReadAsInteger = 0x01;
inline constexpr std::uint32_t kNormalizedCoordinates = 0x02;
inline constexpr std::uint32_t kSrgb = 0x10;
inline constexpr std::uint32_t kWithoutTrilinear = 0x20;
inline constexpr std::uint32_t kSeamlessCube = 0x40;

/// CUlaunchConfig.
struct DriverLaunch {
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes;
  StreamHandle stream;
  LaunchAttribute* attributes;
  std::uint32_t attribute_count;
};
// The tags in the `extra` list of cuLaunchKernel, by which a program passes all arguments in one
// buffer. After its tag, an entry has a pointer.
inline constexpr std::uintptr_t kExtraEnd = 0;     ///< The last entry; no pointer follows.
inline constexpr std::uintptr_t kExtraBuffer = 1;  ///< The pointer is the buffer's address.
inline constexpr std::uintptr_t kExtraBytes = 2;   ///< The pointer refers to the buffer's size.

/// CUdevprop, which the deprecated cuDeviceGetProperties fills in.
struct OldDeviceProperties {
  int max_threads_per_block;
  int max_block_extent[3];
  int max_grid_extent[3];
  int shared_bytes_per_block;
  int constant_bytes;
  int warp_size;
  int max_pitch;
  int registers_per_block;
  int kilohertz;
  int texture_alignment;
};

struct Uuid {
  char bytes[16];
};

/// CUpointer_attribute.
enum class PointerAttribute : int {
  context = 1,
  memory_kind = 2,
  device_pointer = 3,
  host_pointer = 4,
  synchronous = 6,
  buffer_id = 7,
  is_managed = 8,
  device = 9,
  is_ipc_capable = 10,
  range_start = 11,
  range_bytes = 12,
  is_mapped = 13,
  handle_types = 14,
  is_rdma_capable = 15,
  access = 16,
};

/// CUjit_option: the options of the compiler of PTX that Heddle uses or rejects.
enum class JitOption : int {
  max_registers = 0,
  threads_per_block = 1,
  wall_time = 2,
  info_log = 3,
  info_log_bytes = 4,
  error_log = 5,
  error_log_bytes = 6,
  symbol_names = 17,
  symbol_addresses = 18,
  symbol_count = 19,
  link_time_optimisation = 20,
};

/// CUjitInputType: what a program passes to the linker.
enum class LinkInput : int { machine_code = 0, ptx = 1, fat_binary = 2 };

/// CUoccupancyB2DSize: a function of the program that returns the bytes of dynamic shared memory of
/// a block with `threads` threads.
using SharedBytesOfBlock = std::size_t (*)(int threads);

}  // namespace heddle::cuda::abi
