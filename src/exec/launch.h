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

class ExecutionProfile;
class SystemServices;

/// One launch of a kernel, checked and ready to run: everything that its blocks have in common.
struct Launch {
  const code::Program* program = nullptr;
  const DecodedProgram* code = nullptr;
  std::uint32_t function = 0;  ///< The kernel: an index into Program::functions.
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t local_bytes = 0;  ///< The size of a thread's stack.
  std::uint64_t grid_id = 0;
  /// The address of the grid barrier's workspace of a cooperative launch; 0 for other launches.
  std::uint64_t grid_workspace = 0;
  /// Whether each warp of a block runs as a block of its own (gpu/small_blocks.h). The program sees
  /// no difference.
  bool splits_blocks_into_warps = false;
  std::vector<std::byte> parameters;
  /// The registers that DecodedProgram::constant_words lists.
  std::vector<VectorRegister> constants;
  GlobalMemory* memory = nullptr;
  TextureUnit* textures = nullptr;
  SystemServices* services = nullptr;
  ExecutionProfile* profile = nullptr;  ///< Filled unless null.
  /// A functional run of the launch faults after this number of warp instructions.
  std::uint64_t max_warp_instructions = ~std::uint64_t{0};
  /// Called with a message if the launch may never end. May be empty.
  std::function<void(std::string_view)> notice;

  const code::FunctionInfo& info() const { return program->functions[function]; }
  std::uint32_t shared_bytes() const {
    // Dynamic shared memory begins at a 16-byte boundary after the static shared memory.
    return (info().shared_bytes + 15) / 16 * 16 + dynamic_shared_bytes;
  }
  std::uint32_t warps_per_block() const {
    return static_cast<std::uint32_t>((block.count() + 31) / 32);
  }
  // The following count blocks as they run: each may be a single warp of a block of the program.
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
