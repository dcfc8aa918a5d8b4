#include "cuda/other_libraries/product.h"

#include <gnu/libc-version.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "cuda/other_libraries/library_at.h"

namespace heddle::cuda {
namespace {

TEST(Product, IsRecognisedByTheFilesName) {
  for (const auto& [file, product] :
       {std::pair("/usr/local/cuda/lib64/libcublas.so.13", "cuBLAS"),
        std::pair("libcublasLt.so.12", "cuBLAS"), std::pair("libnvblas.so", "cuBLAS"),
        std::pair("/a/libcudnn_ops.so.9", "cuDNN"), std::pair("/a/libcufftw.so.12", "cuFFT"),
        std::pair("/a/libcurand.so.10", "cuRAND"), std::pair("libcusolverMg.so.12", "cuSOLVER"),
        std::pair("libcusparse.so.12", "cuSPARSE"), std::pair("libnppif.so.13", "NPP"),
        std::pair("libnccl.so.2", "NCCL"), std::pair("libnvjpeg.so.13", "nvJPEG"),
        std::pair("/a/libcutensor.so.2", "cuTENSOR")}) {
    EXPECT_EQ(product_of(file), product) << file;
  }
}

TEST(Product, IsEmptyForOtherLibraries) {
  for (const std::string_view file :
       {"", "/", "/usr/lib/libcublas.so.13/libmine.so", "libnvrtc.so.13", "libcudart.so.13",
        "libcuda.so.1", "mylibcublas.so", "libnvJitLink.so.13"}) {
    EXPECT_EQ(product_of(file), "") << file;
  }
}

TEST(Product, MessageNamesTheLibraryAndWhatCanBeDone) {
  EXPECT_EQ(unusable_message("/a/libcurand.so.10"),
            "'/a/libcurand.so.10' is NVIDIA's cuRAND, whose kernels for this GPU are machine code, "
            "and Heddle runs only PTX: its calls fail; use kernels that are compiled with the "
            "program instead, for example with curand_kernel.h");
}

TEST(LibraryAt, IsTheFileOfALoadedLibraryOnly) {
  const auto* const in_c_library = reinterpret_cast<const void*>(&::gnu_get_libc_version);
  EXPECT_NE(library_at(in_c_library).find("libc.so"), std::string::npos);
  static const int in_program = 0;
  EXPECT_EQ(library_at(&in_program), "");
  const auto on_heap = std::make_unique<int>(0);
  EXPECT_EQ(library_at(on_heap.get()), "");
  EXPECT_EQ(library_at(nullptr), "");
}

}  // namespace
}  // namespace heddle::cuda
