#include "cuda/other_libraries/failed_library.h"

#include <fmt/format.h>

#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/message.h"
#include "cuda/other_libraries/library_at.h"
#include "cuda/other_libraries/product.h"
#include "cuda/runtime/call.h"
#include "cuda/static_runtime/elf_image.h"
#include "cuda/static_runtime/loaded_objects.h"
#include "cuda/static_runtime/mapped_file.h"
#include "cuda/static_runtime/static_runtime.h"

namespace heddle::cuda {
namespace {

/// Why a library that asks for undocumented functions fails; empty if it can work without them, as
/// nvrtc does.
std::string reason(const std::string& file) {
  if (!product_of(file).empty()) return unusable_message(file);
  const MappedFile content(file);
  const std::optional<ElfImage> image = ElfImage::read(content.bytes());
  if (!image || static_runtime_in(*image) == StaticRuntime::absent) return {};
  return fmt::format(
      "'{}' is linked with CUDA's static runtime, which Heddle replaces only if it has symbols, "
      "and "
      "only in libraries that the program is linked to: its calls fail; build it with: nvcc "
      "-cudart shared",
      file);
}

/// The code of the library, and of all others of the same product: they call each other.
std::vector<CodeRange> code_of_product(const std::string& file) {
  const std::string_view product = product_of(file);
  std::vector<CodeRange> code;
  for (const LoadedObject& object : loaded_objects()) {
    const bool belongs = product.empty() ? object.file == file : product_of(object.file) == product;
    if (!belongs) continue;
    for (const LoadedObject::Code& part : object.code) {
      code.push_back({.begin = part.begin, .end = part.end});
    }
  }
  return code;
}

void report(const std::string& file) {
  static std::mutex& mutex = *new std::mutex;
  static auto& reported = *new std::set<std::string, std::less<>>;
  const std::string_view product = product_of(file);
  const std::scoped_lock lock(mutex);
  if (!reported.emplace(product.empty() ? file : product).second) return;
  const std::string why = reason(file);
  if (why.empty()) return;
  say(why);
  call_despite_error("cuGetExportTable", [&](Session& session) {
    session.simulation().explain_crashes(code_of_product(file), why);
  });
}

}  // namespace

void report_failed_library(const void* caller) noexcept {
  try {
    if (const std::string file = library_at(caller); !file.empty()) report(file);
  } catch (...) {
    // The library's calls fail all the same.
  }
}

}  // namespace heddle::cuda
