#pragma once

// Runs forms of instructions on a GPU, real or simulated.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "form.h"
#include "record.h"

namespace heddle::silicon {

/// The number of threads that execute a form, each with its own operands.
inline constexpr std::size_t kFormThreads = 8192;
inline constexpr std::size_t kFormBlock = 256;

/// A PTX module with a kernel for each form: form_0, form_1, and so on.
std::string module_of(const std::vector<Form>& forms);

/// Makes a GPU with a module loaded.
using MakeGpu = std::function<std::unique_ptr<workload::Gpu>(const std::string& ptx)>;

/// The results of each form in %d, one word for each thread. Bits above the type's width are zero.
std::vector<Results> run_forms(const std::vector<Form>& forms, const MakeGpu& make_gpu);

}  // namespace heddle::silicon
