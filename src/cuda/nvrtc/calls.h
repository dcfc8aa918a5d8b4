#pragma once

// The functions of nvrtc that programs call, with NVIDIA's names, and the types of their
// parameters.

#include <cstddef>

#include "cuda/runtime/calls.h"

namespace heddle::cuda::nvrtc {

/// nvrtcResult: the results that Heddle itself returns, with NVIDIA's numbers. Others are passed on
/// unchanged.
enum class Result : int {
  success = 0,
  out_of_memory = 1,
  invalid_input = 3,
  builtin_operation_failure = 7,
};

/// nvrtcProgram: a handle of NVIDIA's compiler.
using Program = void*;

using FlowCallback = int (*)(void* payload, void* reserved);

// NOLINTBEGIN(readability-identifier-naming)

HEDDLE_CUDA_EXPORT const char* nvrtcGetErrorString(Result result);
HEDDLE_CUDA_EXPORT Result nvrtcVersion(int* major, int* minor);
HEDDLE_CUDA_EXPORT Result nvrtcGetNumSupportedArchs(int* count);
HEDDLE_CUDA_EXPORT Result nvrtcGetSupportedArchs(int* architectures);

HEDDLE_CUDA_EXPORT Result nvrtcCreateProgram(Program* program, const char* source, const char* name,
                                             int header_count, const char* const* headers,
                                             const char* const* header_names);
HEDDLE_CUDA_EXPORT Result nvrtcDestroyProgram(Program* program);
HEDDLE_CUDA_EXPORT Result nvrtcAddNameExpression(Program program, const char* expression);
HEDDLE_CUDA_EXPORT Result nvrtcCompileProgram(Program program, int option_count,
                                              const char* const* options);
HEDDLE_CUDA_EXPORT Result nvrtcSetFlowCallback(Program program, FlowCallback callback,
                                               void* payload);

HEDDLE_CUDA_EXPORT Result nvrtcGetProgramLogSize(Program program, std::size_t* bytes);
HEDDLE_CUDA_EXPORT Result nvrtcGetProgramLog(Program program, char* log);
HEDDLE_CUDA_EXPORT Result nvrtcGetLoweredName(Program program, const char* expression,
                                              const char** lowered);
HEDDLE_CUDA_EXPORT Result nvrtcGetPTXSize(Program program, std::size_t* bytes);
HEDDLE_CUDA_EXPORT Result nvrtcGetPTX(Program program, char* code);
HEDDLE_CUDA_EXPORT Result nvrtcGetCUBINSize(Program program, std::size_t* bytes);
HEDDLE_CUDA_EXPORT Result nvrtcGetCUBIN(Program program, char* code);
HEDDLE_CUDA_EXPORT Result nvrtcGetLTOIRSize(Program program, std::size_t* bytes);
HEDDLE_CUDA_EXPORT Result nvrtcGetLTOIR(Program program, char* code);
HEDDLE_CUDA_EXPORT Result nvrtcGetNVVMSize(Program program, std::size_t* bytes);
HEDDLE_CUDA_EXPORT Result nvrtcGetNVVM(Program program, char* code);
HEDDLE_CUDA_EXPORT Result nvrtcGetOptiXIRSize(Program program, std::size_t* bytes);
HEDDLE_CUDA_EXPORT Result nvrtcGetOptiXIR(Program program, char* code);

HEDDLE_CUDA_EXPORT Result nvrtcGetPCHHeapSize(std::size_t* bytes);
HEDDLE_CUDA_EXPORT Result nvrtcSetPCHHeapSize(std::size_t bytes);
HEDDLE_CUDA_EXPORT Result nvrtcGetPCHHeapSizeRequired(Program program, std::size_t* bytes);
HEDDLE_CUDA_EXPORT Result nvrtcGetPCHCreateStatus(Program program);

// NOLINTEND(readability-identifier-naming)

}  // namespace heddle::cuda::nvrtc
