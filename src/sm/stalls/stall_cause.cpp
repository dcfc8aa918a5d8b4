#include "sm/stalls/stall_cause.h"

#include <array>

namespace heddle::sm {
namespace {

struct Text {
  std::string_view name;
  std::string_view meaning;
};

constexpr std::array<Text, kStallCauses> kTexts{{
    {"math_pipe_throttle", "the arithmetic unit that it needs is busy"},
    {"mio_throttle", "the queue of the scratchpad, the constant cache or the texture unit is full"},
    {"lg_throttle", "the queue to local and global memory is full"},
    {"dispatch_stall",
     "its scheduler has just issued, or no operand collector or entry of a shared scoreboard is "
     "free"},
    {"withheld", "it could issue, but its scheduler's policy chooses from others or from none"},
    {"branch_resolving", "its branch is not resolved yet"},
    {"wait", "for a result of fixed latency"},
    {"no_instruction", "the next instruction has not been fetched and decoded"},
    {"short_scoreboard",
     "for a result of the scratchpad, the special-function unit or the constant cache"},
    {"long_scoreboard",
     "for a result of local, global or texture memory, or of constants that are fetched"},
    {"membar", "at a fence or barrier, for atomics in flight"},
    {"barrier", "for other warps of its block, at a barrier"},
    {"sleeping", "for the rest of the chip, as calls into the run-time system do"},
    {"drain", "it has ended and its block has not"},
}};

constexpr std::array<Text, kPreexecClasses> kClassTexts{{
    {"long_latency_raw", "for a result of memory outside the multiprocessor"},
    {"short_latency_raw", "for any other result"},
    {"lsu_full", "the load-store unit is full"},
    {"sp_sfu_full", "the arithmetic or special-function unit that it needs is full"},
    {"instruction_buffer_empty", "its next instruction is not in the instruction buffer"},
    {"barrier_wait", "for other warps"},
    {"no_instruction_left", "it has ended and its block has not"},
}};

}  // namespace

std::string_view name_of(StallCause cause) { return kTexts[static_cast<std::size_t>(cause)].name; }
std::string_view meaning_of(StallCause cause) {
  return kTexts[static_cast<std::size_t>(cause)].meaning;
}

PreexecClass class_of(StallCause cause) {
  switch (cause) {
    case StallCause::math_pipe_throttle:
    // An instruction without an operand collector waits in front of the units.
    case StallCause::dispatch:
      return PreexecClass::sp_sfu_full;
    case StallCause::mio_throttle:
    case StallCause::lg_throttle:
      return PreexecClass::lsu_full;
    // Nothing is fetched after a conditional branch until it has been resolved (section 2).
    case StallCause::branch_resolving:
    case StallCause::no_instruction:
      return PreexecClass::instruction_buffer_empty;
    case StallCause::wait:
    case StallCause::short_scoreboard:
      return PreexecClass::short_latency_raw;
    case StallCause::long_scoreboard:
      return PreexecClass::long_latency_raw;
    // The paper has no better class for waits for events outside the warp.
    case StallCause::withheld:
    case StallCause::membar:
    case StallCause::barrier:
    case StallCause::sleeping:
      return PreexecClass::barrier_wait;
    case StallCause::drain:
      return PreexecClass::no_instruction_left;
  }
  return PreexecClass::no_instruction_left;
}

std::string_view name_of(PreexecClass preexec_class) {
  return kClassTexts[static_cast<std::size_t>(preexec_class)].name;
}
std::string_view meaning_of(PreexecClass preexec_class) {
  return kClassTexts[static_cast<std::size_t>(preexec_class)].meaning;
}

}  // namespace heddle::sm
