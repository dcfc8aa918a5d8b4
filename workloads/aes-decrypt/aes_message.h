#pragma once

// What is encrypted or decrypted, and whether the host's own cipher is AES.

#include <cstdint>
#include <vector>

#include "aes_reference.h"
#include "workload/random.h"
#include "workload/size.h"
#include "workload/verdict.h"

namespace heddle::workload::aes {

/// English-like text in whole blocks: every byte that is added at its end says how many were.
std::vector<Byte> padded_text(Size size, std::uint64_t seed);
Block random_block(Random& random);
/// Requires that the host's cipher gives the example of FIPS-197, appendix C.1.
void require_the_standards_example(Verdict& verdict);

}  // namespace heddle::workload::aes
