#pragma once

// Runs a launch step by step on several multiprocessors, like a timing model but with warps in
// random order. Execution proceeds in epochs: stores become visible at an epoch's end, and atomics
// are performed after it.

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

/// A launch as a device makes it, with the objects that must outlive it.
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
    std::uint32_t blocks_each = 2;
    int epoch_steps = 40;
    bool with_threads = false;  ///< One host thread for each multiprocessor.
    bool in_parts = false;      ///< Uses enter() and execute(), or capture_atomic() and skip().
  };

  SteppedRun(const exec::Launch& launch, const Options& options)
      : launch_(launch), options_(options), sms_(options.multiprocessors) {
    for (std::size_t i = 0; i < sms_.size(); ++i) sms_[i].random.seed(static_cast<unsigned>(i));
  }

  void run() {
    const std::uint64_t blocks = launch_.grid.count();
    std::uint64_t next = 0;
    std::uint64_t finished = 0;
    for (int epoch = 0; finished < blocks; ++epoch) {
      if (epoch == 1'000'000) throw std::runtime_error("the stepped run does not end");
      for (std::uint32_t number = 0; number < sms_.size(); ++number) {
        Sm& sm = sms_[number];
        if (next == blocks || sm.resident.size() == options_.blocks_each) continue;
        ResidentBlock& resident = sm.resident.emplace_back();
        resident.block = std::make_unique<exec::Block>(launch_);
        resident.block->place_on(number, static_cast<std::uint32_t>(sms_.size()), &sm.stores);
        resident.block->start(next++);
        resident.atomics.resize(resident.block->warps().size());
      }
      run_epoch();
      end_epoch();
      for (Sm& sm : sms_) {
        finished +=
            std::erase_if(sm.resident, [](const ResidentBlock& r) { return r.block->finished(); });
      }
    }
  }
  std::uint64_t deferred_atomics() const { return deferred_atomics_; }

 private:
  struct ResidentBlock {
    std::unique_ptr<exec::Block> block;
    std::vector<exec::DeferredAtomic> atomics;  ///< By warp.
    std::uint32_t captured = 0;
    std::uint32_t chip_wide = 0;
  };
  struct Sm {
    exec::EpochStores stores;
    std::vector<ResidentBlock> resident;
    std::mt19937 random;
    std::uint64_t clock = 0;
  };

  void run_epoch() {
    std::vector<std::future<void>> threads;
    for (Sm& sm : sms_) {
      if (options_.with_threads) {
        threads.push_back(std::async(std::launch::async, [&] { run_alone(sm); }));
      } else {
        run_alone(sm);
      }
    }
    for (std::future<void>& thread : threads) thread.get();
  }

  void run_alone(Sm& sm) {
    for (int i = 0; i < options_.epoch_steps && !sm.resident.empty(); ++i) {
      ResidentBlock& resident = sm.resident[sm.random() % sm.resident.size()];
      const std::uint32_t able =
          resident.block->running_warps() & ~(resident.captured | resident.chip_wide);
      if (able == 0) continue;
      auto number = static_cast<std::uint32_t>(sm.random() % 32);
      while ((able >> number & 1) == 0) number = (number + 1) % 32;
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
      resident.chip_wide |= bit;
    } else if (instruction.operation != code::Operation::atomic) {
      execute(block, warp);
    } else if (capture(block, warp, resident.atomics[number])) {
      resident.captured |= bit;
    } else if (resident.atomics[number].in_shared_memory()) {
      execute(block, warp);
    } else {
      resident.chip_wide |= bit;
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
    const bool captured = block.capture_atomic(warp, decoded.index, atomic);
    if (captured) exec::Block::skip(warp, decoded);
    return captured;
  }

  void end_epoch() {
    constexpr std::uint32_t kShares = 2;
    for (std::uint32_t share = 0; share < kShares; ++share) {
      for (Sm& sm : sms_) sm.stores.commit(*launch_.memory, share, kShares);
    }
    for (Sm& sm : sms_) sm.stores.clear();
    for (Sm& sm : sms_) {
      for (ResidentBlock& resident : sm.resident) {
        for (std::uint32_t number = 0; number < resident.atomics.size(); ++number) {
          const std::uint32_t bit = std::uint32_t{1} << number;
          exec::Warp& warp = resident.block->warp(number);
          if ((resident.captured & bit) != 0) {
            exec::DeferredAtomic& atomic = resident.atomics[number];
            if (!atomic.lanes().empty()) {
              atomic.perform(atomic.lanes());
              ++deferred_atomics_;
            }
            atomic.deliver(warp.context);
          }
          if ((resident.chip_wide & bit) != 0) {
            exec::EpochStores* const stores = std::exchange(warp.context.memory.stores, nullptr);
            resident.block->step(warp);
            warp.context.memory.stores = stores;
          }
        }
        resident.captured = resident.chip_wide = 0;
      }
    }
  }

  const exec::Launch& launch_;
  Options options_;
  std::vector<Sm> sms_;
  std::uint64_t deferred_atomics_ = 0;
};

}  // namespace heddle::device::test
