// nvrtc's functions that the tests use, declared by hand: CUDA's headers may be absent.
#pragma once

#include <cstddef>

extern "C" {
const char* nvrtcGetErrorString(int result);
int nvrtcVersion(int* major, int* minor);
int nvrtcCreateProgram(void** program, const char* source, const char* name, int header_count,
                       const char* const* headers, const char* const* header_names);
int nvrtcDestroyProgram(void** program);
int nvrtcAddNameExpression(void* program, const char* expression);
int nvrtcCompileProgram(void* program, int option_count, const char* const* options);
int nvrtcGetProgramLogSize(void* program, std::size_t* bytes);
int nvrtcGetProgramLog(void* program, char* log);
int nvrtcGetLoweredName(void* program, const char* expression, const char** lowered);
int nvrtcGetPTXSize(void* program, std::size_t* bytes);
int nvrtcGetPTX(void* program, char* code);
int nvrtcGetCUBINSize(void* program, std::size_t* bytes);
int nvrtcGetCUBIN(void* program, char* code);
int nvrtcGetLTOIRSize(void* program, std::size_t* bytes);
int nvrtcGetLTOIR(void* program, char* code);
}
