#pragma once

// Runs workloads on a real GPU through the CUDA runtime. The driver compiles the same PTX that the
// simulator runs.

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

#include "workload/gpu.h"
#include "workload/workload.h"

namespace heddle::silicon {

class CudaDevice final : public workload::Gpu {
 public:
  /// Loads the kernels of a PTX text, or those of a workload with fused multiply-adds.
  explicit CudaDevice(const std::string& ptx);
  explicit CudaDevice(const workload::Workload& workload);
  ~CudaDevice() override;

  /// The measured time of a launch.
  struct Launch {
    std::string kernel;
    double nanoseconds = 0;
  };
  /// All launches, in order.
  const std::vector<Launch>& launches() const { return launches_; }

  workload::Address allocate_bytes(std::uint64_t bytes, std::string_view name) override;
  void write_bytes(workload::Address to, std::span<const std::byte> from) override;
  void read_bytes(std::span<std::byte> to, workload::Address from) override;
  void copy_bytes(workload::Address to, workload::Address from, std::uint64_t bytes) override;
  void fill_bytes(workload::Address to, std::uint8_t value, std::uint64_t bytes) override;
  workload::Address symbol_address(std::string_view name) override;
  workload::TextureHandle create_texture(const workload::TextureDescription& description,
                                         std::span<const std::byte> texels) override;
  std::uint32_t resident_blocks(std::string_view kernel, const Dim3& block) override;
  void launch_kernel(std::string_view kernel, const workload::LaunchShape& shape,
                     const device::Arguments& arguments) override;

 private:
  /// Finds a kernel and raises its limit of dynamic shared memory if necessary.
  cudaKernel_t kernel_of(std::string_view name, std::uint32_t dynamic_shared_bytes);

  cudaLibrary_t library_ = nullptr;
  cudaEvent_t begin_ = nullptr, end_ = nullptr;  ///< Recorded before and after each launch.
  std::vector<void*> allocations_;
  std::vector<cudaArray_t> arrays_;
  std::vector<cudaTextureObject_t> textures_;
  std::vector<Launch> launches_;
};

}  // namespace heddle::silicon
