// A program that links PTX with nvJitLink, by the names that NVIDIA's headers of one version of
// CUDA use, and runs the result.

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../programs/verdict.h"

#define JIT_LINK_NAME_2(name, suffix) __##name##suffix
#define JIT_LINK_NAME_1(name, suffix) JIT_LINK_NAME_2(name, suffix)
#define JIT_LINK(name) JIT_LINK_NAME_1(name, JIT_LINK_SUFFIX)

extern "C" {
int JIT_LINK(nvJitLinkCreate)(void** link, std::uint32_t count, const char** options);
int JIT_LINK(nvJitLinkAddData)(void* link, int kind, const void* data, std::size_t bytes,
                               const char* name);
int JIT_LINK(nvJitLinkAddFile)(void* link, int kind, const char* file);
int JIT_LINK(nvJitLinkComplete)(void* link);
int JIT_LINK(nvJitLinkDestroy)(void** link);
int JIT_LINK(nvJitLinkGetLinkedCubinSize)(void* link, std::size_t* bytes);
int JIT_LINK(nvJitLinkGetLinkedCubin)(void* link, void* code);
int JIT_LINK(nvJitLinkGetLinkedPtxSize)(void* link, std::size_t* bytes);
int JIT_LINK(nvJitLinkGetLinkedPtx)(void* link, char* code);
int JIT_LINK(nvJitLinkGetErrorLogSize)(void* link, std::size_t* bytes);
int JIT_LINK(nvJitLinkGetErrorLog)(void* link, char* log);
int JIT_LINK(nvJitLinkGetInfoLogSize)(void* link, std::size_t* bytes);
int JIT_LINK(nvJitLinkGetInfoLog)(void* link, char* log);
int nvJitLinkVersion(unsigned* major, unsigned* minor);
}

