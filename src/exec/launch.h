#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "code/program.h"
#include "exec/block/lane_context.h"
#include "exec/block/row.h"
#include "exec/decode.h"

namespace heddle::exec {

class ExecutionProfile;
class SystemServices;

/// One launch of a kernel, checked and ready: what all its blocks have in common.
struct Launch {
  const code::Program* program = nullptr;
  const DecodedProgram* code = nullptr;
  std::uint32_t function = 0;
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  std::uint32_t local_bytes = 0;  ///< A thread's stack.
  std::uint64_t grid_id = 0;
  /// Of a cooperative launch, whose blocks all run at once: where they meet. Else 0.
  std::uint64_t grid_workspace = 0;
  /// Where a block's warps run as blocks of their own (gpu/small_blocks.h). The program sees no
  /// difference.
  bool block_a_warp = false;
  std::vector<std::byte> parameters;
  std::vector<Row> constants;  ///< The rows that DecodedProgram::constant_words asks for.
  GlobalMemory* memory = nullptr;
  TextureUnit* textures = nullptr;
  SystemServices* services = nullptr;
  ExecutionProfile* profile = nullptr;  ///< Filled where there is one.
  std::uint64_t max_warp_instructions = ~std::uint64_t{0};
  /// Told once of a launch that may never end; nobody is where it is empty.
  std::function<void(std::string_view)> notice;

  const code::FunctionInfo& info() const { return program->functions[function]; }
  std::uint32_t shared_bytes() const {
    // Dynamic shared memory begins at a 16-byte boundary after the static.
    return (info().shared_bytes + 15) / 16 * 16 + dynamic_shared_bytes;
  }
  std::uint32_t warps_per_block() const {
    return static_cast<std::uint32_t>((block.count() + 31) / 32);
  }
  // As it runs:
  std::uint32_t warps_per_running_block() const { return block_a_warp ? 1 : warps_per_block(); }
  std::uint64_t running_blocks() const {
    return grid.count() * (warps_per_block() / warps_per_running_block());
  }
};

/// Fills Launch::constants from its grid, block and parameters.
void fill_constants(Launch& launch);

}  // namespace heddle::exec
