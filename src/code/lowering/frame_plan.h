#pragma once

// Where a function's parameters, local variables and the arguments of its calls lie.

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
/// A predicate that is passed to a function or returned from it is a word in the frame, 0 or 1.
inline constexpr std::uint32_t kPredicateBytes = 4;

constexpr std::uint64_t align_up(std::uint64_t value, std::uint64_t alignment) {
  return alignment <= 1 ? value : (value + alignment - 1) / alignment * alignment;
}

/// Offsets of a device function's parameters and results from the beginning of its frame, or of a
/// kernel's parameters in the parameter area.
struct CallLayout {
  std::vector<std::uint32_t> parameters;
  std::vector<std::uint32_t> returns;
  std::uint64_t bytes = 0;
};

CallLayout call_layout(const ptx::Module& module, const std::vector<ptx::VariableIndex>& parameters,
                       const std::vector<ptx::VariableIndex>& returns);

/// The run-time system's function of this name, where the device's run-time system has one.
struct SystemFunction {
  std::string_view name;
  SystemCall call;
  std::vector<ValueType> parameters;
  ValueType result;
};
const SystemFunction* find_system_function(std::string_view name);

/// Where a variable of a function lies.
struct Placement {
  enum class Where : std::uint8_t {
    kernel_parameter,  ///< `offset` in the launch's parameter area
    frame,             ///< `offset` from the beginning of the frame
    outgoing,          ///< `offset` from the beginning of the callee's frame
    value,             ///< in a register of its own: an argument or result of a system call
  };
  Where where = Where::frame;
  std::uint64_t offset = 0;
};

struct FramePlan {
  std::unordered_map<ptx::VariableIndex, Placement> placements;
  CallLayout own;  ///< The function's own parameters and results.
  std::uint64_t frame_bytes = 0;
};

/// What a call instruction calls, and how the callee wants its arguments laid out.
struct CallTarget {
  enum class Kind : std::uint8_t { function, system, indirect, unknown } kind = Kind::unknown;
  std::uint32_t function = kNone;  ///< Of the program.
  const SystemFunction* system = nullptr;
  const ptx::Module* module = nullptr;  ///< Whose variables `parameters` and `returns` are.
  const std::vector<ptx::VariableIndex>* parameters = nullptr;
  const std::vector<ptx::VariableIndex>* returns = nullptr;
  std::string problem;  ///< Kind unknown: why it cannot be called.
};

CallTarget call_target(const std::vector<ptx::Module>& modules, const Linked& linked,
                       std::uint32_t module, const ptx::Function& function,
                       const ptx::Instruction& call);

FramePlan plan_frame(const std::vector<ptx::Module>& modules, const Linked& linked,
                     std::uint32_t module, const ptx::Function& function);

}  // namespace heddle::code::lowering
