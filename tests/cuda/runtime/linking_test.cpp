#include "cuda/runtime/linking.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "cuda/fatbin/fat_binary_bytes.h"
#include "cuda/fatbin/linked_image.h"
#include "device/device.h"
#include "device/loaded_module.h"

namespace heddle::cuda {
namespace {

using namespace std::string_view_literals;

constexpr std::string_view kText = ".version 8.0\n.target sm_75\n.address_size 64\n";

TEST(LinkedCode, IsRecognisedByItsContent) {
  FatBinaryBytes fat;
  const std::string_view fat_binary(reinterpret_cast<const char*>(fat.bytes().data()),
                                    fat.bytes().size());
  EXPECT_EQ(kind_of_code(fat_binary), LinkedCode::fat_binary);
  EXPECT_EQ(kind_of_code(linked_image_of({})), LinkedCode::linked_image);
  EXPECT_EQ(kind_of_code(kText), LinkedCode::ptx);
  EXPECT_EQ(kind_of_code("// A comment.\n" + std::string(kText)), LinkedCode::ptx);
  EXPECT_EQ(kind_of_code("\x7f"
                         "ELF\x02"),
            LinkedCode::machine_code);
  EXPECT_EQ(kind_of_code("\xed"
                         "CN\x7f\x01"),
            LinkedCode::lto_ir);
  for (const std::string_view other : {""sv, "\x7f"sv, "!<arch>\n"sv, "\0\0\0\0"sv}) {
    EXPECT_EQ(kind_of_code(other), LinkedCode::other);
  }
}

TEST(LinkedCode, CanBeLinkedIfItContainsPtx) {
  EXPECT_EQ(reason_not_to_link(LinkedCode::ptx), "");
  EXPECT_EQ(reason_not_to_link(LinkedCode::fat_binary), "");
  EXPECT_EQ(reason_not_to_link(LinkedCode::linked_image), "");
  EXPECT_TRUE(reason_not_to_link(LinkedCode::machine_code).starts_with("it is machine code"));
  EXPECT_TRUE(reason_not_to_link(LinkedCode::lto_ir).starts_with("it is LTO-IR"));
  EXPECT_TRUE(reason_not_to_link(LinkedCode::other).starts_with("it is not PTX"));
}

TEST(MissingFunction, IsNamedIfItIsCalled) {
  const std::string declaration = std::string(kText) + ".extern .func absent();\n";
  const std::string call = declaration + ".visible .entry k() { call absent, (); ret; }\n";
  device::Device device{{.memory = {.capacity = 1 << 20}}};
  const auto message_for = [&](const std::string& text) {
    return missing_function_message(device.load({{.file = "a.ptx", .text = text}}).program());
  };
  EXPECT_EQ(message_for(call), "'call': no module defines 'absent'");
  EXPECT_EQ(message_for(declaration + ".visible .entry k() { ret; }\n"), "");
}

}  // namespace
}  // namespace heddle::cuda
