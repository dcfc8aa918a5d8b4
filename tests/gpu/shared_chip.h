#pragma once

// Programs that share a chip. Each program has its own device and launches one kernel repeatedly.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "device/stepped_run.h"
#include "exec/memory/divided_space.h"
#include "gpu/chip.h"
#include "gpu/chip_run.h"

namespace heddle::gpu::test {

/// The kernels that a program can launch. Block n stores its result in word n of `p`.
/// note: stores the number of the block's multiprocessor after `turns` loop iterations.
/// looked_up: stores a sum of parameters, loaded by address in each of `turns` loop iterations.
/// spin: waits forever for a word that nobody writes. stray: stores out of bounds.
inline constexpr const char* kSharedKernels = R"(
.version 8.0
.target sm_80
.address_size 64
.visible .entry note(.param .u64 p, .param .u32 turns)
{
  .reg .pred %p<4>;
  .reg .b32 %r<20>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r4, [turns];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %smid;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd2, %rd1, %rd2;
LOOP:
  setp.eq.u32 %p1, %r4, 0;
  @%p1 bra DONE;
  sub.u32 %r4, %r4, 1;
  bra LOOP;
DONE:
  st.global.u32 [%rd2], %r3;
  ret;
}
.visible .entry looked_up(.param .u64 p, .param .u32 turns)
{
  .reg .pred %p<4>;
  .reg .b32 %r<20>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p];
  ld.param.u32 %r4, [turns];
  mov.u32 %r6, 0;
LOOP:
  and.b32 %r1, %r4, 4;
  cvt.u64.u32 %rd3, %r1;
  mov.u64 %rd4, p;
  add.u64 %rd4, %rd4, %rd3;
  ld.param.u32 %r5, [%rd4];
  add.u32 %r6, %r6, %r5;
  sub.u32 %r4, %r4, 1;
  setp.ne.u32 %p1, %r4, 0;
  @%p1 bra LOOP;
  mov.u32 %r2, %ctaid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd2, %rd1, %rd2;
  st.global.u32 [%rd2], %r6;
  ret;
}
.visible .entry spin(.param .u64 p, .param .u32 turns)
{
  .reg .pred %p<4>;
  .reg .b32 %r<20>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p];
WAIT:
  ld.volatile.global.u32 %r1, [%rd1];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra WAIT;
  ret;
}
.visible .entry stray(.param .u64 p, .param .u32 turns)
{
  .reg .b32 %r<20>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [p];
  mov.u32 %r1, 7;
  st.global.u32 [%rd1+4096], %r1;
  ret;
}
)";

/// The size of each program's memory, in bytes.
inline constexpr std::uint64_t kCapacity = std::uint64_t{64} << 20;

struct SharedProgram {
  std::string kernel = "note";
  std::uint32_t blocks = 1;
  std::uint32_t threads = 32;
  std::uint32_t turns = 10;
  std::uint32_t launches = 1;         ///< Launches per run.
  bool doubles_every_second = false;  ///< Every second launch has twice the threads per block.
};

/// Repeats one launch. Every `launches` launches are one run of the program.
class RepeatedLaunch final : public LaunchSource {
 public:
  RepeatedLaunch(const SharedProgram& program,
                 const std::shared_ptr<const exec::DividedSpace>& space, std::uint32_t part)
      : device_({.memory = {.capacity = kCapacity, .space = space, .part = part}}),
        launches_of_a_run_(program.launches),
        threads_(program.threads),
        doubles_every_second_(program.doubles_every_second) {
    const device::LoadedModule& module =
        device_.load({{.file = "test.ptx", .text = kSharedKernels}});
    words_ = device_.allocate(std::size_t{program.blocks} * 4);
    device_.set(words_, 0, std::size_t{program.blocks} * 4);
    blocks_ = program.blocks;
    device::Arguments arguments;
    arguments.add(words_);
    arguments.add(program.turns);
    prepared_ = std::make_unique<device::test::PreparedLaunch>(
        device_, device_.find_kernel(module, program.kernel),
        device::LaunchConfiguration{.grid = {program.blocks}, .block = {program.threads}},
        arguments);
  }

  const exec::Launch* next() override {
    if (is_over()) return nullptr;
    if (doubles_every_second_) {
      prepared_->launch.block.x = threads_ * (1 + static_cast<std::uint32_t>(ended_.size() % 2));
    }
    return &prepared_->launch;
  }
  void ended(const KernelRun& run) override { ended_.push_back(run); }

  /// Whether the source has no more launches.
  std::function<bool()> is_over;
  /// The number of completed runs.
  std::size_t runs() const { return ended_.size() / launches_of_a_run_; }
  const std::vector<KernelRun>& launches() const { return ended_; }
  /// The multiprocessor on which each block ran.
  std::vector<std::uint32_t> multiprocessors() const {
    return device_.download<std::uint32_t>(words_, blocks_);
  }

 private:
  device::Device device_;
  std::size_t launches_of_a_run_;
  std::uint32_t threads_;
  bool doubles_every_second_;
  device::DevicePointer words_ = 0;
  std::uint32_t blocks_ = 0;
  std::unique_ptr<device::test::PreparedLaunch> prepared_;
  std::vector<KernelRun> ended_;
};

/// Runs programs side by side on a chip until each has completed one run.
class SharedChip {
 public:
  SharedChip(const Machine& machine, const std::vector<SharedProgram>& programs,
             ChipOptions options = {})
      : chip_(machine, std::move(options)) {
    const auto count = static_cast<std::uint32_t>(programs.size());
    const auto space = exec::divided_space_for({.capacity = kCapacity}, count);
    for (std::uint32_t i = 0; i < count; ++i) {
      programs_.push_back(std::make_unique<RepeatedLaunch>(programs[i], space, i));
    }
  }

  const SharedRun& run() {
    std::vector<LaunchSource*> sources;
    for (const auto& program : programs_) sources.push_back(program.get());
    const auto is_over = [this] {
      return std::all_of(programs_.begin(), programs_.end(),
                         [](const auto& program) { return program->runs() > 0; });
    };
    for (const auto& program : programs_) program->is_over = is_over;
    shared_ = chip_.run_side_by_side(sources, is_over);
    return shared_;
  }

  Chip& chip() { return chip_; }
  const SharedRun& shared_run() const { return shared_; }
  const RepeatedLaunch& program(std::size_t index) const { return *programs_[index]; }

 private:
  Chip chip_;
  std::vector<std::unique_ptr<RepeatedLaunch>> programs_;
  SharedRun shared_;
};

}  // namespace heddle::gpu::test
