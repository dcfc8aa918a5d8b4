#include "cuda/runtime/device_properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "cuda/fatbin/fat_binary.h"
#include "cuda/runtime/error.h"
#include "cuda/runtime/launch_limits.h"
#include "device/limits.h"

namespace heddle::cuda {
namespace {

using abi::DeviceProperties;

constexpr int kConstantBytes = 64 * 1024;
/// The limits of textures and surfaces, in texels. Machine descriptions do not contain them, so the
/// values are those of compute capability 8.0 (CUDA C++ Programming Guide, technical
/// specifications).
constexpr int kMax1D = 131072;
constexpr int kMax2DWidth = 131072;
constexpr int kMax2DHeight = 65536;
constexpr int kMax3D = 16384;
constexpr int kMaxGather = 32768;
constexpr int kMaxSide = 32768;   ///< Of cubes, and of textures with layers or mipmaps.
constexpr int kMaxLayers = 2048;  ///< A number of layers, not texels.

template <std::size_t N>
void set(int (&to)[N], const int (&values)[N]) {
  std::copy(std::begin(values), std::end(values), std::begin(to));
}

void set_textures(DeviceProperties& p) {
  p.texture_alignment = 512;
  p.texture_pitch_alignment = 32;
  p.surface_alignment = 512;
  p.max_texture_1d = p.max_surface_1d = kMax1D;
  p.max_texture_1d_mipmap = kMaxSide;
  set(p.max_texture_2d, {kMax2DWidth, kMax2DHeight});
  set(p.max_surface_2d, {kMax2DWidth, kMax2DHeight});
  set(p.max_texture_2d_mipmap, {kMaxSide, kMaxSide});
  constexpr int kMaxPitchBytes = 2097120;
  set(p.max_texture_2d_linear, {kMax2DWidth, kMax2DHeight, kMaxPitchBytes});
  set(p.max_texture_2d_gather, {kMaxGather, kMaxGather});
  set(p.max_texture_3d, {kMax3D, kMax3D, kMax3D});
  set(p.max_surface_3d, {kMax3D, kMax3D, kMax3D});
  set(p.max_texture_3d_alternative, {kMax3D / 2, kMax3D / 2, kMax3D * 2});
  p.max_texture_cube = p.max_surface_cube = kMaxSide;
  set(p.max_texture_1d_layered, {kMaxSide, kMaxLayers});
  set(p.max_surface_1d_layered, {kMaxSide, kMaxLayers});
  set(p.max_texture_2d_layered, {kMaxSide, kMaxSide, kMaxLayers});
  set(p.max_surface_2d_layered, {kMaxSide, kMaxSide, kMaxLayers});
  set(p.max_texture_cube_layered, {kMaxSide, kMaxLayers - 2});
  set(p.max_surface_cube_layered, {kMaxSide, kMaxLayers - 2});
}

void set_multiprocessor(DeviceProperties& p, const gpu::Machine& machine) {
  using Residency = sm::ResidencyDescription;
  p.shared_bytes_per_block = default_max_shared_bytes(machine);
  p.shared_bytes_per_block_opt_in = max_shared_bytes(machine);
  p.shared_bytes_per_multiprocessor = machine.maximum(&Residency::shared_bytes);
  p.registers_per_block = static_cast<int>(machine.maximum(&Residency::registers));
  p.registers_per_multiprocessor = p.registers_per_block;
  p.warp_size = 32;
  p.max_threads_per_block = static_cast<int>(max_threads(machine));
  p.threads_per_multiprocessor = static_cast<int>(machine.maximum(&Residency::warps) * 32);
  p.blocks_per_multiprocessor = static_cast<int>(machine.maximum(&Residency::blocks));
  p.multiprocessors = static_cast<int>(machine.chip.sms);
}

void set_limits(DeviceProperties& p) {
  constexpr device::Limits kLimits{};
  const auto as_ints = [](int(&to)[3], const Dim3& from) {
    set(to, {static_cast<int>(from.x), static_cast<int>(from.y), static_cast<int>(from.z)});
  };
  as_ints(p.max_block_extent, kLimits.block);
  as_ints(p.max_grid_extent, kLimits.grid);
  p.max_pitch = 0x7fff'ffff;
  p.constant_bytes = kConstantBytes;
}

}  // namespace

DeviceProperties properties_of(const gpu::Machine& machine, std::uint64_t memory_bytes) {
  DeviceProperties p{};
  fmt::format_to_n(std::begin(p.name), sizeof p.name - 1, "Heddle {}", machine.name);
  constexpr std::string_view kUuid = "heddle simulator";
  static_assert(kUuid.size() == sizeof p.uuid);
  std::copy(kUuid.begin(), kUuid.end(), std::begin(p.uuid));
  p.memory_bytes = memory_bytes;
  p.major = static_cast<int>(kReportedCapability.major());
  p.minor = static_cast<int>(kReportedCapability.minor());
  set_limits(p);
  set_multiprocessor(p, machine);
  set_textures(p);
  p.l2_bytes = static_cast<int>(machine.memory.l2.bytes * machine.memory.memory.partitions);
  p.memory_bus_bits = static_cast<int>(machine.memory.memory.partitions * 64);
  p.maps_host_memory = 1;
  p.copy_engines = 1;
  p.unified_addressing = 1;
  p.stream_priorities = 1;
  p.l1_caches_global = 1;
  p.l1_caches_local = 1;
  p.managed_memory = 1;
  p.cooperative_launch = 1;
  p.host_register = 1;
  p.memory_pools = 1;
  p.concurrent_kernels = 1;
  p.numa_id = p.host_numa_id = -1;
  return p;
}

bool are_distinguishable(const gpu::Machine& a, const gpu::Machine& b) {
  return properties_of(a, 0) != properties_of(b, 0) || a.clock.core_mhz != b.clock.core_mhz ||
         a.clock.dram_mhz != b.clock.dram_mhz || a.max_registers(32) != b.max_registers(32);
}

}  // namespace heddle::cuda
