#pragma once

// The types of CUDA 12's runtime API that differ from CUDA 13's.

#include <cstddef>
#include <cstdint>

#include "cuda/runtime/abi.h"
#include "cuda/runtime/device_properties.h"

namespace heddle::cuda {

namespace abi::cuda_12 {

/// CUDA 12's cudaDeviceProp. Compared with CUDA 13's, it has eight more members, which CUDA 13
/// removed. It lacks the members after `unified_functions`.
struct DeviceProperties {
  char name[256];
  char uuid[16];
  char luid[8];
  std::uint32_t luid_mask;
  std::size_t memory_bytes;
  std::size_t shared_bytes_per_block;
  int registers_per_block;
  int warp_size;
  std::size_t max_pitch;
  int max_threads_per_block;
  int max_block_extent[3];
  int max_grid_extent[3];
  int clock_khz;
  std::size_t constant_bytes;
  int major, minor;
  std::size_t texture_alignment;
  std::size_t texture_pitch_alignment;
  int overlap;
  int multiprocessors;
  int launch_time_limit;
  int integrated;
  int maps_host_memory;
  int compute_mode;
  int max_texture_1d;
  int max_texture_1d_mipmap;
  int max_texture_1d_linear;
  int max_texture_2d[2];
  int max_texture_2d_mipmap[2];
  int max_texture_2d_linear[3];
  int max_texture_2d_gather[2];
  int max_texture_3d[3];
  int max_texture_3d_alternative[3];
  int max_texture_cube;
  int max_texture_1d_layered[2];
  int max_texture_2d_layered[3];
  int max_texture_cube_layered[2];
  int max_surface_1d;
  int max_surface_2d[2];
  int max_surface_3d[3];
  int max_surface_1d_layered[2];
  int max_surface_2d_layered[3];
  int max_surface_cube;
  int max_surface_cube_layered[2];
  std::size_t surface_alignment;
  int concurrent_kernels;
  int ecc;
  int pci_bus, pci_device, pci_domain;
  int tesla_driver;
  int copy_engines;
  int unified_addressing;
  int memory_clock_khz;
  int memory_bus_bits;
  int l2_bytes;
  int max_persisting_l2_bytes;
  int threads_per_multiprocessor;
  int stream_priorities;
  int l1_caches_global;
  int l1_caches_local;
  std::size_t shared_bytes_per_multiprocessor;
  int registers_per_multiprocessor;
  int managed_memory;
  int multi_gpu_board;
  int multi_gpu_group;
  int native_host_atomics;
  int single_to_double_ratio;
  int pageable_access;
  int concurrent_managed_access;
  int preemption;
  int registered_pointers_usable;
  int cooperative_launch;
  int cooperative_launch_of_several;
  std::size_t shared_bytes_per_block_opt_in;
  int pageable_through_host_tables;
  int direct_managed_access;
  int blocks_per_multiprocessor;
  int max_access_window;
  std::size_t reserved_shared_bytes;
  int host_register;
  int sparse_arrays;
  int host_register_read_only;
  int timeline_semaphores;
  int memory_pools;
  int rdma;
  std::uint32_t rdma_flush;
  int rdma_ordering;
  std::uint32_t pool_handle_kinds;
  int deferred_arrays;
  int ipc_events;
  int clusters;
  int unified_functions;
  int reserved[63];
};
static_assert(sizeof(DeviceProperties) == 1032);

/// CUDA 12's cudaPointerAttributes: CUDA 13's, without the reserved bytes at its end.
struct PointerAttributes {
  PointerKind kind;
  int device;
  void* device_pointer;
  void* host_pointer;
};
static_assert(sizeof(PointerAttributes) == offsetof(abi::PointerAttributes, reserved));

/// CUDA 12's cudaResourceDesc: the first 64 bytes of CUDA 13's, whose union has more reserved bytes
/// and is followed by flags.
struct ResourceDescription {
  std::byte bytes[64];
};

}  // namespace abi::cuda_12

/// The properties of the simulated machine in CUDA 12's form. The members that CUDA 13 removed are
/// taken from the device's attributes.
abi::cuda_12::DeviceProperties properties_for_cuda_12(const gpu::Machine& machine,
                                                      std::uint64_t memory_bytes);

}  // namespace heddle::cuda
