#pragma once

// The properties of the device that programs see: CUDA 13's cudaDeviceProp, which
// cudaGetDeviceProperties fills in, and the attributes that cudaDeviceGetAttribute returns.

#include <cstddef>
#include <cstdint>

#include "gpu/machine.h"

namespace heddle::cuda {

namespace abi {

/// cudaDeviceProp, with CUDA's layout and Heddle's names.
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
  std::size_t constant_bytes;
  int major, minor;
  std::size_t texture_alignment;
  std::size_t texture_pitch_alignment;
  int multiprocessors;
  int integrated;
  int maps_host_memory;
  int max_texture_1d;
  int max_texture_1d_mipmap;
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
  int pageable_access;
  int concurrent_managed_access;
  int preemption;
  int registered_pointers_usable;
  int cooperative_launch;
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
  int numa_config, numa_id;
  int mps;
  int host_numa_id;
  std::uint32_t pci_device_id, pci_subsystem_id;
  int multinode_ipc;
  int reserved[56];

  bool operator==(const DeviceProperties&) const = default;
};

}  // namespace abi

/// The properties of the simulated machine with `memory_bytes` bytes of device memory.
abi::DeviceProperties properties_of(const gpu::Machine& machine, std::uint64_t memory_bytes);
/// True if a program can distinguish two machines by their properties or by the launches that they
/// accept. Performance is not compared.
bool are_distinguishable(const gpu::Machine& a, const gpu::Machine& b);
/// The value of a device attribute, given by its number in CUDA (cudaDeviceAttr). Throws Failure
/// for a number that CUDA 13 lacks.
int device_attribute(int number, const gpu::Machine& machine, std::uint64_t memory_bytes);

}  // namespace heddle::cuda
