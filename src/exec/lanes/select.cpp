#include "exec/lanes/families.h"

namespace heddle::exec::HEDDLE_LANES {

/// Returns the handler of an instruction; null if no family implements the instruction.
Handler select_handler(const code::Instruction& instruction) {
  for (const auto family :
       {select_move, select_special, select_integer, select_carry, select_bits, select_logic,
        select_video, select_compare, select_float, select_half, select_approximate, select_convert,
        select_warp_wide, select_memory, select_texture}) {
    if (const Handler handler = family(instruction)) return handler;
  }
  return nullptr;
}

}  // namespace heddle::exec::HEDDLE_LANES
