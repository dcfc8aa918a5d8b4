#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "code/program.h"
#include "exec/block/vector_register.h"
#include "exec/block/warp_context.h"
#include "exec/decode.h"

namespace heddle::exec {

class AccessObserver;
class ExecutionProfile;
class SystemServices;
struct WarpStatus;

/// One launch of a kernel that is ready to run: everything that its blocks have in common.
struct Launch {
  const code::Program* program = nullptr;
  const DecodedProgram* code = nullptr;
  std::uint32_t function = 0;  ///< The kernel: an index into Program::functions.
  Dim3 grid;                   ///< In blocks.
  Dim3 block;                  ///< In threads.
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t local_bytes = 0;  ///< Local memory of one thread: its stack.
  std::uint64_t grid_id = 0;      ///< The value of %gridid.
  /// For a cooperative launch, the device address of the memory that its grid barrier uses; 0 for
  /// other launches.
  std::uint64_t grid_workspace = 0;
  /// Whether each warp of a block runs as a block of its own (gpu/small_blocks.h). The program sees
  /// no difference.
  bool splits_blocks_into_warps = false;
  std::vector<std::byte> parameters;  ///< The values of the kernel's parameters.
  /// The constant registers, in the order of DecodedProgram::constant_words.
  std::vector<VectorRegister> constants;
  GlobalMemory* memory = nullptr;
  TextureUnit* textures = nullptr;
  SystemServices* services = nullptr;
  ExecutionProfile* profile = nullptr;  ///< Null: the launch is not profiled.
  /// Observes the accesses to global memory; null: they are not observed. The program must then be
  /// decoded with Observation::accesses.
  AccessObserver* access_observer = nullptr;
  /// The launch stops with a fault after this number of warp instructions. A timed run checks the
  /// limit only between epochs, so it stops somewhat later.
  std::uint64_t max_warp_instructions = ~std::uint64_t{0};
  /// Called with a message for the user if the launch may never end. May be empty.
  std::function<void(std::string_view)> notice;
  /// Called when no thread makes progress, with the statuses of all threads. Returns true after
  /// code of the host may have changed memory that they read, or false if none will. May be empty:
  /// only the launch itself changes memory.
  std::function<bool(const std::vector<WarpStatus>&)> wait_for_host;

  const code::FunctionInfo& info() const { return program->functions[function]; }
  std::uint32_t shared_bytes() const {
    // Dynamic shared memory begins at a 16-byte boundary after the static shared memory.
    return (info().shared_bytes + 15) / 16 * 16 + dynamic_shared_bytes;
  }
  std::uint32_t warps_per_block() const {
    return static_cast<std::uint32_t>((block.count() + 31) / 32);
  }
  // A running block is a block of the program or, with splits_blocks_into_warps, one warp of it.
  std::uint32_t warps_per_running_block() const {
    return splits_blocks_into_warps ? 1 : warps_per_block();
  }
  std::uint64_t running_blocks() const {
    return grid.count() * (warps_per_block() / warps_per_running_block());
  }
};

/// Fills Launch::constants from its grid, block and parameters.
void fill_constants(Launch& launch);

}  // namespace heddle::exec
