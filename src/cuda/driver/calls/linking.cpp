// The driver's calls that link several PTX texts at run time. The resulting image contains the
// texts themselves, which are compiled together when it is loaded (cuda/fatbin/linked_image.h).

#include "cuda/runtime/linking.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "cuda/driver/call.h"
#include "cuda/driver/jit_options.h"
#include "cuda/fatbin/linked_image.h"
#include "cuda/runtime/loading.h"
#include "device/loaded_module.h"

namespace heddle::cuda::driver {
namespace {

struct Link {
  JitOptions options{};
  std::vector<LinkedText> texts{};
  std::string image{};  ///< The result; empty until cuLinkComplete.
};

HandleTable<Link, abi::LinkHandle>& links() {
  static auto& table = *new HandleTable<Link, abi::LinkHandle>;
  return table;
}

/// Reports an error in the PTX to the program's log or, if it has none, by the Failure's message.
[[noreturn]] void fail(const Link& link, const std::string& text) {
  if (link.options.report_error(text)) throw Failure{Error::invalid_ptx};
  throw Failure{Error::invalid_ptx, text};
}

/// Adds texts to a link. Throws Failure for errors in them.
void add(Link& link, std::vector<device::PtxSource> texts) {
  try {
    device::parse_all(texts);
  } catch (const InputError& error) {
    fail(link, error.what());
  }
  for (device::PtxSource& text : texts) {
    link.texts.push_back({.name = std::move(text.file), .ptx = std::move(text.text)});
  }
}

/// The options of a link. A linked image is compiled when it is loaded, so an option for
/// compilation throws Failure here.
JitOptions linking_options(unsigned count, const abi::JitOption* options, void** values) {
  JitOptions result(count, options, values);
  if (result.max_registers() == 0) return result;
  throw Failure{
      Error::not_supported,
      "Heddle supports CU_JIT_MAX_REGISTERS when a module is loaded, not when it is linked"};
}

/// Throws Failure for code that Heddle cannot link. A program may have made PTX with nvrtc in place
/// of another kind of code, so the content decides (docs/cuda.md).
void check_kind(abi::LinkInput kind, std::string_view code) {
  if (kind == abi::LinkInput::ptx || kind == abi::LinkInput::fat_binary) return;
  const std::string_view why = reason_not_to_link(kind_of_code(code));
  if (!why.empty()) throw Failure{Error::not_supported, std::string(why)};
}

/// The texts of a fat binary or a linked image, or the text that is PTX. A fat binary may have been
/// declared as another kind.
std::vector<device::PtxSource> texts_of(abi::LinkInput kind, std::string_view code,
                                        const char* name) {
  const std::string file = name == nullptr ? "linked.ptx" : name;
  const LinkedCode found = kind_of_code(code);
  if (kind == abi::LinkInput::fat_binary || found == LinkedCode::fat_binary ||
      found == LinkedCode::linked_image) {
    return sources_of_bytes(code, file);
  }
  return {{.file = file, .text = std::string(code.substr(0, code.find('\0')))}};
}

}  // namespace

HEDDLE_CUDA_EXPORT Result cuLinkCreate_v2(unsigned count, const abi::JitOption* options,
                                          void** values, abi::LinkHandle* link) {
  return in_context("cuLinkCreate", [&](Session&) {
    abi::LinkHandle& result = result_at(link);
    auto object = std::make_unique<Link>();
    object->options = linking_options(count, options, values);
    object->options.report_success();
    result = links().add(std::move(object));
  });
}

HEDDLE_CUDA_EXPORT Result cuLinkAddData_v2(abi::LinkHandle link, abi::LinkInput kind,
                                           const void* data, std::size_t bytes, const char* name,
                                           unsigned count, const abi::JitOption* options,
                                           void** values) {
  return in_context("cuLinkAddData", [&](Session&) {
    Link& object = links().get(link);
    if (data == nullptr || bytes == 0) throw Failure{Error::invalid_value};
    const std::string_view code(static_cast<const char*>(data), bytes);
    check_kind(kind, code);
    linking_options(count, options, values);
    add(object, texts_of(kind, code, name));
  });
}

HEDDLE_CUDA_EXPORT Result cuLinkAddFile_v2(abi::LinkHandle link, abi::LinkInput kind,
                                           const char* file, unsigned count,
                                           const abi::JitOption* options, void** values) {
  return in_context("cuLinkAddFile", [&](Session&) {
    Link& object = links().get(link);
    if (file == nullptr) throw Failure{Error::invalid_value};
    if (!std::filesystem::exists(file)) throw Failure{Error::file_not_found};
    check_kind(kind, read_file(file));
    linking_options(count, options, values);
    add(object, sources_of_file(file));
  });
}

HEDDLE_CUDA_EXPORT Result cuLinkComplete(abi::LinkHandle link, void** image, std::size_t* bytes) {
  return in_context("cuLinkComplete", [&](Session& session) {
    Link& object = links().get(link);
    std::vector<device::PtxSource> texts;
    for (const LinkedText& text : object.texts)
      texts.push_back({.file = text.name, .text = text.ptx});
    // A module of the texts is loaded to find their errors, and removed again.
    Module& module = load_module(session, std::move(texts), object.options);
    const std::string missing = missing_function_message(module.load(session.device()).program());
    session.modules.remove(module, session.device_if_created());
    if (!missing.empty()) fail(object, missing);
    object.image = linked_image_of(object.texts);
    result_at(image) = object.image.data();
    if (bytes != nullptr) *bytes = object.image.size();
  });
}

HEDDLE_CUDA_EXPORT Result cuLinkDestroy(abi::LinkHandle link) {
  return in_context("cuLinkDestroy", [&](Session&) { links().remove(link); });
}

}  // namespace heddle::cuda::driver
