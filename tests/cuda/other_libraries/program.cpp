// Calls functions of a library: program LIBRARY FUNCTION... Prints their results. The function
// 'own' is the program's, and crashes.

#include <dlfcn.h>

#include <cstdio>
#include <cstring>

namespace {

/// It is volatile so that the compiler does not see that it is null.
char* volatile null = nullptr;

/// Functions that make a handle or plan have such parameters. Others take fewer, and ignore the
/// rest.
using Function = int(void** handle, int kind, int type, int count);
constexpr int kKind = 100;   ///< cuRAND's default generator; for cuFFT, a length.
constexpr int kType = 0x29;  ///< cuFFT's complex numbers.

}  // namespace

int main(int count, char** arguments) {
  std::setbuf(stdout, nullptr);
  void* const library = dlopen(arguments[1], RTLD_NOW);
  if (library == nullptr) {
    std::printf("%s\n", dlerror());
    return 1;
  }
  for (int i = 2; i < count; ++i) {
    if (std::strcmp(arguments[i], "own") == 0) *null = 1;
    void* handle = nullptr;
    auto* const function = reinterpret_cast<Function*>(dlsym(library, arguments[i]));
    std::printf("%s: %d\n", arguments[i], function(&handle, kKind, kType, 1));
  }
  return 7;
}
