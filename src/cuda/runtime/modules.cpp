#include "cuda/runtime/modules.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "cuda/fatbin/fat_binary.h"
#include "cuda/graphs/device_functions.h"
#include "cuda/other_libraries/library_at.h"
#include "cuda/other_libraries/product.h"
#include "device/loaded_module.h"

namespace heddle::cuda {

device::PtxSource ptx_of(const void* fat_binary) {
  const std::vector<FatImage> images = read_fat_binary(fat_binary_at(fat_binary));
  const std::string library = library_at(fat_binary);
  if (!has_ptx(images) && !product_of(library).empty()) throw InputError(unusable_message(library));
  const FatImage& image =
      best_ptx(images, kReportedCapability,
               library.empty() ? "the program" : fmt::format("library '{}'", library));
  return {.file = fmt::format("compute_{}.ptx", image.capability.number), .text = unpack(image)};
}

std::vector<device::PtxSource> ptx_of_wrapper(const FatBinaryWrapper& wrapper) {
  std::vector<device::PtxSource> sources;
  for (const void* binary : fat_binaries_of(wrapper)) sources.push_back(ptx_of(binary));
  return sources;
}

std::vector<device::PtxSource> Module::sources() const {
  std::vector<device::PtxSource> texts = wrapper_ == nullptr ? texts_ : ptx_of_wrapper(*wrapper_);
  graphs::add_device_functions(texts);
  return texts;
}

const device::LoadedModule& Module::load(device::Device& device) {
  if (loaded_ != nullptr) return *loaded_;
  if (load_error_) throw Failure{*load_error_};
  std::vector<device::PtxSource> texts;
  try {
    texts = sources();
  } catch (const InputError& error) {
    load_error_ = Error::no_image_for_device;
    throw Failure{*load_error_, error.what()};
  }
  const device::LoadedModule* loaded = nullptr;
  try {
    loaded = &device.load(texts);
  } catch (const InputError& error) {
    load_error_ = Error::invalid_ptx;
    throw Failure{*load_error_, error.what()};
  }
  std::vector<std::uint64_t> addresses;
  for (const ManagedVariable& variable : managed_variables) {
    const std::optional<device::Symbol> symbol = device.find_symbol(*loaded, variable.name);
    if (!symbol) {
      device.unload(*loaded);
      load_error_ = Error::symbol_not_found;
      throw Failure{*load_error_};
    }
    addresses.push_back(symbol->address);
  }
  loaded_ = loaded;
  // A link without inputs makes a module without texts.
  if (!texts.empty()) target_ = target_of(texts.front().text);
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    *managed_variables[i].pointer = device.memory().host(addresses[i]);
  }
  return *loaded_;
}

const std::string* Module::managed_variable_at(const void* address) const {
  if (!is_loaded()) return nullptr;
  const auto found =
      std::find_if(managed_variables.begin(), managed_variables.end(),
                   [&](const ManagedVariable& variable) { return *variable.pointer == address; });
  return found == managed_variables.end() ? nullptr : &found->name;
}

void Module::limit_registers(device::Device& device, const std::string& kernel,
                             std::uint32_t max_registers) {
  max_registers_[kernel] = max_registers;
  code::CompileOptions options = device.options().compile;
  options.register_limit_of_kernel =
      [this, default_limit = options.register_limit_of_kernel](std::string_view name) {
        const auto limit = max_registers_.find(name);
        return limit == max_registers_.end() ? default_limit(name) : limit->second;
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
  std::erase_if(modules_, [&](const auto& candidate) { return candidate.get() == &module; });
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
  auto added = std::make_unique<Function>();
  added->module = &module;
  added->name = name;
  Function& result = *added;
  handles_[&result] = &result;
  functions_[&result] = std::move(added);
  return result;
}

Function& Modules::function(const void* key) {
  if (const auto found = functions_.find(key); found != functions_.end()) return *found->second;
  if (const auto found = handles_.find(key); found != handles_.end()) return *found->second;
  throw Failure{Error::invalid_function};
}

std::optional<Modules::Variable> Modules::find_variable(const void* host) const {
  if (const auto found = variables_.find(host); found != variables_.end()) return found->second;
  for (const auto& module : modules_) {
    if (const std::string* const name = module->managed_variable_at(host)) {
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

bool Modules::any_managed_variable() const {
  return std::any_of(modules_.begin(), modules_.end(),
                     [](const auto& module) { return !module->managed_variables.empty(); });
}

bool Modules::is_managed(const void* address) const {
  return std::any_of(modules_.begin(), modules_.end(), [&](const auto& module) {
    return module->managed_variable_at(address) != nullptr;
  });
}

std::vector<Module*> Modules::mark_all_unloaded() {
  std::vector<Module*> with_managed_variables;
  for (const auto& module : modules_) {
    if (module->is_loaded() && !module->managed_variables.empty()) {
      with_managed_variables.push_back(module.get());
    }
    module->mark_unloaded();
  }
  return with_managed_variables;
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
