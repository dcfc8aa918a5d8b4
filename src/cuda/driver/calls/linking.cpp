// The driver's calls that link several PTX texts at run time. The resulting image contains the
// texts themselves, which are compiled together when it is loaded (cuda/fatbin/linked_image.h).

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
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

/// The compiler's message about a called function that no text defines; empty if all are defined.
/// Other unsupported features of a kernel are reported when the kernel is launched.
std::string missing_function_message(const code::Program& program) {
  for (const code::FunctionInfo& declared : program.functions) {
    if (!declared.is_extern) continue;
    const std::string name = "'" + declared.name + "'";
    for (const code::FunctionInfo& function : program.functions) {
      for (const code::Unsupported& unsupported : function.unsupported) {
        if (unsupported.message.find(name) != std::string::npos) return unsupported.message;
      }
    }
  }
  return {};
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

void check_kind(abi::LinkInput kind) {
  if (kind == abi::LinkInput::ptx || kind == abi::LinkInput::fat_binary) return;
  throw Failure{Error::not_supported, "Heddle links only PTX, and fat binaries that contain PTX"};
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
    check_kind(kind);
    linking_options(count, options, values);
    if (data == nullptr || bytes == 0) throw Failure{Error::invalid_value};
    if (kind == abi::LinkInput::fat_binary) {
      return add(object, sources_of_bytes({static_cast<const char*>(data), bytes}, "linked.ptx"));
    }
    std::string_view text(static_cast<const char*>(data), bytes);
    text = text.substr(0, text.find('\0'));
    add(object, {{.file = name == nullptr ? "linked.ptx" : name, .text = std::string(text)}});
  });
}

HEDDLE_CUDA_EXPORT Result cuLinkAddFile_v2(abi::LinkHandle link, abi::LinkInput kind,
                                           const char* file, unsigned count,
                                           const abi::JitOption* options, void** values) {
  return in_context("cuLinkAddFile", [&](Session&) {
    Link& object = links().get(link);
    check_kind(kind);
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
