// The operation read_special, which reads special registers.

#include "exec/lanes/by_type.h"
#include "exec/lanes/families.h"
#include "exec/lanes/lanes.h"

namespace heddle::exec::HEDDLE_LANES {
namespace {

using code::Special;
using std::uint32_t;
using std::uint64_t;

/// The handler that writes value(context, lane) to one or two registers.
template <class Value>
Handler special_handler(ValueType type, Value) {
  if (registers_of(type) == 2) {
    return [](WarpContext& context, const Decoded& decoded) {
      write_lanes<uint64_t>(context, decoded.destination[0],
                            [&](int lane) { return Value{}(context, lane); });
    };
  }
  return [](WarpContext& context, const Decoded& decoded) {
    write_lanes<uint32_t>(context, decoded.destination[0],
                          [&](int lane) { return static_cast<uint32_t>(Value{}(context, lane)); });
  };
}

}  // namespace

Handler select_special(const code::Instruction& i) {
  if (i.operation != code::Operation::read_special) return nullptr;
  using C = const WarpContext&;
  const auto handler = [&](auto value) { return special_handler(i.type, value); };
  switch (i.special) {
    case Special::thread_x:
      return handler([](C c, int l) { return c.identity->thread_x[l]; });
    case Special::thread_y:
      return handler([](C c, int l) { return c.identity->thread_y[l]; });
    case Special::thread_z:
      return handler([](C c, int l) { return c.identity->thread_z[l]; });
    case Special::block_x:
      return handler([](C c, int) { return c.identity->block_x; });
    case Special::block_y:
      return handler([](C c, int) { return c.identity->block_y; });
    case Special::block_z:
      return handler([](C c, int) { return c.identity->block_z; });
    case Special::lane:
      return handler([](C, int l) { return static_cast<uint32_t>(l); });
    case Special::warp:
      return handler([](C c, int) { return c.identity->warp; });
    case Special::warps_per_block:
      return handler([](C c, int) { return c.identity->warps_per_block; });
    case Special::sm:
      return handler([](C c, int) { return c.identity->sm; });
    case Special::sm_count:
      return handler([](C c, int) { return c.identity->sm_count; });
    case Special::grid_id:
      return handler([](C c, int) { return c.identity->grid_id; });
    case Special::mask_equal:
      return handler([](C, int l) { return kLaneBits.by_lane[l]; });
    case Special::mask_less_equal:
      return handler([](C, int l) { return kLaneBits.by_lane[l] | (kLaneBits.by_lane[l] - 1); });
    case Special::mask_less:
      return handler([](C, int l) { return kLaneBits.by_lane[l] - 1; });
    case Special::mask_greater_equal:
      return handler([](C, int l) { return 0 - kLaneBits.by_lane[l]; });
    case Special::mask_greater:
      return handler([](C, int l) { return ~(kLaneBits.by_lane[l] | (kLaneBits.by_lane[l] - 1)); });
    case Special::clock:
    case Special::clock64:
      return handler([](C c, int) { return c.clock; });
    case Special::clock_high:
      return handler([](C c, int) { return c.clock >> 32; });
    case Special::global_timer:
    case Special::global_timer_low:
      return handler([](C c, int) { return c.nanoseconds; });
    case Special::global_timer_high:
      return handler([](C c, int) { return c.nanoseconds >> 32; });
    case Special::dynamic_shared_bytes:
      return handler([](C c, int) { return c.identity->dynamic_shared_bytes; });
    case Special::total_shared_bytes:
      return handler([](C c, int) { return c.identity->total_shared_bytes; });
    case Special::aggregate_shared_bytes:
      return handler([](C c, int) { return c.identity->aggregate_shared_bytes; });
    case Special::stack_pointer:
      return handler([](C c, int) { return c.frame_base; });
    case Special::dynamic_shared_offset:
      return handler([](C c, int) { return c.identity->dynamic_shared_offset; });
  }
  return nullptr;
}

}  // namespace heddle::exec::HEDDLE_LANES
