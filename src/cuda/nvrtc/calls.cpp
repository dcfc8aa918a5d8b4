#include "cuda/nvrtc/calls.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "cuda/nvrtc/compiler.h"
#include "cuda/nvrtc/options.h"

namespace heddle::cuda::nvrtc {
namespace {

/// Calls NVIDIA's function of this name. It has the type of Heddle's function, the second argument.
template <class... Parameters>
Result pass_on(const char* name, Result (*)(Parameters...),
               std::type_identity_t<Parameters>... arguments) noexcept {
  using Function = Result (*)(Parameters...);
  Function theirs = nullptr;
  try {
    theirs = reinterpret_cast<Function>(Compiler::instance().find(name));
  } catch (...) {
    return Result::out_of_memory;
  }
  return theirs == nullptr ? Result::builtin_operation_failure : theirs(arguments...);
}
#define HEDDLE_PASS_ON(name, ...) pass_on(#name, &name __VA_OPT__(, ) __VA_ARGS__)

/// What the last successful compilation of a program was asked for. The compiler has made PTX
/// instead.
struct Asked {
  bool machine_code = false;
  bool link_time_code = false;
};

/// All programs that were compiled, by their handles.
class AskedByProgram {
 public:
  static AskedByProgram& instance() {
    static AskedByProgram& asked = *new AskedByProgram;
    return asked;
  }

  void set(Program program, Asked asked) {
    const std::scoped_lock lock(mutex_);
    asked_[program] = asked;
  }
  Asked get(Program program) {
    const std::scoped_lock lock(mutex_);
    const auto found = asked_.find(program);
    return found == asked_.end() ? Asked{} : found->second;
  }
  void remove(Program program) {
    const std::scoped_lock lock(mutex_);
    asked_.erase(program);
  }

