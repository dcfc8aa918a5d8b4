#pragma once

// Stack-frame layout: the places of a function's parameters, local variables and call arguments.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "code/link.h"
#include "code/operation.h"
#include "ptx/module.h"

namespace heddle::code::lowering {

inline constexpr std::uint32_t kFrameAlignment = 16;
/// The size of a predicate parameter or result in the frame: a 32-bit word that contains 0 or 1.
inline constexpr std::uint32_t kPredicateBytes = 4;

constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
  return alignment <= 1 ? value : (value + alignment - 1) / alignment * alignment;
}

/// Offsets of a device function's parameters and results from the beginning of its frame, or of a
/// kernel's parameters in the parameter area.
struct CallLayout {
  std::vector<std::uint32_t> parameters;  ///< By parameter: its offset in bytes.
  std::vector<std::uint32_t> returns;     ///< By result: its offset in bytes.
  std::uint64_t bytes = 0;                ///< The size of all of them.
};

CallLayout call_layout(const ptx::Module& module, const std::vector<ptx::VariableIndex>& parameters,
                       const std::vector<ptx::VariableIndex>& returns);

/// A function of the device's run-time system.
struct SystemFunction {
  std::string_view name;
  SystemCall call;
  std::vector<ValueType> parameters;
  ValueType result;
};
/// The run-time system's function of this name; null if there is none.
const SystemFunction* find_system_function(std::string_view name);

/// The place of a function's variable.
struct VariablePlace {
  enum class Where : std::uint8_t {
    kernel_parameter,  ///< `offset` in the launch's parameter area.
    frame,             ///< `offset` from the beginning of the frame.
    thread,            ///< `offset` from the beginning of the thread's local memory.
    outgoing,          ///< `offset` from the beginning of the callee's frame.
    value,             ///< A virtual register: an argument or result of a system call.
  };
  Where where = Where::frame;
  std::uint64_t offset = 0;
};

/// The frame layout of one function.
struct FramePlan {
  std::unordered_map<ptx::VariableIndex, VariablePlace> places;
  CallLayout own_layout;          ///< Of the function's own parameters and results.
  std::uint64_t frame_bytes = 0;  ///< The size of the frame.
};

/// The target of a call instruction, and the declaration that determines the argument layout.
struct CallTarget {
  enum class Kind : std::uint8_t {
    function,  ///< A function of the program.
    system,    ///< A function of the run-time system.
    indirect,  ///< A function whose address the call takes from a register.
    unknown,   ///< The call cannot be executed.
  } kind = Kind::unknown;
  std::uint32_t function = kNone;  ///< Index into Program::functions, unless the call is indirect.
  const SystemFunction* system = nullptr;  ///< Null if it is no system call.
  const ptx::Module* module = nullptr;     ///< The module of `parameters` and `returns`.
  const std::vector<ptx::VariableIndex>* parameters = nullptr;
  const std::vector<ptx::VariableIndex>* returns = nullptr;
  std::string problem;  ///< If the kind is unknown: why the call cannot be executed.
};

/// The target of `call`, an instruction of `function` in module `module`.
CallTarget call_target(const std::vector<ptx::Module>& modules, const Linked& linked,
                       std::uint32_t module, const ptx::Function& function,
                       const ptx::Instruction& call);

/// Plans the frame of `function` in module `module`.
FramePlan plan_frame(const std::vector<ptx::Module>& modules, const Linked& linked,
                     std::uint32_t module, const ptx::Function& function);

}  // namespace heddle::code::lowering
