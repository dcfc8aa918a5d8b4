#pragma once

// Runs forms of instructions on a GPU, real or simulated.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "form.h"
#include "record.h"

namespace heddle::silicon {

/// The threads that execute a form; the values it is tried with.
inline constexpr std::size_t kFormThreads = 8192;
inline constexpr std::size_t kFormBlock = 256;

/// The kernels of forms, form_0 and on, as one PTX module.
std::string module_of(const std::vector<Form>& forms);

/// A GPU with a module loaded.
using MakeGpu = std::function<std::unique_ptr<workload::Gpu>(const std::string& ptx)>;

/// What each form leaves in %d, a word for each thread: the bits of its type, zero above them.
std::vector<Results> run_forms(const std::vector<Form>& forms, const MakeGpu& make_gpu);

}  // namespace heddle::silicon
