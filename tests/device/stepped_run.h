#pragma once

// Runs a launch step by step on several simulated multiprocessors, as a timing model does, but
// chooses warps at random. Execution proceeds in epochs, during which multiprocessors do not see
// one another's stores. Stores become visible at an epoch's end. Atomics on global memory are
// performed after it.

#include <algorithm>
#include <future>
#include <memory>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "device/device.h"
#include "device/launch_check.h"
#include "device/loaded_module.h"
#include "exec/block/block.h"
#include "exec/launch.h"
#include "exec/memory/deferred_atomic.h"
#include "exec/memory/epoch_stores.h"
#include "exec/system/chip_wide.h"
#include "exec/system/device_heap.h"
#include "exec/system/system_services.h"

namespace heddle::device::test {

/// A launch as a device prepares it, with the objects that must outlive it.
struct PreparedLaunch {
  PreparedLaunch(Device& device, Kernel kernel, const LaunchConfiguration& configuration,
                 const Arguments& arguments)
      : heap(device.memory()), services(device.options().print, heap) {
    const code::FunctionInfo& info = kernel.module->program().functions[kernel.function];
    check_launch(kernel.module->program(), info, configuration, device.options());
    launch.program = &kernel.module->program();
    launch.code = &kernel.module->decoded();
    launch.function = kernel.function;
    launch.grid = configuration.grid;
    launch.block = configuration.block;
    launch.dynamic_shared_bytes = configuration.dynamic_shared_bytes;
    launch.local_bytes = stack_bytes(info, device.options());
    launch.grid_id = 1;
    launch.parameters = lay_out(info, arguments);
    launch.memory = &device.memory();
    launch.textures = &device.textures();
    launch.services = &services;
    exec::fill_constants(launch);
  }

  exec::DeviceHeap heap;
  exec::SystemServices services;
  exec::Launch launch;
};

class SteppedRun {
 public:
  struct Options {
    std::uint32_t multiprocessors = 3;
    std::uint32_t blocks_per_sm = 2;  ///< The maximum number of resident blocks.
    int steps_per_epoch = 40;         ///< The maximum number of steps of each multiprocessor.
    /// Whether each multiprocessor runs on a host thread of its own.
    bool with_host_threads = false;
    /// Whether each step is made in two calls: enter() and execute() instead of step(), and
    /// capture_atomic() and skip() instead of step_atomic().
    bool in_parts = false;
  };

  SteppedRun(const exec::Launch& launch, const Options& options)
      : launch_(launch), options_(options), sms_(options.multiprocessors) {
    for (std::size_t i = 0; i < sms_.size(); ++i) sms_[i].random.seed(static_cast<unsigned>(i));
  }

  void run() {
    const std::uint64_t blocks = launch_.grid.count();
    std::uint64_t next_block = 0;
    std::uint64_t finished_blocks = 0;
    for (int epoch = 0; finished_blocks < blocks; ++epoch) {
      if (epoch == 1'000'000) throw std::runtime_error("the stepped run does not end");
      for (std::uint32_t number = 0; number < sms_.size(); ++number) {
        Sm& sm = sms_[number];
        if (next_block == blocks || sm.blocks.size() == options_.blocks_per_sm) continue;
        ResidentBlock& resident = sm.blocks.emplace_back();
        resident.block = std::make_unique<exec::Block>(launch_);
        resident.block->place_on(number, static_cast<std::uint32_t>(sms_.size()), &sm.stores);
        resident.block->start(next_block++);
        resident.atomics.resize(resident.block->warps().size());
      }
      run_epoch();
      end_epoch();
      for (Sm& sm : sms_) {
        finished_blocks +=
            std::erase_if(sm.blocks, [](const ResidentBlock& r) { return r.block->finished(); });
      }
    }
  }
  /// The number of warps' atomics that were performed after an epoch.
  std::uint64_t deferred_atomics() const { return deferred_atomics_; }

 private:
  struct ResidentBlock {
    std::unique_ptr<exec::Block> block;
    std::vector<exec::DeferredAtomic> atomics;  ///< By warp.
    std::uint32_t warps_with_atomic = 0;        ///< A mask of the warps whose atomic was captured.
    /// A mask of the warps at an instruction that must be executed between epochs.
    std::uint32_t chip_wide_warps = 0;
  };
  struct Sm {
    exec::EpochStores stores;
    std::vector<ResidentBlock> blocks;
    std::mt19937 random;
    std::uint64_t clock = 0;
  };

