#pragma once

#if defined(__x86_64__)
#define HEDDLE_CUDA_JUMP "jmp"
#define HEDDLE_CUDA_SET_PER_THREAD "movb $1, heddle_null_stream_is_per_thread(%rip)"
#elif defined(__aarch64__)
#define HEDDLE_CUDA_JUMP "b"
#define HEDDLE_CUDA_SET_PER_THREAD               \
  "adrp x16, heddle_null_stream_is_per_thread\n" \
  "  mov w17, #1\n"                              \
  "  strb w17, [x16, :lo12:heddle_null_stream_is_per_thread]"
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
/// Does the same for the name of a function in programs built with -default-stream per-thread. The
/// function also records that this program's null stream is the per-thread default stream.
#define HEDDLE_CUDA_PER_THREAD_ALIAS(name, to) \
  asm(".text\n"                                \
      ".globl " name                           \
      "\n"                                     \
      ".type " name ", @function\n" name       \
      ":\n"                                    \
      "  " HEDDLE_CUDA_SET_PER_THREAD          \
      "\n"                                     \
      "  " HEDDLE_CUDA_JUMP " " to             \
      "\n"                                     \
      ".size " name ", .-" name);
