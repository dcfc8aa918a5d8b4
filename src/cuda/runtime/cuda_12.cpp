#include "cuda/runtime/cuda_12.h"

#include <cstring>

namespace heddle::cuda {
namespace {

using Properties12 = abi::cuda_12::DeviceProperties;
using Properties13 = abi::DeviceProperties;

/// The numbers of the device attributes (cudaDeviceAttr) with the values of the removed members.
enum class Attribute : int {
  clock_khz = 13,
  overlap = 15,
  launch_time_limit = 17,
  compute_mode = 20,
  memory_clock_khz = 36,
  max_texture_1d_linear = 69,
  single_to_double_ratio = 87,
  cooperative_launch_of_several = 96,
};

}  // namespace

// Copies the members from `first` to `last`, both included. They are in the same order in both
// structures.
#define HEDDLE_COPY_FROM_TO(first, last)                                            \
  static_assert(offsetof(Properties12, last) - offsetof(Properties12, first) ==     \
                offsetof(Properties13, last) - offsetof(Properties13, first));      \
  std::memcpy(reinterpret_cast<char*>(&p) + offsetof(Properties12, first),          \
              reinterpret_cast<const char*>(&from) + offsetof(Properties13, first), \
              offsetof(Properties13, last) - offsetof(Properties13, first) + sizeof from.last)

Properties12 properties_for_cuda_12(const gpu::Machine& machine, std::uint64_t memory_bytes) {
  const Properties13 from = properties_of(machine, memory_bytes);
  const auto attribute = [&](Attribute number) {
    return device_attribute(static_cast<int>(number), machine, memory_bytes);
  };
  Properties12 p{};
  HEDDLE_COPY_FROM_TO(name, max_grid_extent);
  p.clock_khz = attribute(Attribute::clock_khz);
  HEDDLE_COPY_FROM_TO(constant_bytes, texture_pitch_alignment);
  p.overlap = attribute(Attribute::overlap);
  p.multiprocessors = from.multiprocessors;
  p.launch_time_limit = attribute(Attribute::launch_time_limit);
  HEDDLE_COPY_FROM_TO(integrated, maps_host_memory);
  p.compute_mode = attribute(Attribute::compute_mode);
  HEDDLE_COPY_FROM_TO(max_texture_1d, max_texture_1d_mipmap);
  p.max_texture_1d_linear = attribute(Attribute::max_texture_1d_linear);
  HEDDLE_COPY_FROM_TO(max_texture_2d, max_surface_cube_layered);
  HEDDLE_COPY_FROM_TO(surface_alignment, unified_addressing);
  p.memory_clock_khz = attribute(Attribute::memory_clock_khz);
  HEDDLE_COPY_FROM_TO(memory_bus_bits, l1_caches_local);
  HEDDLE_COPY_FROM_TO(shared_bytes_per_multiprocessor, native_host_atomics);
  p.single_to_double_ratio = attribute(Attribute::single_to_double_ratio);
  HEDDLE_COPY_FROM_TO(pageable_access, cooperative_launch);
  p.cooperative_launch_of_several = attribute(Attribute::cooperative_launch_of_several);
  HEDDLE_COPY_FROM_TO(shared_bytes_per_block_opt_in, max_access_window);
  HEDDLE_COPY_FROM_TO(reserved_shared_bytes, unified_functions);
  return p;
}

}  // namespace heddle::cuda