namespace {

// Kinds of inputs.
constexpr int kCubin = 1;
constexpr int kPtx = 2;
constexpr int kLtoIr = 3;
constexpr int kAny = 10;

// Results.
constexpr int kUnrecognizedOption = 1;
constexpr int kMissingArchitecture = 2;
constexpr int kInvalidInput = 3;
constexpr int kPtxError = 4;
constexpr int kInternalError = 6;
constexpr int kNullInput = 10;
constexpr int kIncorrectInputType = 12;

/// A kernel that stores twice 21, and the function that doubles.
const std::string kKernel =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".extern .func (.param .b32 result) twice(.param .b32 value);\n"
    ".visible .entry store(.param .u64 to) {\n"
    ".reg .b32 %r<3>; .reg .b64 %rd<2>;\n"
    "ld.param.u64 %rd1, [to]; mov.u32 %r1, 21;\n"
    "{ .param .b32 value; .param .b32 result; st.param.b32 [value], %r1;\n"
    "call.uni (result), twice, (value); ld.param.b32 %r2, [result]; }\n"
    "st.global.u32 [%rd1], %r2; ret; }\n";
const std::string kFunction =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .func (.param .b32 result) twice(.param .b32 value) {\n"
    ".reg .b32 %r<3>; ld.param.b32 %r1, [value]; add.u32 %r2, %r1, %r1;\n"
    "st.param.b32 [result], %r2; ret; }\n";
const std::string kAlone =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .entry store(.param .u64 to) {\n"
    ".reg .b32 %r<2>; .reg .b64 %rd<2>; ld.param.u64 %rd1, [to];\n"
    "mov.u32 %r1, 42; st.global.u32 [%rd1], %r1; ret; }\n";

void* create(std::vector<const char*> options) {
  void* link = nullptr;
  EXPECT(JIT_LINK(nvJitLinkCreate)(&link, static_cast<std::uint32_t>(options.size()),
                                   options.data()) == 0);
  return link;
}

int add(void* link, int kind, const std::string& code) {
  return JIT_LINK(nvJitLinkAddData)(link, kind, code.data(), code.size(), "input");
}

void destroy(void* link) {
  EXPECT(JIT_LINK(nvJitLinkDestroy)(&link) == 0);
  EXPECT(link == nullptr);
}

std::string errors_of(void* link) {
  std::size_t bytes = 99;
  EXPECT(JIT_LINK(nvJitLinkGetErrorLogSize)(link, &bytes) == 0);
  std::string log(bytes, '?');
  EXPECT(JIT_LINK(nvJitLinkGetErrorLog)(link, log.data()) == 0);
  EXPECT(log.empty() || log.back() == '\0');
  return log.c_str();
}

std::string machine_code_of(void* link) {
  std::size_t bytes = 0;
  EXPECT(JIT_LINK(nvJitLinkGetLinkedCubinSize)(link, &bytes) == 0);
  std::string code(bytes, '?');
  EXPECT(JIT_LINK(nvJitLinkGetLinkedCubin)(link, code.data()) == 0);
  return code;
}

/// A function of the driver. Ends the program if there is no driver.
template <class Function>
Function* driver(const char* name) {
  static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  void* const found = library == nullptr ? nullptr : dlsym(library, name);
  if (found == nullptr) {
    std::printf("no driver\n");
    std::exit(1);
  }
  return reinterpret_cast<Function*>(found);
}

/// Runs the kernel 'store' of some code, and checks that it stores 42.
void run(const std::string& code) {
  void* context = nullptr;
  void* module = nullptr;
  void* kernel = nullptr;
  unsigned long long to = 0;
  EXPECT(driver<int(unsigned)>("cuInit")(0) == 0);
  EXPECT(driver<int(void**, int)>("cuDevicePrimaryCtxRetain")(&context, 0) == 0);
  EXPECT(driver<int(void*)>("cuCtxSetCurrent")(context) == 0);
  EXPECT(driver<int(void**, const void*)>("cuModuleLoadData")(&module, code.data()) == 0);
  EXPECT(driver<int(void**, void*, const char*)>("cuModuleGetFunction")(&kernel, module, "store") ==
         0);
  EXPECT(driver<int(void*, std::size_t)>("cuMemAlloc_v2")(&to, sizeof(int)) == 0);
  void* arguments[] = {&to};
  using Launch = int(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                     void*, void**, void**);
  EXPECT(driver<Launch>("cuLaunchKernel")(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments,
                                          nullptr) == 0);
  int stored = 0;
  EXPECT(driver<int(void*, unsigned long long, std::size_t)>("cuMemcpyDtoH_v2")(
             &stored, to, sizeof stored) == 0);
  EXPECT(stored == 42);
}

void links_ptx() {
  // With and without the zero at the end, and under the names of other kinds, as code that nvrtc
  // has made in their place.
  const std::string with_zero(kFunction.c_str(), kFunction.size() + 1);
  for (const int kind : {kPtx, kAny, kCubin, kLtoIr}) {
    void* const link = create({"-arch=sm_80", "-lto"});
    EXPECT(add(link, kind, kKernel) == 0);
    EXPECT(add(link, kPtx, with_zero) == 0);
    EXPECT(JIT_LINK(nvJitLinkComplete)(link) == 0);
    EXPECT(errors_of(link).empty());
    std::size_t bytes = 99;
    EXPECT(JIT_LINK(nvJitLinkGetInfoLogSize)(link, &bytes) == 0);
    EXPECT(bytes == 0);
    EXPECT(JIT_LINK(nvJitLinkGetLinkedPtxSize)(link, &bytes) == kInvalidInput);
    const std::string code = machine_code_of(link);
    destroy(link);
    run(code);
    // The result can be linked again.
    void* const second = create({"-arch=sm_80"});
    EXPECT(add(second, kCubin, code) == 0);
    EXPECT(JIT_LINK(nvJitLinkComplete)(second) == 0);
    run(machine_code_of(second));
    destroy(second);
  }
}

void links_files(const std::string& folder) {
  const std::string file = folder + "/function.ptx";
  std::FILE* const opened = std::fopen(file.c_str(), "w");
  EXPECT(opened != nullptr);
  if (opened == nullptr) return;
  std::fputs(kFunction.c_str(), opened);
  std::fclose(opened);
  void* const link = create({"-arch=sm_80"});
  EXPECT(JIT_LINK(nvJitLinkAddFile)(link, kPtx, (folder + "/missing").c_str()) == kInvalidInput);
  EXPECT(errors_of(link).find("missing': there is no such file") != std::string::npos);
  EXPECT(JIT_LINK(nvJitLinkAddFile)(link, kPtx, nullptr) == kNullInput);
  EXPECT(JIT_LINK(nvJitLinkAddFile)(link, kPtx, file.c_str()) == 0);
  EXPECT(add(link, kPtx, kKernel) == 0);
  EXPECT(JIT_LINK(nvJitLinkComplete)(link) == 0);
  run(machine_code_of(link));
  destroy(link);
}

void makes_ptx_of_one_input() {
  void* const link = create({"-arch=sm_80", "-lto", "-ptx"});
  EXPECT(add(link, kPtx, kAlone) == 0);
  EXPECT(JIT_LINK(nvJitLinkComplete)(link) == 0);
  std::size_t bytes = 0;
  EXPECT(JIT_LINK(nvJitLinkGetLinkedPtxSize)(link, &bytes) == 0);
  std::string ptx(bytes, '?');
  EXPECT(JIT_LINK(nvJitLinkGetLinkedPtx)(link, ptx.data()) == 0);
  EXPECT(ptx == std::string(kAlone.c_str(), kAlone.size() + 1));
  run(ptx);
  destroy(link);
  void* const two = create({"-arch=sm_80", "-lto", "-ptx"});
  EXPECT(add(two, kPtx, kKernel) == 0);
  EXPECT(add(two, kPtx, kFunction) == 0);
  EXPECT(JIT_LINK(nvJitLinkComplete)(two) == kInvalidInput);
  EXPECT(errors_of(two).find("PTX (-ptx) of one input, and there are 2") != std::string::npos);
  destroy(two);
}

/// Adds code that cannot be linked, and checks the result and the log.
void check_refusal(const std::string& code, int result, const char* reason) {
  void* const link = create({"-arch=sm_80"});
  EXPECT(add(link, kAny, code) == result);
  EXPECT(errors_of(link).find(reason) != std::string::npos);
  destroy(link);
}

void refuses_other_code() {
  check_refusal(
      "\x7f"
      "ELF\x02",
      kIncorrectInputType, "'input': it is machine code");
  check_refusal(
      "\xed"
      "CN\x7f\x01",
      kIncorrectInputType, "'input': it is LTO-IR");
  check_refusal("garbage", kIncorrectInputType, "'input': it is not PTX");
  check_refusal("P\xed\x55\xba", kIncorrectInputType, "'input': device kernel image is invalid");
  check_refusal("HLNK", kIncorrectInputType, "'input': device kernel image is invalid");
  check_refusal(kAlone + "}", kPtxError, "input:7:");
  void* const link = create({"-arch=sm_80"});
  EXPECT(JIT_LINK(nvJitLinkAddData)(link, kPtx, nullptr, 5, "input") == kInvalidInput);
  EXPECT(add(link, kPtx, "") == kInvalidInput);
  std::size_t bytes = 0;
  EXPECT(JIT_LINK(nvJitLinkGetLinkedCubinSize)(link, &bytes) == kInternalError);
  EXPECT(add(link, kPtx, kKernel) == 0);
  EXPECT(JIT_LINK(nvJitLinkComplete)(link) == kInternalError);
  EXPECT(errors_of(link).find("no module defines 'twice'") != std::string::npos);
  // An input that is missing can be added after the error.
  EXPECT(add(link, kPtx, kFunction) == 0);
  EXPECT(JIT_LINK(nvJitLinkComplete)(link) == 0);
  run(machine_code_of(link));
  void* copy = link;
  destroy(link);
  EXPECT(JIT_LINK(nvJitLinkComplete)(copy) == kInvalidInput);
  EXPECT(JIT_LINK(nvJitLinkDestroy)(&copy) == kInvalidInput);
  EXPECT(JIT_LINK(nvJitLinkDestroy)(nullptr) == kNullInput);
}

void checks_options() {
  void* link = nullptr;
  const char* options[] = {"-lto", nullptr};
  EXPECT(JIT_LINK(nvJitLinkCreate)(&link, 0, options) == kNullInput);
  EXPECT(JIT_LINK(nvJitLinkCreate)(nullptr, 1, options) == kNullInput);
  EXPECT(JIT_LINK(nvJitLinkCreate)(&link, 1, options) == kMissingArchitecture);
  EXPECT(errors_of(link).find("-arch=sm_NN is missing") != std::string::npos);
  destroy(link);
  EXPECT(JIT_LINK(nvJitLinkCreate)(&link, 2, options) == kNullInput);
  options[1] = "-maxrregcount=32";
  EXPECT(JIT_LINK(nvJitLinkCreate)(&link, 2, options) == kUnrecognizedOption);
  destroy(link);
  // No input at all makes a module without kernels.
  void* const empty = create({"-arch=sm_80"});
  EXPECT(JIT_LINK(nvJitLinkComplete)(empty) == 0);
  void* module = nullptr;
  const std::string code = machine_code_of(empty);
  EXPECT(driver<int(void**, const void*)>("cuModuleLoadData")(&module, code.data()) == 0);
  destroy(empty);
}

}  // namespace

int main(int, char** arguments) {
  unsigned major = 0, minor = 99;
  EXPECT(nvJitLinkVersion(&major, &minor) == 0);
  EXPECT(major == 13 && minor == 0);
  links_ptx();
  links_files(arguments[1]);
  makes_ptx_of_one_input();
  refuses_other_code();
  checks_options();
  return verdict();
}
