#pragma once

// The types of CUDA 13's driver API that differ from the runtime's, with CUDA's layout. The names
// are ours. tests/cuda/abi compares sizes and offsets with CUDA's headers where they are installed.
// Handles are the runtime's.

#include <cstddef>
#include <cstdint>

#include "cuda/runtime/abi.h"

namespace heddle::cuda::abi {

using DevicePointer = std::uint64_t;
using ContextHandle = struct OpaqueContext*;
using FunctionHandle = KernelHandle;  ///< The driver distinguishes CUfunction and CUkernel.
using LinkHandle = struct OpaqueLink*;

enum class MemoryType : int { host = 1, device = 2, array = 3, unified = 4 };

/// One side of a copy of two dimensions.
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

/// One side of a copy of three dimensions.
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
  } of;
  std::uint32_t flags;
};

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
inline constexpr std::uint32_t kReadAsInteger = 0x01;
inline constexpr std::uint32_t kNormalizedCoordinates = 0x02;
inline constexpr std::uint32_t kSrgb = 0x10;
inline constexpr std::uint32_t kWithoutTrilinear = 0x20;
inline constexpr std::uint32_t kSeamlessCube = 0x40;

struct DriverLaunch {
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes;
  StreamHandle stream;
  LaunchAttribute* attributes;
  std::uint32_t attribute_count;
};
/// The tags of the entries in a launch's `extra` list.
inline constexpr std::uintptr_t kExtraEnd = 0;
inline constexpr std::uintptr_t kExtraBuffer = 1;
inline constexpr std::uintptr_t kExtraBytes = 2;

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

enum class LinkInput : int { machine_code = 0, ptx = 1, fat_binary = 2 };

/// The program's function from a block's threads to its bytes of dynamic shared memory.
using SharedBytesOfBlock = std::size_t (*)(int threads);

}  // namespace heddle::cuda::abi
