#pragma once

// The simulated GPU with a workload's kernels: an implementation of Gpu by device::Device.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/device.h"
#include "exec/texture/array_storage.h"
#include "workload/gpu.h"
#include "workload/instruction_mix.h"
#include "workload/workload.h"

namespace heddle::workload {

class SimulatedDevice final : public Gpu {
 public:
  /// Creates a simulated GPU and loads these kernels.
  explicit SimulatedDevice(const device::PtxSource& kernels,
                           const device::DeviceOptions& options = {});
  /// Creates a simulated GPU and loads the workload's kernels: those with fused multiply-adds, or
  /// those without, as `options.compile` states.
  explicit SimulatedDevice(const Workload& workload, const device::DeviceOptions& options = {});

  struct Launch {
    const code::FunctionInfo* kernel = nullptr;
    LaunchShape shape;
    device::LaunchResult result;
  };
  /// Called after each launch. May be empty.
  std::function<void(const Launch&)> on_launch;
  /// All launches, in order.
  const std::vector<Launch>& launches() const { return launches_; }
  const code::Program& program() const;
  /// The warp instructions that all launches of a kernel executed, by class.
  InstructionMix mix_of(const code::FunctionInfo& kernel) const;

  Address allocate_bytes(std::uint64_t bytes, std::string_view name) override;
  void write_bytes(Address to, std::span<const std::byte> from) override;
  void read_bytes(std::span<std::byte> to, Address from) override;
  void copy_bytes(Address to, Address from, std::uint64_t bytes) override;
  void fill_bytes(Address to, std::uint8_t value, std::uint64_t bytes) override;
  Address symbol_address(std::string_view name) override;
  TextureHandle create_texture(const TextureDescription& description,
                               std::span<const std::byte> texels) override;
  std::uint32_t resident_blocks(std::string_view kernel, const Dim3& block) override;
  void launch_kernel(std::string_view kernel, const LaunchShape& shape,
                     const device::Arguments& arguments) override;

 private:
  device::Device device_;
  const device::LoadedModule& module_;
  std::vector<std::unique_ptr<exec::ArrayStorage>> arrays_;
  std::vector<Launch> launches_;
  std::map<const code::FunctionInfo*, exec::ExecutionProfile> profiles_;  ///< By kernel.
};

}  // namespace heddle::workload
