#include "cuda/graphs/device_functions.h"

#include <algorithm>

namespace heddle::cuda::graphs {
namespace {

/// The handle of a condition is the address of its value.
constexpr const char* kSetConditional = R"(
.version 7.0
.target sm_50
.address_size 64
.visible .func cudaGraphSetConditional(.param .b64 condition, .param .b32 value)
{
  .reg .b64 %rd1;
  .reg .b32 %r1;
  ld.param.u64 %rd1, [condition];
  ld.param.u32 %r1, [value];
  st.global.u32 [%rd1], %r1;
  ret;
}
)";

}  // namespace

void add_device_functions(std::vector<device::PtxSource>& texts) {
  const bool is_called = std::any_of(texts.begin(), texts.end(), [](const auto& source) {
    return source.text.find("cudaGraphSetConditional") != std::string::npos;
  });
  if (is_called) texts.push_back({.file = "cudaGraphSetConditional.ptx", .text = kSetConditional});
}

}  // namespace heddle::cuda::graphs
