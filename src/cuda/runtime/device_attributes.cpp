#include <algorithm>
#include <iterator>

#include "cuda/runtime/device_properties.h"
#include "cuda/runtime/error.h"

namespace heddle::cuda {
namespace {

using P = abi::DeviceProperties;

/// A device attribute, with CUDA's number (cudaDeviceAttr).
struct Attribute {
  int number;
  int (*value)(const P&);
};

template <class T>
int to_int(T value) {
  return static_cast<int>(value);
}

// The attributes that have the value of a device property, in the order of their numbers.
constexpr Attribute kAttributes[] = {
    {1, [](const P& p) { return p.max_threads_per_block; }},
    {2, [](const P& p) { return p.max_block_extent[0]; }},
    {3, [](const P& p) { return p.max_block_extent[1]; }},
    {4, [](const P& p) { return p.max_block_extent[2]; }},
    {5, [](const P& p) { return p.max_grid_extent[0]; }},
    {6, [](const P& p) { return p.max_grid_extent[1]; }},
    {7, [](const P& p) { return p.max_grid_extent[2]; }},
    {8, [](const P& p) { return to_int(p.shared_bytes_per_block); }},
    {9, [](const P& p) { return to_int(p.constant_bytes); }},
    {10, [](const P& p) { return p.warp_size; }},
    {11, [](const P& p) { return to_int(p.max_pitch); }},
    {12, [](const P& p) { return p.registers_per_block; }},
    {14, [](const P& p) { return to_int(p.texture_alignment); }},
    {15, [](const P&) { return 1; }},  // Copies can overlap kernels.
    {16, [](const P& p) { return p.multiprocessors; }},
    {19, [](const P& p) { return p.maps_host_memory; }},
    {21, [](const P& p) { return p.max_texture_1d; }},
    {22, [](const P& p) { return p.max_texture_2d[0]; }},
    {23, [](const P& p) { return p.max_texture_2d[1]; }},
    {24, [](const P& p) { return p.max_texture_3d[0]; }},
    {25, [](const P& p) { return p.max_texture_3d[1]; }},
    {26, [](const P& p) { return p.max_texture_3d[2]; }},
    {27, [](const P& p) { return p.max_texture_2d_layered[0]; }},
    {28, [](const P& p) { return p.max_texture_2d_layered[1]; }},
    {29, [](const P& p) { return p.max_texture_2d_layered[2]; }},
    {30, [](const P& p) { return to_int(p.surface_alignment); }},
    {31, [](const P& p) { return p.concurrent_kernels; }},
    {37, [](const P& p) { return p.memory_bus_bits; }},
    {38, [](const P& p) { return p.l2_bytes; }},
    {39, [](const P& p) { return p.threads_per_multiprocessor; }},
    {40, [](const P& p) { return p.copy_engines; }},
    {41, [](const P& p) { return p.unified_addressing; }},
    {42, [](const P& p) { return p.max_texture_1d_layered[0]; }},
    {43, [](const P& p) { return p.max_texture_1d_layered[1]; }},
    {45, [](const P& p) { return p.max_texture_2d_gather[0]; }},
    {46, [](const P& p) { return p.max_texture_2d_gather[1]; }},
    {47, [](const P& p) { return p.max_texture_3d_alternative[0]; }},
    {48, [](const P& p) { return p.max_texture_3d_alternative[1]; }},
    {49, [](const P& p) { return p.max_texture_3d_alternative[2]; }},
    {51, [](const P& p) { return to_int(p.texture_pitch_alignment); }},
    {52, [](const P& p) { return p.max_texture_cube; }},
    {53, [](const P& p) { return p.max_texture_cube_layered[0]; }},
    {54, [](const P& p) { return p.max_texture_cube_layered[1]; }},
    {55, [](const P& p) { return p.max_surface_1d; }},
    {56, [](const P& p) { return p.max_surface_2d[0]; }},
    {57, [](const P& p) { return p.max_surface_2d[1]; }},
    {58, [](const P& p) { return p.max_surface_3d[0]; }},
    {59, [](const P& p) { return p.max_surface_3d[1]; }},
    {60, [](const P& p) { return p.max_surface_3d[2]; }},
    {61, [](const P& p) { return p.max_surface_1d_layered[0]; }},
    {62, [](const P& p) { return p.max_surface_1d_layered[1]; }},
    {63, [](const P& p) { return p.max_surface_2d_layered[0]; }},
    {64, [](const P& p) { return p.max_surface_2d_layered[1]; }},
    {65, [](const P& p) { return p.max_surface_2d_layered[2]; }},
    {66, [](const P& p) { return p.max_surface_cube; }},
    {67, [](const P& p) { return p.max_surface_cube_layered[0]; }},
    {68, [](const P& p) { return p.max_surface_cube_layered[1]; }},
    {70, [](const P& p) { return p.max_texture_2d_linear[0]; }},
    {71, [](const P& p) { return p.max_texture_2d_linear[1]; }},
    {72, [](const P& p) { return p.max_texture_2d_linear[2]; }},
    {73, [](const P& p) { return p.max_texture_2d_mipmap[0]; }},
    {74, [](const P& p) { return p.max_texture_2d_mipmap[1]; }},
    {75, [](const P& p) { return p.major; }},
    {76, [](const P& p) { return p.minor; }},
    {77, [](const P& p) { return p.max_texture_1d_mipmap; }},
    {78, [](const P& p) { return p.stream_priorities; }},
    {79, [](const P& p) { return p.l1_caches_global; }},
    {80, [](const P& p) { return p.l1_caches_local; }},
    {81, [](const P& p) { return to_int(p.shared_bytes_per_multiprocessor); }},
    {82, [](const P& p) { return p.registers_per_multiprocessor; }},
    {83, [](const P& p) { return p.managed_memory; }},
    {95, [](const P& p) { return p.cooperative_launch; }},
    {97, [](const P& p) { return to_int(p.shared_bytes_per_block_opt_in); }},
    {99, [](const P& p) { return p.host_register; }},
    {106, [](const P& p) { return p.blocks_per_multiprocessor; }},
    {115, [](const P& p) { return p.memory_pools; }},
    {131, [](const P& p) { return p.numa_id; }},
    {134, [](const P& p) { return p.host_numa_id; }},
};
// The numbers of the attributes that are not device properties.
constexpr int kCoreKilohertzAttribute = 13;
constexpr int kMemoryKilohertzAttribute = 36;
constexpr int kLinearTexelsAttribute = 69;  ///< The largest width of a linear texture.
/// The largest number. The attributes that are not mentioned here are 0: the device lacks the
/// feature.
constexpr int kLastAttribute = 147;

}  // namespace

int device_attribute(int number, const gpu::Machine& machine, std::uint64_t memory_bytes) {
  if (number < 1 || number > kLastAttribute) throw Failure{Error::invalid_value};
  switch (number) {
    case kCoreKilohertzAttribute:
      return to_int(machine.clock.core_mhz) * 1000;
    case kMemoryKilohertzAttribute:
      return to_int(machine.clock.dram_mhz) * 1000;
    case kLinearTexelsAttribute:
      return 1 << 27;
    default:
      break;
  }
  const auto* const found =
      std::find_if(std::begin(kAttributes), std::end(kAttributes),
                   [&](const Attribute& attribute) { return attribute.number == number; });
  return found == std::end(kAttributes) ? 0 : found->value(properties_of(machine, memory_bytes));
}

}  // namespace heddle::cuda
