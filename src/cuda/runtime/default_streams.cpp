#include "cuda/runtime/default_streams.h"

// NOLINTNEXTLINE(readability-identifier-naming)
std::atomic<std::uint8_t> heddle_null_stream_is_per_thread = 0;
static_assert(sizeof heddle_null_stream_is_per_thread == 1);
