#include <algorithm>
#include <vector>

#include "aes_message.h"
#include "aes_reference.h"
#include "aes_tables.h"
#include "kernel.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::aes_decrypt_host {
namespace {

using aes::Block;
using aes::Byte;

/// Encrypts each block of the cipher independently (ECB), because chained blocks are sequential.
class AesEncrypt final : public HostProgram {
 public:
  AesEncrypt(Size size, std::uint64_t seed) : plain_(aes::padded_text(size, seed)) {
    Random random(seed);
    key_ = aes::random_block(random);
  }

  void run(Gpu& device) override {
    const auto tables = device.upload(std::vector{aes::encryption_tables(key_)}, "tables");
    const Array<Byte> plain = device.upload(plain_, "plain");
    const Array<Byte> cipher = device.allocate<Byte>(plain_.size(), "cipher");
    constexpr std::uint32_t kWordsOfBlock = aes_decrypt::kThreads * aes_decrypt::kPasses;
    const auto words = static_cast<std::uint32_t>(plain_.size() / sizeof(std::uint32_t));
    device.launch(
        "encrypt_blocks",
        {.grid = {(words + kWordsOfBlock - 1) / kWordsOfBlock}, .block = {aes_decrypt::kThreads}},
        tables, plain, cipher, static_cast<int>(words));
    result_ = device.download(cipher);
  }

  CheckResult check() const override {
    const auto keys = aes::round_keys(key_);
    std::vector<Byte> expected;
    expected.reserve(plain_.size());
    Block block{};
    for (std::size_t at = 0; at < plain_.size(); at += block.size()) {
      std::copy_n(plain_.begin() + static_cast<std::ptrdiff_t>(at), block.size(), block.begin());
      const Block cipher = aes::encrypt(keys, block);
      expected.insert(expected.end(), cipher.begin(), cipher.end());
    }
    CheckResult check;
    check.exact("cipher", result_, expected);
    aes::require_standard_example(check);
    return check;
  }

 private:
  std::vector<Byte> plain_;
  Block key_{};
  std::vector<Byte> result_;
};

const Registration kRegistration({
    .name = "aes-encrypt",
    .folder = "aes-decrypt",
    .summary = "AES-128 encryption of text, block by block, by tables in shared memory",
    .papers = {"preexec Table 2"},
    .kernels = {{"encrypt_blocks", {aes_decrypt::kThreads}}},
    .make = make_program<AesEncrypt>,
});

}  // namespace
}  // namespace heddle::workload::aes_decrypt_host
