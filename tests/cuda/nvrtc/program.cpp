// A program that compiles a kernel with nvrtc, loads the result and runs it. With a file's name as
// its argument, it opens that library with dlopen() instead of calling the one that it is linked
// to.

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../programs/verdict.h"
#include "nvrtc.h"

namespace {

constexpr int kInvalidOption = 5;
constexpr unsigned kThreads = 32;
constexpr int kFirstValue = 7;  ///< The value of thread 0 before the kernel; each next is one more.

const char kSource[] =
    "#include \"marking.h\"\n"
    "KERNEL void mark(int* values) { values[threadIdx.x] += __CUDA_ARCH__; }\n";
const char* const kHeader = "#define KERNEL extern \"C\" __global__\n";
const char* const kHeaderName = "marking.h";

#define USE(name) decltype(&::name) name = &::name
/// The functions of nvrtc that the program calls.
struct Nvrtc {
  USE(nvrtcGetErrorString);
  USE(nvrtcVersion);
  USE(nvrtcCreateProgram);
  USE(nvrtcDestroyProgram);
  USE(nvrtcAddNameExpression);
  USE(nvrtcCompileProgram);
  USE(nvrtcGetProgramLogSize);
  USE(nvrtcGetProgramLog);
  USE(nvrtcGetLoweredName);
  USE(nvrtcGetPTXSize);
  USE(nvrtcGetPTX);
  USE(nvrtcGetCUBINSize);
  USE(nvrtcGetCUBIN);
  USE(nvrtcGetLTOIRSize);
  USE(nvrtcGetLTOIR);
};
#undef USE
Nvrtc nvrtc;

void open_nvrtc(const char* file) {
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  EXPECT(library != nullptr);
  if (library == nullptr) return;
#define FIND(name)                                                         \
  nvrtc.name = reinterpret_cast<decltype(&::name)>(dlsym(library, #name)); \
  EXPECT(nvrtc.name != nullptr)
  FIND(nvrtcGetErrorString);
  FIND(nvrtcVersion);
  FIND(nvrtcCreateProgram);
  FIND(nvrtcDestroyProgram);
  FIND(nvrtcAddNameExpression);
  FIND(nvrtcCompileProgram);
  FIND(nvrtcGetProgramLogSize);
  FIND(nvrtcGetProgramLog);
  FIND(nvrtcGetLoweredName);
  FIND(nvrtcGetPTXSize);
  FIND(nvrtcGetPTX);
  FIND(nvrtcGetCUBINSize);
  FIND(nvrtcGetCUBIN);
  FIND(nvrtcGetLTOIRSize);
  FIND(nvrtcGetLTOIR);
#undef FIND
}

/// A function of a library. Ends the program if there is no such library.
template <class Function>
Function* function_of(const char* file, const char* name) {
  void* const library = dlopen(file, RTLD_NOW);
  void* const found = library == nullptr ? nullptr : dlsym(library, name);
  if (found == nullptr) {
    std::printf("no function %s in %s\n", name, file);
    std::exit(1);
  }
  return reinterpret_cast<Function*>(found);
}

template <class Function>
Function* driver(const char* name) {
  return function_of<Function>("libcuda.so.1", name);
}
template <class Function>
Function* jit_link(const char* name) {
  return function_of<Function>("libnvJitLink.so.13", name);
}

void make_context() {
  void* context = nullptr;
  EXPECT(driver<int(unsigned)>("cuInit")(0) == 0);
  EXPECT(driver<int(void**, int)>("cuDevicePrimaryCtxRetain")(&context, 0) == 0);
  EXPECT(driver<int(void*)>("cuCtxSetCurrent")(context) == 0);
}

/// Runs a kernel, and checks that it has added `added` to the values of all threads.
void run(void* kernel, int added) {
  unsigned long long values = 0;
  int content[kThreads];
  for (unsigned i = 0; i < kThreads; ++i) content[i] = kFirstValue + static_cast<int>(i);
  EXPECT(driver<int(void*, std::size_t)>("cuMemAlloc_v2")(&values, sizeof content) == 0);
  EXPECT(driver<int(unsigned long long, const void*, std::size_t)>("cuMemcpyHtoD_v2")(
             values, content, sizeof content) == 0);
  void* arguments[] = {&values};
  using Launch = int(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     void*, void**, void**);
  EXPECT(driver<Launch>("cuLaunchKernel")(kernel, 1, 1, 1, kThreads, 1, 1, 0, nullptr, arguments,
                                          nullptr) == 0);
  EXPECT(driver<int(void*, unsigned long long, std::size_t)>("cuMemcpyDtoH_v2")(
             content, values, sizeof content) == 0);
  for (unsigned i = 0; i < kThreads; ++i) {
    EXPECT(content[i] == kFirstValue + static_cast<int>(i) + added);
  }
}

/// Loads code in every way, and runs its kernel each time.
void load_and_run(const std::string& code, const char* name, int added) {
  make_context();
  void* module = nullptr;
  void* kernel = nullptr;
  const auto get_function = driver<int(void**, void*, const char*)>("cuModuleGetFunction");
  EXPECT(driver<int(void**, const void*)>("cuModuleLoadData")(&module, code.data()) == 0);
  EXPECT(get_function(&kernel, module, name) == 0);
  run(kernel, added);
  EXPECT(driver<int(void**, const void*, unsigned, void*, void*)>("cuModuleLoadDataEx")(
             &module, code.data(), 0, nullptr, nullptr) == 0);
  EXPECT(get_function(&kernel, module, name) == 0);
  run(kernel, added);
  using LoadLibrary = int(void**, const void*, void*, void*, unsigned, void*, void*, unsigned);
  EXPECT(driver<LoadLibrary>("cuLibraryLoadData")(&module, code.data(), nullptr, nullptr, 0,
                                                  nullptr, nullptr, 0) == 0);
  EXPECT(driver<int(void**, void*, const char*)>("cuLibraryGetKernel")(&kernel, module, name) == 0);
  run(kernel, added);
}

using GetSize = int (*)(void*, std::size_t*);
using GetText = int (*)(void*, char*);

std::string text_of(void* program, GetSize get_size, GetText get_text) {
  std::size_t bytes = 0;
  EXPECT(get_size(program, &bytes) == 0);
  std::string text(bytes, '?');
  if (bytes != 0) EXPECT(get_text(program, text.data()) == 0);
  return text;
}

std::string machine_code_of(void* program) {
  return text_of(program, nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN);
}
std::string ptx_of(void* program) {
  return text_of(program, nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX);
}

void* create() {
  void* program = nullptr;
  EXPECT(nvrtc.nvrtcCreateProgram(&program, kSource, "mark.cu", 1, &kHeader, &kHeaderName) == 0);
  EXPECT(nvrtc.nvrtcAddNameExpression(program, "mark") == 0);
  return program;
}

int compile(void* program, const std::vector<const char*>& options) {
  const int result =
      nvrtc.nvrtcCompileProgram(program, static_cast<int>(options.size()), options.data());
  const std::string log = text_of(program, nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog);
  std::printf("log: %s\n", log.c_str());
  return result;
}

/// Options that ask for machine code of a capability.
void check_machine_code(const std::vector<const char*>& options, int capability) {
  void* program = create();
  EXPECT(compile(program, options) == 0);
  const char* name = nullptr;
  EXPECT(nvrtc.nvrtcGetLoweredName(program, "mark", &name) == 0);
  const std::string code = machine_code_of(program);
  EXPECT(!code.empty() && code == ptx_of(program));
  if (!code.empty()) load_and_run(code, name, 10 * capability);
  EXPECT(nvrtc.nvrtcDestroyProgram(&program) == 0);
  EXPECT(program == nullptr);
}

void check_ptx() {
  void* program = create();
  EXPECT(compile(program, {"--gpu-architecture=compute_75"}) == 0);
  EXPECT(machine_code_of(program).empty());
  load_and_run(ptx_of(program), "mark", 750);
  EXPECT(nvrtc.nvrtcDestroyProgram(&program) == 0);
}

/// Links code as LTO-IR, with nvJitLink.
std::string linked_by_nvjitlink(const std::string& code) {
  constexpr int kLtoIr = 3;
  const char* options[] = {"-arch=sm_80", "-lto"};
  void* link = nullptr;
  std::size_t bytes = 0;
  EXPECT(jit_link<int(void**, unsigned, const char**)>("__nvJitLinkCreate_13_0")(&link, 2,
                                                                                 options) == 0);
  using AddData = int(void*, int, const void*, std::size_t, const char*);
  EXPECT(jit_link<AddData>("__nvJitLinkAddData_13_0")(link, kLtoIr, code.data(), code.size(),
                                                      "mark") == 0);
  EXPECT(jit_link<int(void*)>("__nvJitLinkComplete_13_0")(link) == 0);
  EXPECT(jit_link<int(void*, std::size_t*)>("__nvJitLinkGetLinkedCubinSize_13_0")(link, &bytes) ==
         0);
  std::string linked(bytes, '?');
  EXPECT(jit_link<int(void*, void*)>("__nvJitLinkGetLinkedCubin_13_0")(link, linked.data()) == 0);
  EXPECT(jit_link<int(void**)>("__nvJitLinkDestroy_13_0")(&link) == 0);
  return linked;
}

/// Links code as machine code, with the driver.
std::string linked_by_driver(const std::string& code) {
  constexpr int kMachineCode = 0;
  void* link = nullptr;
  void* image = nullptr;
  std::size_t bytes = 0;
  make_context();
  EXPECT(driver<int(unsigned, void*, void*, void**)>("cuLinkCreate_v2")(0, nullptr, nullptr,
                                                                        &link) == 0);
  using AddData = int(void*, int, const void*, std::size_t, const char*, unsigned, void*, void*);
  EXPECT(driver<AddData>("cuLinkAddData_v2")(link, kMachineCode, code.data(), code.size(), "mark",
                                             0, nullptr, nullptr) == 0);
  EXPECT(driver<int(void*, void**, std::size_t*)>("cuLinkComplete")(link, &image, &bytes) == 0);
  std::string linked(static_cast<const char*>(image), bytes);
  EXPECT(driver<int(void*)>("cuLinkDestroy")(link) == 0);
  return linked;
}

/// Machine code and LTO-IR that are to be linked before they are loaded.
void check_linked_code() {
  void* program = create();
  EXPECT(compile(program, {"-arch=sm_80", "-rdc=true"}) == 0);
  load_and_run(linked_by_driver(machine_code_of(program)), "mark", 800);
  EXPECT(compile(program, {"-arch=sm_75", "-dlto"}) == 0);
  const std::string code = text_of(program, nvrtc.nvrtcGetLTOIRSize, nvrtc.nvrtcGetLTOIR);
  load_and_run(linked_by_nvjitlink(code), "mark", 750);
  EXPECT(nvrtc.nvrtcDestroyProgram(&program) == 0);
}

void check_link_time_code() {
  void* program = create();
  EXPECT(compile(program, {"-dlto", "-arch=sm_80"}) == 0);
  const std::string code = text_of(program, nvrtc.nvrtcGetLTOIRSize, nvrtc.nvrtcGetLTOIR);
  EXPECT(!code.empty() && code == ptx_of(program));
  load_and_run(code, "mark", 800);
  EXPECT(nvrtc.nvrtcDestroyProgram(&program) == 0);
}

void check_error() {
  void* program = create();
  EXPECT(compile(program, {"-arch=sm_80", "--unknown"}) == kInvalidOption);
  EXPECT(machine_code_of(program).empty());
  std::printf("%s\n", nvrtc.nvrtcGetErrorString(kInvalidOption));
  EXPECT(nvrtc.nvrtcDestroyProgram(&program) == 0);
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) open_nvrtc(arguments[1]);
  int major = 0, minor = 0;
  EXPECT(nvrtc.nvrtcVersion(&major, &minor) == 0);
  std::printf("version %d\n", major);
  check_machine_code({"-arch=sm_80", "-DX=sm_80", "-lineinfo"}, 80);
  check_machine_code({"--gpu-architecture", "sm_75"}, 75);
  check_ptx();
  check_link_time_code();
  check_linked_code();
  check_error();
  return verdict();
}
