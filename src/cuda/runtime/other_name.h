#pragma once

/// Defines a function, by its name alone, that goes on where another one is with all that it was
/// called with.
#if defined(__x86_64__)
#define HEDDLE_CUDA_GO_ON "jmp"
#elif defined(__aarch64__)
#define HEDDLE_CUDA_GO_ON "b"
#else
#error "say here how this processor jumps"
#endif
#define HEDDLE_CUDA_OTHER_NAME(name, to) \
  asm(".text\n"                          \
      ".globl " name                     \
      "\n"                               \
      ".type " name ", @function\n" name \
      ":\n"                              \
      "  " HEDDLE_CUDA_GO_ON " " to      \
      "\n"                               \
      ".size " name ", .-" name);