  void run_epoch() {
    std::vector<std::future<void>> threads;
    for (Sm& sm : sms_) {
      if (options_.with_host_threads) {
        threads.push_back(std::async(std::launch::async, [&] { run_sm(sm); }));
      } else {
        run_sm(sm);
      }
    }
    for (std::future<void>& thread : threads) thread.get();
  }

  void run_sm(Sm& sm) {
    for (int i = 0; i < options_.steps_per_epoch && !sm.blocks.empty(); ++i) {
      ResidentBlock& resident = sm.blocks[sm.random() % sm.blocks.size()];
      const std::uint32_t runnable_warps = resident.block->running_warps() &
                                           ~(resident.warps_with_atomic | resident.chip_wide_warps);
      if (runnable_warps == 0) continue;
      auto number = static_cast<std::uint32_t>(sm.random() % 32);
      while ((runnable_warps >> number & 1) == 0) number = (number + 1) % 32;
      step(sm, resident, number);
    }
  }

  void step(Sm& sm, ResidentBlock& resident, std::uint32_t number) const {
    exec::Block& block = *resident.block;
    exec::Warp& warp = block.warp(number);
    warp.context.clock = warp.context.nanoseconds = ++sm.clock;
    const std::uint32_t bit = std::uint32_t{1} << number;
    const code::Instruction& instruction = launch_.program->instructions[warp.stack.top().pc];
    if (exec::is_chip_wide(instruction)) {
      resident.chip_wide_warps |= bit;
    } else if (instruction.operation != code::Operation::atomic) {
      execute(block, warp);
    } else if (capture(block, warp, resident.atomics[number])) {
      resident.warps_with_atomic |= bit;
    } else if (resident.atomics[number].in_shared_memory()) {
      execute(block, warp);
    } else {
      resident.chip_wide_warps |= bit;
    }
  }

  void execute(exec::Block& block, exec::Warp& warp) const {
    if (!options_.in_parts) return block.step(warp);
    const exec::Decoded& decoded = block.enter(warp);
    block.execute(warp, decoded);
  }
  bool capture(exec::Block& block, exec::Warp& warp, exec::DeferredAtomic& atomic) const {
    if (!options_.in_parts) return block.step_atomic(warp, atomic);
    const exec::Decoded& decoded = block.enter(warp);
    const bool is_captured = block.capture_atomic(warp, decoded.index, atomic);
    if (is_captured) exec::Block::skip(warp, decoded);
    return is_captured;
  }

  void end_epoch() {
    constexpr std::uint32_t kShares = 2;
    for (std::uint32_t share = 0; share < kShares; ++share) {
      for (Sm& sm : sms_) sm.stores.commit(*launch_.memory, share, kShares);
    }
    for (Sm& sm : sms_) sm.stores.clear();
    for (Sm& sm : sms_) {
      for (ResidentBlock& resident : sm.blocks) {
        for (std::uint32_t number = 0; number < resident.atomics.size(); ++number) {
          const std::uint32_t bit = std::uint32_t{1} << number;
          exec::Warp& warp = resident.block->warp(number);
          if ((resident.warps_with_atomic & bit) != 0) {
            exec::DeferredAtomic& atomic = resident.atomics[number];
            if (!atomic.lanes().empty()) {
              atomic.perform(atomic.lanes());
              ++deferred_atomics_;
            }
            atomic.deliver(warp.context);
          }
          if ((resident.chip_wide_warps & bit) != 0) {
            exec::EpochStores* const stores = std::exchange(warp.context.memory.stores, nullptr);
            resident.block->step(warp);
            warp.context.memory.stores = stores;
          }
        }
        resident.warps_with_atomic = resident.chip_wide_warps = 0;
      }
    }
  }

  const exec::Launch& launch_;
  Options options_;
  std::vector<Sm> sms_;
  std::uint64_t deferred_atomics_ = 0;
};

}  // namespace heddle::device::test
