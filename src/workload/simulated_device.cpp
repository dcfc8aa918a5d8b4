#include "workload/simulated_device.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "device/loaded_module.h"

namespace heddle::workload {

SimulatedDevice::SimulatedDevice(const device::PtxSource& kernels,
                                 const device::DeviceOptions& options)
    : device_(options), module_(device_.load({kernels})) {}

SimulatedDevice::SimulatedDevice(const Workload& workload, const device::DeviceOptions& options)
    : SimulatedDevice({.file = ptx_file_of(workload, options.compile.multiply_add),
                       .text = std::string(ptx_of(workload, options.compile.multiply_add))},
                      options) {}

const code::Program& SimulatedDevice::program() const { return module_.program(); }

Address SimulatedDevice::allocate_bytes(std::uint64_t bytes, std::string_view name) {
  return device_.allocate(bytes, name);
}

void SimulatedDevice::write_bytes(Address to, std::span<const std::byte> from) {
  device_.copy_to_device(to, from);
}

void SimulatedDevice::read_bytes(std::span<std::byte> to, Address from) {
  device_.copy_from_device(to, from);
}

void SimulatedDevice::copy_bytes(Address to, Address from, std::uint64_t bytes) {
  device_.copy_within_device(to, from, bytes);
}

void SimulatedDevice::fill_bytes(Address to, std::uint8_t value, std::uint64_t bytes) {
  device_.set(to, value, bytes);
}

Address SimulatedDevice::symbol_address(std::string_view name) {
  const std::optional<device::Symbol> symbol = device_.find_symbol(module_, name);
  if (!symbol) throw InputError(fmt::format("unknown device variable '{}'", name));
  return symbol->address;
}

TextureHandle SimulatedDevice::create_texture(const TextureDescription& description,
                                              std::span<const std::byte> texels) {
  const bool has_u8_texels = description.texel == TextureDescription::Texel::u8;
  const exec::ChannelFormat format{
      .kind = has_u8_texels ? exec::ChannelKind::unsigned_integer : exec::ChannelKind::floating,
      .bits = static_cast<std::uint8_t>(has_u8_texels ? 8 : 32),
      .channels = static_cast<std::uint8_t>(description.channels)};
  const exec::ArrayShape shape{.width = description.width, .height = description.height};
  arrays_.push_back(std::make_unique<exec::ArrayStorage>(device_.memory(), shape, format));
  const std::uint64_t row_bytes = std::uint64_t{description.width} * format.texel_bytes();
  if (texels.size() != row_bytes * description.height) {
    throw InputError(fmt::format("a texture needs {} bytes, but {} were given",
                                 row_bytes * description.height, texels.size()));
  }
  for (std::uint32_t y = 0; y < description.height; ++y) {
    arrays_.back()->write_row(texels.subspan(y * row_bytes, row_bytes), 0, y);
  }
  exec::SamplerDescription sampler;
  const auto edge = description.edge == TextureDescription::Edge::wrap ? exec::AddressMode::wrap
                                                                       : exec::AddressMode::clamp;
  sampler.address_modes.fill(edge);
  sampler.filter = description.linear ? exec::FilterMode::linear : exec::FilterMode::point;
  sampler.normalized_float = description.read_as_fraction;
  sampler.normalized_coordinates = description.normalized_coordinates;
  return {device_.textures().create_texture(exec::ArrayResource{arrays_.back().get()}, sampler)};
}

std::uint32_t SimulatedDevice::resident_blocks(std::string_view kernel, const Dim3& block) {
  const std::uint64_t blocks = device_.resident_blocks(device_.find_kernel(module_, kernel), block);
  // If not even one block fits, the launch reports why.
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, blocks));
}

void SimulatedDevice::launch_kernel(std::string_view kernel, const LaunchShape& shape,
                                    const device::Arguments& arguments) {
  const device::Kernel found = device_.find_kernel(module_, kernel);
  const code::FunctionInfo& info = program().functions[found.function];
  const auto profile = profiles_.try_emplace(&info, program().instructions.size()).first;
  const device::LaunchResult result =
      device_.launch(found,
                     {.grid = shape.grid,
                      .block = shape.block,
                      .dynamic_shared_bytes = shape.dynamic_shared_bytes,
                      .profile = &profile->second},
                     arguments);
  launches_.push_back({&info, shape, result});
  if (on_launch) on_launch(launches_.back());
}

InstructionMix SimulatedDevice::mix_of(const code::FunctionInfo& kernel) const {
  InstructionMix mix;
  const auto profile = profiles_.find(&kernel);
  if (profile == profiles_.end()) return mix;
  const std::vector<exec::ExecutionProfile::Count> counts = profile->second.counts();
  for (std::size_t pc = 0; pc < counts.size(); ++pc) {
    mix.count(code::class_of(program().instructions[pc])) += counts[pc].warps;
  }
  return mix;
}

}  // namespace heddle::workload
