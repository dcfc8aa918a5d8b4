#include "cuda/nvjitlink/link.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/file.h"
#include "base/message.h"
#include "cuda/runtime/linking.h"
#include "cuda/runtime/loading.h"
#include "device/loaded_module.h"

namespace heddle::cuda::nvjitlink {
namespace {

std::string text_of(const Failure& failure) {
  return failure.message.empty() ? cuda::text_of(failure.error) : failure.message;
}

}  // namespace

Result Link::fail(Result result, std::string_view why) {
  errors_ += fmt::format("{}\n", why);
  return result;
}

Result Link::set_options(std::span<const char* const> options) {
  bool has_architecture = false;
  for (const char* const option : options) {
    if (option == nullptr) return Result::null_input;
    const std::string_view text = option;
    if (text.starts_with("-arch=")) has_architecture = true;
    if (text == "-ptx") makes_ptx_ = true;
    if (text.starts_with("-maxrregcount")) {
      return fail(Result::unrecognized_option,
                  "Heddle supports -maxrregcount when a module is loaded "
                  "(CU_JIT_MAX_REGISTERS), not when it is linked");
    }
  }
  if (has_architecture) return Result::success;
  return fail(Result::missing_architecture, "the option -arch=sm_NN is missing");
}

Result Link::add(std::string_view code, const std::string& name) {
  const LinkedCode kind = kind_of_code(code);
  if (const std::string_view why = reason_not_to_link(kind); !why.empty()) {
    // Programs that work with a real GPU may not print the log.
    say(fmt::format("nvJitLink: '{}': {}", name, why));
    return fail(Result::incorrect_input_type, fmt::format("'{}': {}", name, why));
  }
  std::vector<device::PtxSource> sources;
  try {
    if (kind == LinkedCode::ptx) {
      sources.push_back({.file = name, .text = std::string(code.substr(0, code.find('\0')))});
    } else {
      sources = sources_of_bytes(code, name);
    }
    device::parse_all(sources);
  } catch (const Failure& failure) {
    return fail(Result::incorrect_input_type, fmt::format("'{}': {}", name, text_of(failure)));
  } catch (const InputError& error) {
    return fail(Result::ptx_error, error.what());
  }
  for (device::PtxSource& source : sources) {
    texts_.push_back({.name = std::move(source.file), .ptx = std::move(source.text)});
  }
  return Result::success;
}

Result Link::add_file(const std::string& file) {
  if (!std::filesystem::exists(file)) {
    return fail(Result::invalid_input, fmt::format("'{}': there is no such file", file));
  }
  try {
    return add(read_file(file), file);
  } catch (const InputError& error) {
    return fail(Result::invalid_input, error.what());
  }
}

Result Link::complete(Session& session) {
  std::vector<device::PtxSource> sources;
  for (const LinkedText& text : texts_) sources.push_back({.file = text.name, .text = text.ptx});
  std::string missing;
  try {
    Module& module = load_module(session, std::move(sources));
    missing = missing_function_message(module.load(session.device()).program());
    session.modules.remove(module, session.device_if_created());
  } catch (const Failure& failure) {
    return fail(Result::ptx_error, text_of(failure));
  }
  if (!missing.empty()) return fail(Result::internal_error, missing);
  if (makes_ptx_ && texts_.size() != 1) {
    return fail(
        Result::invalid_input,
        fmt::format("Heddle makes PTX (-ptx) of one input, and there are {}; omit -ptx, and load "
                    "the result of nvJitLinkGetLinkedCubin",
                    texts_.size()));
  }
  if (makes_ptx_) ptx_ = texts_.front().ptx;
  image_ = linked_image_of(texts_);
  return Result::success;
}

}  // namespace heddle::cuda::nvjitlink
