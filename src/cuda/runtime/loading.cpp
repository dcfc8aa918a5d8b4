#include "cuda/runtime/loading.h"

#include <cstring>
#include <filesystem>
#include <span>

#include "base/error.h"
#include "base/file.h"
#include "cuda/fatbin/linked_image.h"
#include "cuda/fatbin/readable_memory.h"
#include "cuda/runtime/error.h"

namespace heddle::cuda {
namespace {

// The first four bytes of each type of code. PTX begins with other bytes.
constexpr std::uint32_t kFatBinary = 0xba55'ed50;
constexpr std::uint32_t kWrapper = 0x4662'43b1;
constexpr std::uint32_t kElf = 0x464c'457f;

std::vector<device::PtxSource> texts_of(const void* code, const std::string& name) {
  std::uint32_t magic = 0;
  std::memcpy(&magic, code, sizeof magic);
  switch (magic) {
    case kFatBinary:
      return {ptx_of(code)};
    case kWrapper:
      return ptx_of_wrapper(*static_cast<const FatBinaryWrapper*>(code));
    case kElf:
      throw InputError(
          "it is machine code for a GPU, and Heddle runs only PTX; ask the compiler for PTX (nvcc "
          "-ptx; nvrtc with -arch=compute_80 and nvrtcGetPTX)");
    case kLinkedImage:
      break;
    default:
      return {{.file = name, .text = static_cast<const char*>(code)}};
  }
  const std::span<const std::byte> memory = readable_memory_at(code);
  const std::string_view image(reinterpret_cast<const char*>(memory.data()), memory.size());
  if (linked_image_bytes(image) > image.size()) throw InputError("the linked image is truncated");
  std::vector<device::PtxSource> texts;
  for (LinkedText& text : texts_of_linked_image(code)) {
    texts.push_back({.file = std::move(text.name), .text = std::move(text.ptx)});
  }
  return texts;
}

/// False if code is shorter than the size in its header, or cannot be read from a copy. Throws
/// InputError for an invalid header.
bool is_complete(const std::string& code) {
  constexpr std::size_t kMinHeaderBytes = 16;  // The size of the smallest header.
  std::uint32_t magic = 0;
  if (code.size() < sizeof magic) return false;
  std::memcpy(&magic, code.data(), sizeof magic);
  switch (magic) {
    case kFatBinary:
      return code.size() >= kMinHeaderBytes && fat_binary_at(code.data()).size() <= code.size();
    case kLinkedImage:
      return code.size() >= kMinHeaderBytes && linked_image_bytes(code) <= code.size();
    default:
      return magic != kWrapper;  // A wrapper contains pointers, which are meaningless in a copy.
  }
}

}  // namespace

std::vector<device::PtxSource> sources_of(const void* code, const std::string& name) {
  if (code == nullptr) throw Failure{Error::invalid_value};
  try {
    return texts_of(code, name);
  } catch (const InputError& error) {
    throw Failure{Error::no_image_for_device, error.what()};
  }
}

std::vector<device::PtxSource> sources_of_bytes(std::string_view bytes, const std::string& name) {
  // A copy with a terminating zero. The sources do not refer to the bytes afterwards.
  const std::string code(bytes);
  bool complete = false;
  try {
    complete = is_complete(code);
  } catch (const InputError& error) {
    throw Failure{Error::invalid_image, error.what()};
  }
  if (!complete) throw Failure{Error::invalid_image};
  return sources_of(code.c_str(), name);
}

std::vector<device::PtxSource> sources_of_file(const char* file) {
  if (file == nullptr) throw Failure{Error::invalid_value};
  if (!std::filesystem::exists(file)) throw Failure{Error::file_not_found};
  return sources_of_bytes(read_file(file), file);
}

Module& load_module(Session& session, std::vector<device::PtxSource> texts) {
  Module& module = session.modules.add(std::move(texts));
  try {
    module.load(session.device());
  } catch (...) {
    session.modules.remove(module, nullptr);
    throw;
  }
  return module;
}

Module& module_at(Session& session, const void* handle) {
  Module* const module = session.modules.find(handle);
  if (module == nullptr) throw Failure{Error::invalid_resource_handle};
  return *module;
}

}  // namespace heddle::cuda
