#pragma once

// The tables in which the kernels look up bytes, made from a key.

#include <cstdint>

#include "aes_reference.h"
#include "kernel.h"

namespace heddle::workload::aes {

aes_decrypt::Tables encryption_tables(const Block& key);
/// Tables of the equivalent inverse cipher, which mixes columns before it adds the key.
aes_decrypt::Tables decryption_tables(const Block& key);
/// Tables of the inverse cipher in FIPS-197's first description.
aes_decrypt::PlainTables plain_decryption_tables(const Block& key);

}  // namespace heddle::workload::aes
