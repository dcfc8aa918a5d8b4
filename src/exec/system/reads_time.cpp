#include "exec/system/reads_time.h"

namespace heddle::exec {

bool reads_time(const code::Instruction& instruction) {
  if (instruction.operation != code::Operation::read_special) return false;
  switch (instruction.special) {
    case code::Special::clock:
    case code::Special::clock_high:
    case code::Special::clock64:
    case code::Special::global_timer:
    case code::Special::global_timer_low:
    case code::Special::global_timer_high:
      return true;
    default:
      return false;
  }
}

}  // namespace heddle::exec
