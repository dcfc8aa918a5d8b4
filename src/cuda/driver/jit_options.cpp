#include "cuda/driver/jit_options.h"

#include <algorithm>
#include <string>

#include "code/register_limits.h"
#include "cuda/runtime/loading.h"
#include "device/loaded_module.h"

namespace heddle::cuda::driver {
namespace {

/// The value of an option, which CUDA passes as a pointer.
std::uint32_t number(void* value) {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(value));
}

void limit_registers(Session& session, Module& module, std::uint32_t max_registers) {
  std::vector<std::string> kernels;
  for (const code::FunctionInfo& function : module.load(session.device()).program().functions) {
    if (function.is_kernel && function.registers_per_thread > max_registers)
      kernels.push_back(function.name);
  }
  for (const std::string& kernel : kernels) {
    module.limit_registers(session.device(), kernel, max_registers);
  }
}

}  // namespace

JitOptions::JitOptions(unsigned count, const abi::JitOption* options, void** values) {
  if (count != 0 && (options == nullptr || values == nullptr)) throw Failure{Error::invalid_value};
  for (unsigned i = 0; i < count; ++i) {
    switch (options[i]) {
      case abi::JitOption::max_registers:
        max_registers_ = std::max(number(values[i]), code::kMinRegisters);
        break;
      case abi::JitOption::wall_time:
        wall_time_ = &values[i];
        break;
      case abi::JitOption::info_log:
        info_.text = static_cast<char*>(values[i]);
        break;
      case abi::JitOption::info_log_bytes:
        info_.capacity = number(values[i]);
        info_.written = &values[i];
        break;
      case abi::JitOption::error_log:
        error_.text = static_cast<char*>(values[i]);
        break;
      case abi::JitOption::error_log_bytes:
        error_.capacity = number(values[i]);
        error_.written = &values[i];
        break;
      case abi::JitOption::symbol_names:
      case abi::JitOption::symbol_addresses:
      case abi::JitOption::symbol_count:
      case abi::JitOption::link_time_optimisation:
        // A zero value requests nothing.
        if (values[i] == nullptr) break;
        throw Failure{Error::not_supported, "Heddle does not support JIT option " +
                                                std::to_string(static_cast<int>(options[i]))};
      default:
        break;  // The other options cannot change results.
    }
  }
}

bool JitOptions::write(const Log& log, std::string_view text) {
  if (log.text == nullptr || log.capacity == 0) return false;
  const std::size_t size = std::min(text.size(), log.capacity - 1);
  std::copy_n(text.begin(), size, log.text);
  log.text[size] = '\0';
  *log.written = reinterpret_cast<void*>(size);
  return true;
}

void JitOptions::report_success() const {
  write(info_, {});
  write(error_, {});
  if (wall_time_ != nullptr) *wall_time_ = nullptr;  // Work on the host takes no simulated time.
}

Module& load_module(Session& session, std::vector<device::PtxSource> texts,
                    const JitOptions& options) {
  try {
    Module& module = cuda::load_module(session, std::move(texts));
    if (options.max_registers() != 0) {
      limit_registers(session, module, options.max_registers());
    }
    options.report_success();
    return module;
  } catch (const Failure& failure) {
    if (failure.message.empty() || !options.report_error(failure.message)) throw;
    throw Failure{failure.error};
  }
}

}  // namespace heddle::cuda::driver
