#include "cuda/driver/launch_arguments.h"

#include <optional>

#include "cuda/driver/abi.h"
#include "cuda/runtime/call.h"

namespace heddle::cuda::driver {
namespace {

/// A buffer with all arguments, in the layout of the kernel's parameters.
struct ArgumentBuffer {
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
};

/// The buffer in a launch's `extra` list. Throws Failure for an invalid list.
ArgumentBuffer buffer_in(void** extra) {
  std::byte* begin = nullptr;
  std::optional<std::size_t> bytes;
  for (; reinterpret_cast<std::uintptr_t>(*extra) != abi::kExtraEnd; extra += 2) {
    switch (reinterpret_cast<std::uintptr_t>(extra[0])) {
      case abi::kExtraBuffer:
        begin = static_cast<std::byte*>(extra[1]);
        break;
      case abi::kExtraBytes:
        bytes = result_at(static_cast<const std::size_t*>(extra[1]));
        break;
      default:
        throw Failure{Error::invalid_value};
    }
  }
  if (begin == nullptr || !bytes) throw Failure{Error::invalid_value};
  return {.begin = begin, .bytes = *bytes};
}

}  // namespace

std::vector<void*> arguments_of(Session& session, const Function& function, void** pointers,
                                void** extra) {
  if (pointers != nullptr && extra != nullptr) throw Failure{Error::invalid_value};
  const std::vector<code::Parameter>& parameters = info_of(function, session.device()).parameters;
  if (pointers != nullptr) return std::vector<void*>(pointers, pointers + parameters.size());
  if (parameters.empty()) return {};
  if (extra == nullptr) throw Failure{Error::invalid_value};
  const ArgumentBuffer buffer = buffer_in(extra);
  std::vector<void*> arguments;
  for (const code::Parameter& parameter : parameters) {
    if (parameter.offset + parameter.size > buffer.bytes) throw Failure{Error::invalid_value};
    arguments.push_back(buffer.begin + parameter.offset);
  }
  return arguments;
}

}  // namespace heddle::cuda::driver
