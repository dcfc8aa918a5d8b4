#pragma once

#include <cstdint>
#include <string_view>

namespace heddle::code {

/// The operations of machine instructions; operation.def defines them.
enum class Operation : std::uint8_t {
#define HEDDLE_OPERATION(name, functional_class, executor, effects, latency, expansion) name,
#include "code/operation.def"
};

std::string_view name_of(Operation operation);
/// Whether the warp's control unit executes the operation, rather than its lanes.
bool is_control(Operation operation);

enum class Rounding : std::uint8_t { nearest, zero, down, up, nearest_away };
/// The rounding to an integral value in a floating-point type (cvt.rni and so on), if any.
enum class IntegralRounding : std::uint8_t { none, nearest, zero, down, up };
/// Comparisons of two values. From `less` to `greater_equal`, they compare unsigned integers if the
/// type is unsigned. Those named *_unordered are also true if an operand is NaN.
enum class Comparison : std::uint8_t {
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  equal_unordered,
  not_equal_unordered,
  less_unordered,
  less_equal_unordered,
  greater_unordered,
  greater_equal_unordered,
  ordered,    ///< num: neither operand is NaN
  unordered,  ///< nan: an operand is NaN
};
enum class Boolean : std::uint8_t { none, and_, or_, xor_ };
enum class FloatTest : std::uint8_t { finite, infinite, number, not_a_number, normal, subnormal };
enum class PermuteMode : std::uint8_t { index, f4e, b4e, rc8, ecl, ecr, rc16 };
enum class Shuffle : std::uint8_t { up, down, butterfly, index };
enum class Vote : std::uint8_t { all, any, uniform, ballot };
enum class Reduction : std::uint8_t {
  and_,
  or_,
  xor_,
  add,
  min,
  max,
  increment,
  decrement,
  exchange,
  compare_and_swap,
};
enum class Space : std::uint8_t { generic, global, shared, local, constant, parameter };
enum class MemoryOrder : std::uint8_t {
  weak,
  volatile_,
  relaxed,
  acquire,
  release,
  acquire_release
};
enum class Scope : std::uint8_t { none, block, cluster, device, system };
/// How an access uses the caches; the comments give PTX's names.
enum class CacheOperator : std::uint8_t {
  all,           ///< ca, wb
  global,        ///< cg
  streaming,     ///< cs
  last_use,      ///< lu
  uncached,      ///< cv, wt
  non_coherent,  ///< ld.global.nc
};
enum class BarrierKind : std::uint8_t { sync, arrive, reduce_popc, reduce_and, reduce_or };
enum class TextureGeometry : std::uint8_t { d1, d2, d3, d1_array, d2_array, cube, cube_array };
enum class TextureLevel : std::uint8_t { base, level, gradient };
/// What a surface access does if its coordinates are out of bounds.
enum class SurfaceBoundary : std::uint8_t { trap, clamp, zero };
enum class TextureQuery : std::uint8_t {
  width,
  height,
  depth,
  channel_data_type,
  channel_order,
  array_size,
  mip_levels,
  samples,
  normalized_coordinates,
  force_unnormalized,
  filter_mode,
  address_mode_0,
  address_mode_1,
  address_mode_2,
};
/// Functions of the CUDA device run-time that kernels may call.
enum class SystemCall : std::uint8_t { vprintf, assert_fail, malloc, free };
enum class CopyWait : std::uint8_t { commit, wait_group, wait_all };

/// Special registers that instructions read at run time. The sizes of grid and block are not among
/// them: they are launch constants (code/launch_constants.h).
enum class Special : std::uint8_t {
  thread_x,
  thread_y,
  thread_z,
  block_x,
  block_y,
  block_z,
  lane,
  warp,
  warps_per_block,
  sm,
  sm_count,
  grid_id,
  mask_equal,
  mask_less_equal,
  mask_less,
  mask_greater_equal,
  mask_greater,
  clock,
  clock_high,
  clock64,
  global_timer,
  global_timer_low,
  global_timer_high,
  dynamic_shared_bytes,
  total_shared_bytes,  ///< Without FunctionInfo::reserved_shared_bytes.
  stack_pointer,       ///< Where the current frame begins in local memory (32-bit offset).
  /// Where the block's dynamic shared memory begins (32-bit offset): FunctionInfo::shared_bytes of
  /// the running kernel, rounded up to a multiple of 16 bytes.
  dynamic_shared_offset,
  aggregate_shared_bytes,  ///< All shared memory of the block.
};

/// The scalar and SIMD video instructions (vadd .. vset4).
enum class VideoOperation : std::uint8_t {
  add,
  sub,
  absolute_difference,
  min,
  max,
  average,
  shift_left,
  shift_right,
  multiply_add,
  set,
};

}  // namespace heddle::code
