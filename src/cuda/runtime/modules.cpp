#include "cuda/runtime/modules.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "cuda/fatbin/fat_binary.h"
#include "device/loaded_module.h"

namespace heddle::cuda {

device::PtxSource ptx_of(const void* fat_binary) {
  const std::vector<FatImage> images = read_fat_binary(fat_binary_at(fat_binary));
  const FatImage& image = best_ptx(images, kOurCapability);
  return {.file = fmt::format("compute_{}.ptx", image.capability.number), .text = unpack(image)};
}

std::vector<device::PtxSource> Module::sources() const {
  if (wrapper_ == nullptr) return texts_;
  std::vector<device::PtxSource> sources;
  for (const void* binary : fat_binaries_of(*wrapper_)) sources.push_back(ptx_of(binary));
  return sources;
}

const device::LoadedModule& Module::load(device::Device& device) {
  if (loaded_ != nullptr) return *loaded_;
  if (failed_) throw Failure{*failed_};
  std::vector<device::PtxSource> texts;
  try {
    texts = sources();
  } catch (const InputError& error) {
    failed_ = Error::no_image_for_device;
    throw Failure{*failed_, error.what()};
  }
  try {
    loaded_ = &device.load(texts);
    target_ = target_of(texts.front().text);
  } catch (const InputError& error) {
    failed_ = Error::invalid_ptx;
    throw Failure{*failed_, error.what()};
  }
  for (const Managed& variable : managed) {
    const std::optional<device::Symbol> symbol = device.find_symbol(*loaded_, variable.name);
    if (!symbol) throw Failure{Error::symbol_not_found};
    *variable.pointer = device.memory().host(symbol->address);
  }
  return *loaded_;
}

const std::string* Module::managed_at(const void* address) const {
  if (!is_loaded()) return nullptr;
  const auto found = std::find_if(managed.begin(), managed.end(), [&](const Managed& variable) {
    return *variable.pointer == address;
  });
  return found == managed.end() ? nullptr : &found->name;
}

void Module::limit_registers(device::Device& device, const std::string& kernel,
                             std::uint32_t most) {
  max_registers_[kernel] = most;
  code::CompileOptions options = device.options().compile;
  options.register_limit_of_kernel =
      [this, usual = options.register_limit_of_kernel](std::string_view name) {
        const auto limited = max_registers_.find(name);
        return limited == max_registers_.end() ? usual(name) : limited->second;
      };
  device.compile_again(load(device), sources(), options);
}

Module* Modules::find(const void* handle) {
  const auto found = std::find_if(modules_.begin(), modules_.end(),
                                  [&](const auto& module) { return module.get() == handle; });
  return found == modules_.end() ? nullptr : found->get();
}

void Modules::remove(const Module& module, device::Device* device) {
  std::erase_if(handles_, [&](const auto& entry) { return entry.second->module == &module; });
  std::erase_if(functions_, [&](const auto& entry) { return entry.second->module == &module; });
  std::erase_if(variables_, [&](const auto& entry) { return entry.second.module == &module; });
  if (device != nullptr && module.is_loaded()) device->unload(find(&module)->load(*device));
  std::erase_if(modules_, [&](const auto& known) { return known.get() == &module; });
}

void Modules::add_function(Module& module, const void* host, std::string name) {
  auto function = std::make_unique<Function>();
  function->module = &module;
  function->name = std::move(name);
  handles_[function.get()] = function.get();
  functions_[host] = std::move(function);
}

void Modules::add_variable(Module& module, const void* host, std::string name) {
  variables_[host] = {.module = &module, .name = std::move(name)};
}

Function& Modules::function_by_name(Module& module, const std::string& name) {
  for (const auto& [key, function] : functions_) {
    if (function->module == &module && function->name == name) return *function;
  }
  auto made = std::make_unique<Function>();
  made->module = &module;
  made->name = name;
  Function& function = *made;
  handles_[&function] = &function;
  functions_[&function] = std::move(made);
  return function;
}

Function& Modules::function(const void* key) {
  if (const auto found = functions_.find(key); found != functions_.end()) return *found->second;
  if (const auto found = handles_.find(key); found != handles_.end()) return *found->second;
  throw Failure{Error::invalid_function};
}

std::optional<Modules::Variable> Modules::find_variable(const void* host) const {
  if (const auto found = variables_.find(host); found != variables_.end()) return found->second;
  for (const auto& module : modules_) {
    if (const std::string* const name = module->managed_at(host)) {
      return Variable{.module = module.get(), .name = *name};
    }
  }
  return std::nullopt;
}

device::Symbol Modules::variable(const void* host, device::Device& device) {
  const std::optional<Variable> found = find_variable(host);
  if (!found) throw Failure{Error::invalid_symbol};
  const std::optional<device::Symbol> symbol =
      device.find_symbol(found->module->load(device), found->name);
  if (!symbol) throw Failure{Error::invalid_symbol};
  return *symbol;
}

std::vector<Module*> Modules::mark_all_unloaded() {
  std::vector<Module*> needed;
  for (const auto& module : modules_) {
    if (module->is_loaded() && !module->managed.empty()) needed.push_back(module.get());
    module->mark_unloaded();
  }
  return needed;
}

const code::FunctionInfo& info_of(const Function& function, device::Device& device) {
  const device::LoadedModule& module = function.module->load(device);
  try {
    return module.program().functions[device.find_kernel(module, function.name).function];
  } catch (const InputError& error) {
    throw Failure{Error::invalid_function, error.what()};
  }
}

}  // namespace heddle::cuda
