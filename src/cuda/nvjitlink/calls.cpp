// The functions of nvJitLink, with NVIDIA's names. The link itself is Heddle's: its result contains
// the PTX texts, which are compiled together when it is loaded (cuda/fatbin/linked_image.h).

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "cuda/driver/call.h"
#include "cuda/nvjitlink/link.h"
#include "cuda/runtime/abi.h"

namespace heddle::cuda::nvjitlink {
namespace {

/// nvJitLinkHandle.
using Handle = struct OpaqueJitLink*;

HandleTable<Link, Handle>& links() {
  static auto& table = *new HandleTable<Link, Handle>;
  return table;
}

/// Runs the body of an exported function, which returns a result.
template <class Body>
Result call(const char* name, Body body) noexcept {
  const driver::DriverCallScope scope(name);
  Result result = Result::internal_error;
  const Error error = call_despite_error(name, [&](Session& session) { result = body(session); });
  // The error of an invalid handle, which the body throws.
  return error == Error::invalid_resource_handle ? Result::invalid_input : result;
}

/// As call(), but the body is given the link of a handle.
template <class Body>
Result call_for_link(const char* name, Handle handle, Body body) noexcept {
  return call(name, [&](Session& session) { return body(session, links().get(handle)); });
}

/// Copies a text's size, which includes a terminating zero if there is one.
Result copy_size(const std::string& text, std::size_t terminator, std::size_t* bytes) {
  if (bytes == nullptr) return Result::null_input;
  *bytes = text.empty() ? 0 : text.size() + terminator;
  return Result::success;
}

Result copy_text(const std::string& text, std::size_t terminator, char* to) {
  if (to == nullptr) return Result::null_input;
  if (!text.empty()) std::copy_n(text.c_str(), text.size() + terminator, to);
  return Result::success;
}

}  // namespace

HEDDLE_CUDA_EXPORT Result nvJitLinkCreate(Handle* link, std::uint32_t count, const char** options) {
  return call("nvJitLinkCreate", [&](Session&) {
    if (link == nullptr || options == nullptr || count == 0) return Result::null_input;
    auto object = std::make_unique<Link>();
    Link& added = *object;
    // The program reads the reason for an error from the link's log.
    *link = links().add(std::move(object));
    return added.set_options({options, count});
  });
}

HEDDLE_CUDA_EXPORT Result nvJitLinkDestroy(Handle* link) {
  return call("nvJitLinkDestroy", [&](Session&) {
    if (link == nullptr) return Result::null_input;
    links().remove(*link);
    *link = nullptr;
    return Result::success;
  });
}

HEDDLE_CUDA_EXPORT Result nvJitLinkAddData(Handle link, int, const void* data, std::size_t bytes,
                                           const char* name) {
  return call_for_link("nvJitLinkAddData", link, [&](Session&, Link& object) {
    if (data == nullptr || bytes == 0) return Result::invalid_input;
    return object.add({static_cast<const char*>(data), bytes},
                      name == nullptr ? "linked.ptx" : name);
  });
}

HEDDLE_CUDA_EXPORT Result nvJitLinkAddFile(Handle link, int, const char* file) {
  return call_for_link("nvJitLinkAddFile", link, [&](Session&, Link& object) {
    return file == nullptr ? Result::null_input : object.add_file(file);
  });
}

HEDDLE_CUDA_EXPORT Result nvJitLinkComplete(Handle link) {
  return call_for_link("nvJitLinkComplete", link,
                       [&](Session& session, Link& object) { return object.complete(session); });
}

HEDDLE_CUDA_EXPORT Result nvJitLinkGetLinkedCubinSize(Handle link, std::size_t* bytes) {
  return call_for_link("nvJitLinkGetLinkedCubinSize", link, [&](Session&, Link& object) {
    return object.image().empty() ? Result::internal_error : copy_size(object.image(), 0, bytes);
  });
}

HEDDLE_CUDA_EXPORT Result nvJitLinkGetLinkedCubin(Handle link, void* code) {
  return call_for_link("nvJitLinkGetLinkedCubin", link, [&](Session&, Link& object) {
    return object.image().empty() ? Result::internal_error
                                  : copy_text(object.image(), 0, static_cast<char*>(code));
  });
}

HEDDLE_CUDA_EXPORT Result nvJitLinkGetLinkedPtxSize(Handle link, std::size_t* bytes) {
  return call_for_link("nvJitLinkGetLinkedPtxSize", link, [&](Session&, Link& object) {
    return object.ptx().empty() ? Result::invalid_input : copy_size(object.ptx(), 1, bytes);
  });
}

HEDDLE_CUDA_EXPORT Result nvJitLinkGetLinkedPtx(Handle link, char* code) {
  return call_for_link("nvJitLinkGetLinkedPtx", link, [&](Session&, Link& object) {
    return object.ptx().empty() ? Result::invalid_input : copy_text(object.ptx(), 1, code);
  });
}

HEDDLE_CUDA_EXPORT Result nvJitLinkGetErrorLogSize(Handle link, std::size_t* bytes) {
  return call_for_link("nvJitLinkGetErrorLogSize", link, [&](Session&, Link& object) {
    return copy_size(object.errors(), 1, bytes);
  });
}

HEDDLE_CUDA_EXPORT Result nvJitLinkGetErrorLog(Handle link, char* log) {
  return call_for_link("nvJitLinkGetErrorLog", link,
                       [&](Session&, Link& object) { return copy_text(object.errors(), 1, log); });
}

/// The log of information is always empty.
HEDDLE_CUDA_EXPORT Result nvJitLinkGetInfoLogSize(Handle link, std::size_t* bytes) {
  return call_for_link("nvJitLinkGetInfoLogSize", link,
                       [&](Session&, Link&) { return copy_size({}, 1, bytes); });
}

HEDDLE_CUDA_EXPORT Result nvJitLinkGetInfoLog(Handle link, char* log) {
  return call_for_link("nvJitLinkGetInfoLog", link,
                       [&](Session&, Link&) { return copy_text({}, 1, log); });
}

HEDDLE_CUDA_EXPORT Result nvJitLinkVersion(unsigned* major, unsigned* minor) {
  if (major == nullptr || minor == nullptr) return Result::null_input;
  *major = abi::kVersion / 1000;
  *minor = abi::kVersion % 1000 / 10;
  return Result::success;
}

}  // namespace heddle::cuda::nvjitlink
