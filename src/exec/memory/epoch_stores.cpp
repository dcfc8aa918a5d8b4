#include "exec/memory/epoch_stores.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "base/lane_mask.h"
#include "exec/memory/global_memory.h"

namespace heddle::exec {
namespace {

constexpr std::uint64_t kLineBytes = StoreFilter::kLineBytes;

/// A mask whose lowest `bytes` bits are ones: one bit for each byte. All 64 bits are ones if
/// `bytes` is 64 or more.
constexpr std::uint64_t ones(std::uint64_t bytes) {
  return bytes >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bytes) - 1;
}

/// The share to which a line belongs. Shares have about equally many lines, even if stores have
/// large strides. The factor is explained in hash_slot().
std::uint32_t share_of(std::uint64_t line_number, std::uint32_t shares) {
  const std::uint64_t hash = line_number * 0x9e3779b97f4a7c15u >> 32;
  return static_cast<std::uint32_t>(hash * shares >> 32);
}

/// Expands a mask of 8 bits to 8 bytes. All bits of byte i are ones if bit i is set, else zeros.
constexpr std::uint64_t spread(std::uint64_t mask) {
  // The product has a copy of the mask in each byte. In byte i, all bits except bit i are cleared.
  const std::uint64_t bit = mask * 0x0101'0101'0101'0101u & 0x8040'2010'0804'0201u;
  // If any of a byte's lower 7 bits is set, the addition sets its top bit. The `or` keeps a top bit
  // that was set before.
  const std::uint64_t top = (bit + 0x7f7f'7f7f'7f7f'7f7fu) | bit;
  return (top >> 7 & 0x0101'0101'0101'0101u) * 0xff;
}
static_assert(spread(0) == 0 && spread(0xff) == ~std::uint64_t{0} &&
              spread(0x85) == 0xff00'0000'00ff'00ffu);

/// Copies from 64 bytes those whose bit is set in `written`. Reads and writes whole words of 8
/// bytes.
void copy_written(std::byte* to, const std::byte* from, std::uint64_t written) {
  if (written == ~std::uint64_t{0}) {
    std::memcpy(to, from, 64);
    return;
  }
  for (; written != 0; written >>= 8, to += 8, from += 8) {
    const std::uint64_t mask = spread(written & 0xff);
    if (mask == 0) continue;
    std::uint64_t old = 0;
    std::uint64_t value = 0;
    std::memcpy(&old, to, 8);
    std::memcpy(&value, from, 8);
    value = (value & mask) | (old & ~mask);
    std::memcpy(to, &value, 8);
  }
}

/// Divides a range of bytes at the ends of lines. Calls visit(line number, offset in the line,
/// bytes, offset in the range) for each piece.
template <class Visit>
void for_each_piece(std::uint64_t address, std::uint32_t bytes, Visit visit) {
  for (std::uint32_t done = 0; done < bytes;) {
    const auto offset = static_cast<std::uint32_t>((address + done) % kLineBytes);
    const std::uint32_t piece =
        std::min(bytes - done, static_cast<std::uint32_t>(kLineBytes) - offset);
    visit((address + done) / kLineBytes, offset, piece, done);
    done += piece;
  }
}

/// The mask of a range in a line, one bit for each byte, as in Line::written.
std::array<std::uint64_t, 2> range_mask(std::uint32_t offset, std::uint32_t bytes) {
  const std::uint32_t end = offset + bytes;
  return {ones(std::min(end, 64U)) & ~ones(std::min(offset, 64U)),
          ones(std::max(end, 64U) - 64) & ~ones(std::max(offset, 64U) - 64)};
}

/// Calls visit(constant) with the number of bytes as a compile-time constant. `bytes` is a power of
/// two, at most 64.
template <class Visit>
void with_constant_bytes(std::uint32_t bytes, Visit visit) {
  switch (bytes) {
    case 1:
      return visit(std::integral_constant<std::uint32_t, 1>{});
    case 2:
      return visit(std::integral_constant<std::uint32_t, 2>{});
    case 4:
      return visit(std::integral_constant<std::uint32_t, 4>{});
    case 8:
      return visit(std::integral_constant<std::uint32_t, 8>{});
    case 16:
      return visit(std::integral_constant<std::uint32_t, 16>{});
    case 32:
      return visit(std::integral_constant<std::uint32_t, 32>{});
    default:
      return visit(std::integral_constant<std::uint32_t, 64>{});
  }
}

}  // namespace

EpochStores::EpochStores() { resize_table(256); }

void EpochStores::resize_table(std::size_t slots) {
  hash_shift_ = 64 - std::countr_zero(slots);
  slot_mask_ = slots - 1;
  slots_.assign(slots, Slot{});
  for (std::size_t i = 0; i < line_count_; ++i) {
    slots_[slot_of(line_numbers_[i])] = {line_numbers_[i], static_cast<std::uint32_t>(i), epoch_};
  }
}

EpochStores::Line& EpochStores::add_line(std::uint64_t number) {
  if ((line_count_ + 1) * 2 > slots_.size()) resize_table(slots_.size() * 2);
  if (line_count_ == lines_.size()) {
    line_numbers_.emplace_back();
    lines_.emplace_back();
  }
  slots_[slot_of(number)] = {number, static_cast<std::uint32_t>(line_count_), epoch_};
  filter_.add(number);
  line_numbers_[line_count_] = number;
  Line& line = lines_[line_count_++];
  line.written = {};
  return line;
}

void EpochStores::clear() {
  if (empty()) return;
  filter_.clear({line_numbers_.data(), line_count_});
  line_count_ = 0;
  // Slots of earlier epochs count as empty. They are erased when the epoch number wraps around.
  if (++epoch_ == 0) {
    std::fill(slots_.begin(), slots_.end(), Slot{});
    epoch_ = 1;
  }
}

void EpochStores::write(std::uint64_t address, const std::byte* from, std::uint32_t bytes) {
  for_each_piece(
      address, bytes,
      [&](std::uint64_t number, std::uint32_t offset, std::uint32_t piece, std::uint32_t done) {
        Line& line = line_of(number);
        std::memcpy(line.data.data() + offset, from + done, piece);
        const auto mask = range_mask(offset, piece);
        line.written[0] |= mask[0];
        line.written[1] |= mask[1];
      });
}

// In the following functions, a line is looked up only if it differs from the previous lane's:
// neighbouring lanes mostly access the same line.

template <std::uint32_t kBytes>
void EpochStores::write_elements(const std::uint64_t* addresses, std::uint32_t lanes,
                                 const std::byte* from) {
  std::uint64_t last = ~std::uint64_t{0};
  Line* line = nullptr;
  for (LaneMask remaining(lanes); !remaining.empty(); remaining = remaining.without_lowest()) {
    const auto lane = static_cast<std::size_t>(remaining.lowest());
    const std::uint64_t number = addresses[lane] / kLineBytes;
    if (number != last) {
      line = &line_of(number);
      last = number;
    }
    const std::uint64_t offset = addresses[lane] % kLineBytes;
    std::memcpy(line->data.data() + offset, from + lane * kBytes, kBytes);
    line->written[offset / 64] |= ones(kBytes) << (offset % 64);
  }
}

void EpochStores::write_lanes(const std::uint64_t* addresses, std::uint32_t lanes,
                              const std::byte* from, std::uint32_t bytes) {
  with_constant_bytes(bytes,
                      [&](auto constant) { write_elements<constant>(addresses, lanes, from); });
}

void EpochStores::read(const GlobalMemory& memory, std::uint64_t address, std::byte* to,
                       std::uint32_t bytes) const {
  std::memcpy(to, memory.host(address), bytes);
  for_each_piece(
      address, bytes,
      [&](std::uint64_t number, std::uint32_t offset, std::uint32_t piece, std::uint32_t done) {
        const Line* const line = find(number);
        if (line == nullptr) return;
        const std::byte* const stored = line->data.data() + offset;
        const std::array<std::uint64_t, 2> range = range_mask(offset, piece);
        if (((range[0] & ~line->written[0]) | (range[1] & ~line->written[1])) == 0) {
          std::memcpy(to + done, stored, piece);
          return;
        }
        for (std::uint32_t i = 0; i < piece; ++i) {
          const std::uint32_t byte = offset + i;
          if ((line->written[byte / 64] >> (byte % 64) & 1) != 0) to[done + i] = stored[i];
        }
      });
}

template <std::uint32_t kBytes>
void EpochStores::read_elements(const GlobalMemory& memory, const std::uint64_t* addresses,
                                std::uint32_t lanes, std::byte* to) const {
  std::uint64_t last = ~std::uint64_t{0};
  const Line* line = nullptr;
  for (LaneMask remaining(lanes); !remaining.empty(); remaining = remaining.without_lowest()) {
    const auto lane = static_cast<std::size_t>(remaining.lowest());
    std::byte* const out = to + lane * kBytes;
    std::memcpy(out, memory.host(addresses[lane]), kBytes);
    const std::uint64_t number = addresses[lane] / kLineBytes;
    if (number != last) {
      line = find(number);
      last = number;
    }
    if (line == nullptr) continue;
    const std::uint64_t offset = addresses[lane] % kLineBytes;
    const std::uint64_t written = line->written[offset / 64] >> (offset % 64) & ones(kBytes);
    const std::byte* const stored = line->data.data() + offset;
    if (written == ones(kBytes)) {
      std::memcpy(out, stored, kBytes);
    } else {
      for (std::uint32_t i = 0; i < kBytes; ++i) {
        if ((written >> i & 1) != 0) out[i] = stored[i];
      }
    }
  }
}

void EpochStores::read_lanes(const GlobalMemory& memory, const std::uint64_t* addresses,
                             std::uint32_t lanes, std::byte* to, std::uint32_t bytes) const {
  with_constant_bytes(
      bytes, [&](auto constant) { read_elements<constant>(memory, addresses, lanes, to); });
}

void EpochStores::commit(const GlobalMemory& memory, std::uint32_t share,
                         std::uint32_t shares) const {
  for (std::size_t i = 0; i < line_count_; ++i) {
    const std::uint64_t number = line_numbers_[i];
    if (shares > 1 && share_of(number, shares) != share) continue;
    // Words of 8 bytes are written whole, even if only some of their bytes were stored. This is
    // safe: no other host thread accesses the line, and a line never extends beyond an allocation,
    // whose size is rounded up to 256 bytes.
    std::byte* const to = memory.host(number * kLineBytes);
    const Line& line = lines_[i];
    copy_written(to, line.data.data(), line.written[0]);
    copy_written(to + 64, line.data.data() + 64, line.written[1]);
  }
}

}  // namespace heddle::exec
