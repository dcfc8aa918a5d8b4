#include "cuda/other_libraries/product.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace heddle::cuda {
namespace {

struct Product {
  std::string_view stem;  ///< The beginning of the names of its files.
  std::string_view name;
};

constexpr Product kProducts[] = {
    {"libcublas", "cuBLAS"},     {"libnvblas", "cuBLAS"},     {"libcudnn", "cuDNN"},
    {"libcufft", "cuFFT"},       {"libcurand", "cuRAND"},     {"libcusolver", "cuSOLVER"},
    {"libcusparse", "cuSPARSE"}, {"libcutensor", "cuTENSOR"}, {"libnccl", "NCCL"},
    {"libnpp", "NPP"},           {"libnvjpeg", "nvJPEG"},
};

}  // namespace

std::string_view product_of(std::string_view file) {
  const std::string_view name = file.substr(file.rfind('/') + 1);
  const auto* const found =
      std::find_if(std::begin(kProducts), std::end(kProducts),
                   [&](const Product& product) { return name.starts_with(product.stem); });
  return found == std::end(kProducts) ? std::string_view() : found->name;
}

std::string unusable_message(std::string_view file) {
  const std::string_view product = product_of(file);
  return fmt::format(
      "'{}' is NVIDIA's {}, whose kernels for this GPU are machine code, and Heddle runs only PTX: "
      "its calls fail; use kernels that are compiled with the program instead{}",
      file, product, product == "cuRAND" ? ", for example with curand_kernel.h" : "");
}

}  // namespace heddle::cuda
