// Tests PTX that a program loads, links and unloads with the driver API.
#include <cstring>
#include <string>

#include "driver_check.h"

const char kText[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .u32 amount = 5;\n"
    ".visible .entry add(.param .u64 values) {\n"
    ".reg .b32 %r<4>; .reg .b64 %rd<4>;\n"
    "ld.param.u64 %rd1, [values]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;\n"
    "add.u64 %rd3, %rd1, %rd2; ld.global.u32 %r2, [%rd3]; ld.global.u32 %r3, [amount];\n"
    "add.u32 %r2, %r2, %r3; st.global.u32 [%rd3], %r2; ret; }\n"
    ".visible .entry nothing() { ret; }\n";

const char kCaller[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".extern .func (.param .b32 result) twice(.param .b32 value);\n"
    ".visible .entry store(.param .u64 to) {\n"
    ".reg .b32 %r<3>; .reg .b64 %rd<2>;\n"
    "ld.param.u64 %rd1, [to]; mov.u32 %r1, 21;\n"
    "{ .param .b32 value; .param .b32 result; st.param.b32 [value], %r1;\n"
    "call.uni (result), twice, (value); ld.param.b32 %r2, [result]; }\n"
    "st.global.u32 [%rd1], %r2; ret; }\n";
const char kCalled[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n"
    ".visible .func (.param .b32 result) twice(.param .b32 value) {\n"
    ".reg .b32 %r<3>; ld.param.b32 %r1, [value]; add.u32 %r2, %r1, %r1;\n"
    "st.param.b32 [result], %r2; ret; }\n";

void use_a_module() {
  CUmodule module = nullptr;
  CALL(cuModuleLoadData(&module, kText));
  CUfunction add = nullptr, other = nullptr, both[2] = {};
  CALL(cuModuleGetFunction(&add, module, "add"));
  EXPECT(cuModuleGetFunction(&other, module, "subtract") == CUDA_ERROR_NOT_FOUND);
  unsigned count = 0;
  CALL(cuModuleGetFunctionCount(&count, module));
  EXPECT(count == 2);
  CALL(cuModuleEnumerateFunctions(both, 2, module));
  EXPECT(both[0] == add || both[1] == add);
  const char* name = nullptr;
  CALL(cuFuncGetName(&name, add));
  EXPECT(std::strcmp(name, "add") == 0);
  CUmodule same = nullptr;
  CALL(cuFuncGetModule(&same, add));
  EXPECT(same == module);

  CUdeviceptr values = 0, amount = 0;
  size_t bytes = 0;
  CALL(cuModuleGetGlobal(&amount, &bytes, module, "amount"));
  EXPECT(bytes == 4);
  CALL(cuMemAlloc(&values, 32 * sizeof(int)));
  CALL(cuMemsetD32(values, 100, 32));
  void* arguments[] = {&values};
  launch(add, 1, 32, arguments);
  const int more = 1000;
  CALL(cuMemcpyHtoD(amount, &more, sizeof more));
  launch(add, 1, 32, arguments);
  int result[32];
  CALL(cuMemcpyDtoH(result, values, sizeof result));
  EXPECT(result[0] == 1105 && result[31] == 1105);
  CALL(cuModuleUnload(module));
  EXPECT(cuModuleUnload(module) == CUDA_ERROR_INVALID_HANDLE);
  EXPECT(cuLaunchKernel(add, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr) ==
         CUDA_ERROR_INVALID_HANDLE);
  CALL(cuMemFree(values));
}

void read_log_of_invalid_text() {
  const char broken[] =
      ".version 7.5\n.target sm_75\n.address_size 64\n"
      ".visible .entry wrong() { madd.u32 %r1, %r2; ret; }\n";
  char log[2048] = "untouched", info[64] = "untouched";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_INFO_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
                            CU_JIT_OPTIMIZATION_LEVEL};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log), info,
                    reinterpret_cast<void*>(sizeof info), reinterpret_cast<void*>(4)};
  CUmodule module = nullptr;
  EXPECT(cuModuleLoadDataEx(&module, broken, 5, options, values) == CUDA_ERROR_INVALID_PTX);
  EXPECT(std::strstr(log, "madd") != nullptr);
  EXPECT(std::strlen(log) == reinterpret_cast<size_t>(values[1]));
  values[1] = reinterpret_cast<void*>(sizeof log);
  CALL(cuModuleLoadDataEx(&module, kText, 5, options, values));
  EXPECT(log[0] == '\0' && values[1] == nullptr && info[0] == '\0');
  CALL(cuModuleUnload(module));

  // A short buffer gets the beginning of the log.
  char small[8];
  CUjit_option two[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* where[] = {small, reinterpret_cast<void*>(sizeof small)};
  EXPECT(cuModuleLoadDataEx(&module, broken, 2, two, where) == CUDA_ERROR_INVALID_PTX);
  EXPECT(std::strlen(small) == 7 && reinterpret_cast<size_t>(where[1]) == 7);

  // Without a buffer, the log goes to standard error.
  EXPECT(cuModuleLoadData(&module, broken) == CUDA_ERROR_INVALID_PTX);
}

/// A kernel with 48 values that are live at the same time.
std::string many_values() {
  std::string text =
      ".version 7.5\n.target sm_75\n.address_size 64\n.visible .entry many(.param .u64 values) {\n"
      ".reg .b32 %r<64>; .reg .b64 %rd<2>; ld.param.u64 %rd1, [values];\n";
  for (int i = 0; i < 48; ++i) {
    const std::string number = std::to_string(i);
    text += "ld.global.u32 %r" + number + ", [%rd1+" + std::to_string(4 * i) + "];\n";
  }
  text += "mov.u32 %r60, 0;\n";
  for (int i = 47; i >= 0; --i) {
    text += "mad.lo.u32 %r60, %r60, 3, %r" + std::to_string(i) + ";\n";
  }
  return text + "st.global.u32 [%rd1], %r60; ret; }\n";
}

void limit_registers() {
  const std::string text = many_values();
  unsigned expected = 0;
  int values[48];
  for (int i = 0; i < 48; ++i) values[i] = i * i;
  for (int i = 47; i >= 0; --i) expected = expected * 3 + static_cast<unsigned>(values[i]);
  CUdeviceptr memory = 0;
  CALL(cuMemAlloc(&memory, sizeof values));
  int registers[2] = {};
  for (int limited = 0; limited < 2; ++limited) {
    CUjit_option option = CU_JIT_MAX_REGISTERS;
    void* max_registers = reinterpret_cast<void*>(20);
    CUmodule module = nullptr;
    CALL(cuModuleLoadDataEx(&module, text.c_str(), limited, &option, &max_registers));
    CUfunction many = nullptr;
    CALL(cuModuleGetFunction(&many, module, "many"));
    CALL(cuFuncGetAttribute(&registers[limited], CU_FUNC_ATTRIBUTE_NUM_REGS, many));
    CALL(cuMemcpyHtoD(memory, values, sizeof values));
    void* arguments[] = {&memory};
    launch(many, 1, 1, arguments);
    unsigned result = 0;
    CALL(cuMemcpyDtoH(&result, memory, sizeof result));
    EXPECT(result == expected);
    CALL(cuModuleUnload(module));
  }
  EXPECT(registers[0] > 20 && registers[1] <= 20);
}

void link_two_texts() {
  char log[1024] = "";
  CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  CUlinkState link = nullptr;
  void* image = nullptr;
  size_t bytes = 0;
  CALL(cuLinkCreate(2, options, values, &link));
  CALL(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(kCaller), sizeof kCaller, "caller",
                     0, nullptr, nullptr));
  EXPECT(cuLinkComplete(link, &image, &bytes) != CUDA_SUCCESS);
  EXPECT(std::strstr(log, "twice") != nullptr);
  EXPECT(std::strlen(log) == reinterpret_cast<size_t>(values[1]));
  // The size excludes the terminating zero.
  CALL(cuLinkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(kCalled), std::strlen(kCalled),
                     "called", 0, nullptr, nullptr));
  CALL(cuLinkComplete(link, &image, &bytes));
  EXPECT(bytes > std::strlen(kCaller));
  const CUfunction store = load(static_cast<const char*>(image), "store");
  CALL(cuLinkDestroy(link));
  CUdeviceptr to = 0;
  CALL(cuMemAlloc(&to, 4));
  void* arguments[] = {&to};
  launch(store, 1, 1, arguments);
  int result = 0;
  CALL(cuMemcpyDtoH(&result, to, sizeof result));
  EXPECT(result == 42);
}

