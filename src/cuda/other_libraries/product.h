#pragma once

// NVIDIA's libraries of GPU code. They do not work with Heddle: they use a runtime of their own,
// and their kernels for the GPU that programs see are machine code.

#include <string>
#include <string_view>

namespace heddle::cuda {

/// The product to which a library of NVIDIA's belongs, such as "cuBLAS" for
/// "/usr/lib/libcublasLt.so.13"; empty for other libraries.
std::string_view product_of(std::string_view file);

/// The message about a library of NVIDIA's that a program uses: why its calls fail, and what can be
/// done. There must be a product_of() the file.
std::string unusable_message(std::string_view file);

}  // namespace heddle::cuda
