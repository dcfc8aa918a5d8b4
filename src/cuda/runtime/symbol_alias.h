#pragma once

/// Defines a function that jumps to another one, so that arguments pass through unchanged.
#if defined(__x86_64__)
#define HEDDLE_CUDA_JUMP "jmp"
#elif defined(__aarch64__)
#define HEDDLE_CUDA_JUMP "b"
#else
#error "add this processor's jump instruction"
#endif
#define HEDDLE_CUDA_ALIAS(name, to)      \
  asm(".text\n"                          \
      ".globl " name                     \
      "\n"                               \
      ".type " name ", @function\n" name \
      ":\n"                              \
      "  " HEDDLE_CUDA_JUMP " " to       \
      "\n"                               \
      ".size " name ", .-" name);
