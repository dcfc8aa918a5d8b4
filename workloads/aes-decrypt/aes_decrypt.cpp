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
using aes_decrypt::kResidentBlock;
using Word = std::uint32_t;

class AesDecrypt final : public HostProgram {
 public:
  AesDecrypt(GridChoice grid, Size size, std::uint64_t seed)
      : grid_(grid), plain_(aes::padded_text(size, seed)) {
    Random random(seed);
    key_ = aes::random_block(random);
    const Block initial = aes::random_block(random);
    cipher_.assign(initial.begin(), initial.end());
    const std::vector<Byte> cipher = aes::encrypt_chained(key_, initial, plain_);
    cipher_.insert(cipher_.end(), cipher.begin(), cipher.end());
  }

  void run(Gpu& device) override {
    if (grid_ == GridChoice::resident) {
      decrypt_resident(device);
    } else {
      decrypt(device);
    }
  }

  CheckResult check() const override {
    CheckResult check;
    check.exact("text", result_, plain_);
    aes::require_standard_example(check);
    return check;
  }

 private:
  void decrypt(Gpu& device) {
    const std::vector<aes_decrypt::Tables> tables{aes::decryption_tables(key_)};
    const Array<aes_decrypt::Tables> on_device = device.upload(tables, "tables");
    const Array<Byte> cipher = device.upload(cipher_, "cipher");
    const Array<Byte> plain = device.allocate<Byte>(plain_.size(), "plain");
    constexpr std::uint32_t kWordsOfBlock = aes_decrypt::kThreads * aes_decrypt::kPasses;
    const auto words = static_cast<std::uint32_t>(plain_.size() / sizeof(Word));
    device.launch(
        "decrypt_chained",
        {.grid = {(words + kWordsOfBlock - 1) / kWordsOfBlock}, .block = {aes_decrypt::kThreads}},
        on_device, cipher, plain, static_cast<int>(words));
    result_ = device.download(plain);
  }

  void decrypt_resident(Gpu& device) {
    const auto tables = device.upload(std::vector{aes::plain_decryption_tables(key_)}, "tables");
    const Array<Byte> cipher = device.upload(cipher_, "cipher");
    const Array<Byte> plain = device.allocate<Byte>(plain_.size(), "plain");
    const std::size_t blocks = plain_.size() / Block{}.size();
    device.launch("decrypt_chained_resident",
                  device.resident_shape("decrypt_chained_resident", kResidentBlock, blocks), tables,
                  cipher, plain, static_cast<int>(blocks));
    result_ = device.download(plain);
  }

  GridChoice grid_;
  std::vector<Byte> plain_, cipher_;  ///< The cipher begins with the initial vector.
  Block key_{};
  std::vector<Byte> result_;
};

const Registration kRegistration({
    .name = "aes-decrypt",
    .summary = "AES-128 decryption of text, by tables in shared memory",
    .papers = {"large-warps Table 2"},
    .kernels = {{"decrypt_chained", {aes_decrypt::kThreads}}},
    .make = make_form<AesDecrypt, GridChoice::input>,
    .resident = ResidentForm{.kernels = {{"decrypt_chained_resident", {kResidentBlock}}},
                             .make = make_form<AesDecrypt, GridChoice::resident>},
});

}  // namespace
}  // namespace heddle::workload::aes_decrypt_host
