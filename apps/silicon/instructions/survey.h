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
/// The number of threads in a block.
inline constexpr std::size_t kFormBlock = 256;

/// A PTX module with a kernel for each form: form_0, form_1, and so on.
std::string module_of(const std::vector<Form>& forms);

/// A function that makes a GPU and loads a PTX module into it.
using MakeGpu = std::function<std::unique_ptr<workload::Gpu>(const std::string& ptx)>;

/// Runs every form. Returns the results (%d) of each form, one 64-bit value for each thread. Bits
/// above the width of the result's type are zero.
std::vector<Results> run_forms(const std::vector<Form>& forms, const MakeGpu& make_gpu);

}  // namespace heddle::silicon