 private:
  std::mutex mutex_;
  std::unordered_map<Program, Asked> asked_;
};

Result compile(Program program, std::span<const char* const> options) {
  const PtxOptions changed = options_for_ptx(options);
  std::vector<const char*> texts;
  texts.reserve(changed.texts.size());
  for (const std::string& text : changed.texts) texts.push_back(text.c_str());
  const Result result =
      HEDDLE_PASS_ON(nvrtcCompileProgram, program, static_cast<int>(texts.size()), texts.data());
  const bool succeeded = result == Result::success;
  AskedByProgram::instance().set(program,
                                 {.machine_code = succeeded && changed.asks_for_machine_code,
                                  .link_time_code = succeeded && changed.asks_for_link_time_code});
  return result;
}

}  // namespace

HEDDLE_CUDA_EXPORT const char* nvrtcGetErrorString(Result result) {
  void* theirs = nullptr;
  try {
    theirs = Compiler::instance().find_silently("nvrtcGetErrorString");
  } catch (...) {
    return "NVRTC_ERROR unknown";
  }
  if (theirs != nullptr) return reinterpret_cast<decltype(&nvrtcGetErrorString)>(theirs)(result);
  // Without the compiler, this is the only result.
  return result == Result::builtin_operation_failure ? "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE"
                                                     : "NVRTC_ERROR unknown";
}

HEDDLE_CUDA_EXPORT Result nvrtcVersion(int* major, int* minor) {
  return HEDDLE_PASS_ON(nvrtcVersion, major, minor);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetNumSupportedArchs(int* count) {
  return HEDDLE_PASS_ON(nvrtcGetNumSupportedArchs, count);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetSupportedArchs(int* architectures) {
  return HEDDLE_PASS_ON(nvrtcGetSupportedArchs, architectures);
}

HEDDLE_CUDA_EXPORT Result nvrtcCreateProgram(Program* program, const char* source, const char* name,
                                             int header_count, const char* const* headers,
                                             const char* const* header_names) {
  return HEDDLE_PASS_ON(nvrtcCreateProgram, program, source, name, header_count, headers,
                        header_names);
}

HEDDLE_CUDA_EXPORT Result nvrtcDestroyProgram(Program* program) {
  if (program != nullptr) AskedByProgram::instance().remove(*program);
  return HEDDLE_PASS_ON(nvrtcDestroyProgram, program);
}

HEDDLE_CUDA_EXPORT Result nvrtcAddNameExpression(Program program, const char* expression) {
  return HEDDLE_PASS_ON(nvrtcAddNameExpression, program, expression);
}

HEDDLE_CUDA_EXPORT Result nvrtcCompileProgram(Program program, int option_count,
                                              const char* const* options) {
  if (option_count < 0 || (option_count > 0 && options == nullptr)) return Result::invalid_input;
  const std::span<const char* const> span(options, static_cast<std::size_t>(option_count));
  if (std::find(span.begin(), span.end(), nullptr) != span.end()) return Result::invalid_input;
  try {
    return compile(program, span);
  } catch (const std::bad_alloc&) {
    return Result::out_of_memory;
  }
}

HEDDLE_CUDA_EXPORT Result nvrtcSetFlowCallback(Program program, FlowCallback callback,
                                               void* payload) {
  return HEDDLE_PASS_ON(nvrtcSetFlowCallback, program, callback, payload);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetProgramLogSize(Program program, std::size_t* bytes) {
  return HEDDLE_PASS_ON(nvrtcGetProgramLogSize, program, bytes);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetProgramLog(Program program, char* log) {
  return HEDDLE_PASS_ON(nvrtcGetProgramLog, program, log);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetLoweredName(Program program, const char* expression,
                                              const char** lowered) {
  return HEDDLE_PASS_ON(nvrtcGetLoweredName, program, expression, lowered);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetPTXSize(Program program, std::size_t* bytes) {
  return HEDDLE_PASS_ON(nvrtcGetPTXSize, program, bytes);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetPTX(Program program, char* code) {
  return HEDDLE_PASS_ON(nvrtcGetPTX, program, code);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetCUBINSize(Program program, std::size_t* bytes) {
  const bool is_ptx = AskedByProgram::instance().get(program).machine_code;
  return is_ptx ? HEDDLE_PASS_ON(nvrtcGetPTXSize, program, bytes)
                : HEDDLE_PASS_ON(nvrtcGetCUBINSize, program, bytes);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetCUBIN(Program program, char* code) {
  const bool is_ptx = AskedByProgram::instance().get(program).machine_code;
  return is_ptx ? HEDDLE_PASS_ON(nvrtcGetPTX, program, code)
                : HEDDLE_PASS_ON(nvrtcGetCUBIN, program, code);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetLTOIRSize(Program program, std::size_t* bytes) {
  const bool is_ptx = AskedByProgram::instance().get(program).link_time_code;
  return is_ptx ? HEDDLE_PASS_ON(nvrtcGetPTXSize, program, bytes)
                : HEDDLE_PASS_ON(nvrtcGetLTOIRSize, program, bytes);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetLTOIR(Program program, char* code) {
  const bool is_ptx = AskedByProgram::instance().get(program).link_time_code;
  return is_ptx ? HEDDLE_PASS_ON(nvrtcGetPTX, program, code)
                : HEDDLE_PASS_ON(nvrtcGetLTOIR, program, code);
}

/// The names of LTO-IR in CUDA 12.
HEDDLE_CUDA_EXPORT Result nvrtcGetNVVMSize(Program program, std::size_t* bytes) {
  const bool is_ptx = AskedByProgram::instance().get(program).link_time_code;
  return is_ptx ? HEDDLE_PASS_ON(nvrtcGetPTXSize, program, bytes)
                : HEDDLE_PASS_ON(nvrtcGetNVVMSize, program, bytes);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetNVVM(Program program, char* code) {
  const bool is_ptx = AskedByProgram::instance().get(program).link_time_code;
  return is_ptx ? HEDDLE_PASS_ON(nvrtcGetPTX, program, code)
                : HEDDLE_PASS_ON(nvrtcGetNVVM, program, code);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetOptiXIRSize(Program program, std::size_t* bytes) {
  return HEDDLE_PASS_ON(nvrtcGetOptiXIRSize, program, bytes);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetOptiXIR(Program program, char* code) {
  return HEDDLE_PASS_ON(nvrtcGetOptiXIR, program, code);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetPCHHeapSize(std::size_t* bytes) {
  return HEDDLE_PASS_ON(nvrtcGetPCHHeapSize, bytes);
}

HEDDLE_CUDA_EXPORT Result nvrtcSetPCHHeapSize(std::size_t bytes) {
  return HEDDLE_PASS_ON(nvrtcSetPCHHeapSize, bytes);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetPCHHeapSizeRequired(Program program, std::size_t* bytes) {
  return HEDDLE_PASS_ON(nvrtcGetPCHHeapSizeRequired, program, bytes);
}

HEDDLE_CUDA_EXPORT Result nvrtcGetPCHCreateStatus(Program program) {
  return HEDDLE_PASS_ON(nvrtcGetPCHCreateStatus, program);
}

}  // namespace heddle::cuda::nvrtc
