// The names of calls in programs that are built with -default-stream per-thread: each goes on where
// the ordinary one is, with all that it was called with.

#if defined(__x86_64__)
#define HEDDLE_GO_ON "jmp"
#elif defined(__aarch64__)
#define HEDDLE_GO_ON "b"
#else
#error "say here how this processor jumps"
#endif

#define HEDDLE_CUDA_CALL(name, family)
#define HEDDLE_CUDA_UNSUPPORTED(name, family)
#define HEDDLE_CUDA_PER_THREAD(name, suffix)                       \
  asm(".text\n"                                                    \
      ".globl " #name "_" #suffix                                  \
      "\n"                                                         \
      ".type " #name "_" #suffix ", @function\n" #name "_" #suffix \
      ":\n"                                                        \
      "  " HEDDLE_GO_ON " " #name                                  \
      "\n"                                                         \
      ".size " #name "_" #suffix ", .-" #name "_" #suffix);
#include "cuda/runtime/calls.def"