void use_a_library() {
  CUlibrary library = nullptr;
  CALL(cuLibraryLoadData(&library, kText, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CUkernel add = nullptr;
  CUfunction function = nullptr;
  CALL(cuLibraryGetKernel(&add, library, "add"));
  CALL(cuKernelGetFunction(&function, add));
  CUdeviceptr values = 0;
  CALL(cuMemAllocManaged(&values, 4, CU_MEM_ATTACH_GLOBAL));
  *reinterpret_cast<int*>(values) = 1;
  void* arguments[] = {&values};
  launch(function, 1, 1, arguments);
  launch(reinterpret_cast<CUfunction>(add), 1, 1, arguments);
  CALL(cuCtxSynchronize());
  EXPECT(*reinterpret_cast<int*>(values) == 11);
  CUmodule module = nullptr;
  CALL(cuLibraryGetModule(&module, library));
  CUdeviceptr amount = 0;
  CALL(cuModuleGetGlobal(&amount, nullptr, module, "amount"));
  EXPECT(cuModuleUnload(module) == CUDA_ERROR_INVALID_HANDLE);
  CALL(cuLibraryUnload(library));
  EXPECT(cuLibraryUnload(library) == CUDA_ERROR_INVALID_HANDLE);
}

int main() {
  const CUcontext context = begin();
  use_a_module();
  read_log_of_invalid_text();
  limit_registers();
  link_two_texts();
  use_a_library();
  CUmodule module = nullptr;
  EXPECT(cuModuleLoad(&module, "/there/is/no/such/file") == CUDA_ERROR_FILE_NOT_FOUND);
  EXPECT(cuModuleLoadData(&module,
                          "\x7f"
                          "ELF machine code") == CUDA_ERROR_NO_BINARY_FOR_GPU);
  CALL(cuCtxDestroy(context));
  return verdict();
}
