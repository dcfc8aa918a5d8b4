#include "cuda/nvrtc/options.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace heddle::cuda::nvrtc {
namespace {

using Texts = std::vector<std::string>;

PtxOptions changed(const std::vector<const char*>& options) { return options_for_ptx(options); }

TEST(NvrtcOptions, AskForPtxInsteadOfMachineCode) {
  for (const auto& [asked, changed_to] :
       {std::pair("-arch=sm_80", "-arch=compute_80"),
        std::pair("--gpu-architecture=sm_75", "--gpu-architecture=compute_75"),
        std::pair("-arch=sm_90a", "-arch=compute_90a"),
        std::pair("-arch=sm_120", "-arch=compute_120")}) {
    const PtxOptions options = changed({asked});
    EXPECT_EQ(options.texts, Texts{changed_to});
    EXPECT_TRUE(options.asks_for_machine_code) << asked;
    EXPECT_FALSE(options.asks_for_link_time_code) << asked;
  }
}

TEST(NvrtcOptions, AskForPtxIfTheArchitectureIsAnArgumentOfItsOwn) {
  for (const char* const name : {"-arch", "--gpu-architecture"}) {
    const PtxOptions options = changed({"-G", name, "sm_86", "-arch"});
    EXPECT_EQ(options.texts, (Texts{"-G", name, "compute_86", "-arch"}));
    EXPECT_TRUE(options.asks_for_machine_code);
  }
}

TEST(NvrtcOptions, KeepOtherOptions) {
  const std::vector<const char*> asked{"-arch=compute_80",
                                       "-DNAME=sm_80",
                                       "sm_80",
                                       "-archsm_80",
                                       "--gpu-architectures=sm_80",
                                       "",
                                       "-I",
                                       "-arch=",
                                       "-arch",
                                       "-arch=sm_80"};
  const PtxOptions options = changed(asked);
  EXPECT_EQ(options.texts, Texts(asked.begin(), asked.end()));
  EXPECT_FALSE(options.asks_for_machine_code);
  EXPECT_FALSE(options.asks_for_link_time_code);
  EXPECT_TRUE(changed({}).texts.empty());
}

TEST(NvrtcOptions, AskForLinkablePtxInsteadOfLinkTimeCode) {
  for (const char* const name : {"-dlto", "--dlink-time-opt"}) {
    const PtxOptions options = changed({name, "-arch=sm_80"});
    EXPECT_EQ(options.texts, (Texts{"-arch=compute_80", "--relocatable-device-code=true"}));
    EXPECT_TRUE(options.asks_for_link_time_code);
  }
  EXPECT_EQ(changed({"-rdc=true", "-dlto"}).texts, Texts{"-rdc=true"});
}

}  // namespace
}  // namespace heddle::cuda::nvrtc
