#pragma once

#if defined(__x86_64__)
#define HEDDLE_CUDA_JUMP "jmp"
#elif defined(__aarch64__)
#define HEDDLE_CUDA_JUMP "b"
#else
#error "add this processor's jump instruction"
#endif
/// Defines the function `name`, which jumps to the function `to`: arguments pass through unchanged.
/// Both are strings.
#define HEDDLE_CUDA_ALIAS(name, to)      \
  asm(".text\n"                          \
      ".globl " name                     \
      "\n"                               \
      ".type " name ", @function\n" name \
      ":\n"                              \
      "  " HEDDLE_CUDA_JUMP " " to       \
      "\n"                               \
      ".size " name ", .-" name);
