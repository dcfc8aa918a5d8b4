#pragma once

// The tables that the kernels look bytes up in, made from a key.

#include <cstdint>

#include "aes_reference.h"
#include "kernel.h"

namespace heddle::workload::aes {

aes_decrypt::Tables encryption_tables(const Block& key);
/// Of the equivalent inverse cipher, which mixes columns before it adds the key.
aes_decrypt::Tables decryption_tables(const Block& key);
/// Of the inverse cipher as FIPS-197 describes it first.
aes_decrypt::PlainTables plain_decryption_tables(const Block& key);

}  // namespace heddle::workload::aes
