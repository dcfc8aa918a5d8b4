// Fuzzes the PTX parser: for any text it must terminate, access only valid memory, and render its
// messages.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "ptx/parser.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const heddle::ptx::ParseResult result = heddle::ptx::parse(text, "fuzz.ptx");
  const std::string messages = heddle::render(result.diagnostics, "fuzz.ptx", text);
  if (messages.empty() != result.ok()) std::abort();
  return 0;
}
