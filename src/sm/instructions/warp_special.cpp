#include "sm/instructions/warp_special.h"

namespace heddle::sm {

bool reads_warp_special(const code::Instruction& instruction) {
  using code::Special;
  if (instruction.operation != code::Operation::read_special) return false;
  switch (instruction.special) {
    case Special::thread_x:
    case Special::thread_y:
    case Special::thread_z:
    case Special::lane:
    case Special::mask_equal:
    case Special::mask_less_equal:
    case Special::mask_less:
    case Special::mask_greater_equal:
    case Special::mask_greater:
      return false;
    case Special::block_x:
    case Special::block_y:
    case Special::block_z:
    case Special::warp:
    case Special::warps_per_block:
    case Special::sm:
    case Special::sm_count:
    case Special::grid_id:
    case Special::clock:
    case Special::clock_high:
    case Special::clock64:
    case Special::global_timer:
    case Special::global_timer_low:
    case Special::global_timer_high:
    case Special::dynamic_shared_bytes:
    case Special::total_shared_bytes:
    case Special::aggregate_shared_bytes:
    case Special::stack_pointer:
    case Special::dynamic_shared_offset:
      return true;
  }
  return false;
}

}  // namespace heddle::sm
