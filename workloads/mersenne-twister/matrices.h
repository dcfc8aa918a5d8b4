#pragma once

#include <array>
#include <cstdint>

namespace heddle::workload {

/// With each of these matrices, and 19 words of which the tenth is mixed in, a twister visits all
/// 2^607 - 1 states except zero. Its transition T, a matrix over GF(2), has T^(2^607) = T, and
/// neither T nor T + 1 is singular. 2^607 - 1 is prime, so no shorter period is possible. Found by
/// trying random numbers, one of about 160 of which works; the lowest bytes only number them.
inline constexpr std::array<std::uint32_t, 64> kMatrices{
    0xfe354900, 0xae90c101, 0xc23c7802, 0xb8ae9603, 0xd8f91304, 0xfbcdfa05, 0xfa750706, 0xaf4f5307,
    0xa2c08608, 0xf3eae509, 0x8a3d930a, 0xb3abdb0b, 0xf9130d0c, 0x97620d0d, 0xc7d43f0e, 0xa23be70f,
    0x8820c110, 0xc2032d11, 0x98617612, 0xcdafe313, 0xe8f3ce14, 0x9b1ed815, 0xfcbb8916, 0xd29d1517,
    0xf8221918, 0x85309519, 0xe2ba0f1a, 0x9ab7ac1b, 0xd7db2a1c, 0x89da281d, 0xa2aa521e, 0xb4364b1f,
    0xfa00a320, 0xaa09d821, 0xdf7a9b22, 0x934d5d23, 0xedb91024, 0xbd334b25, 0xea9d0f26, 0xd3945127,
    0xa14f4228, 0xc4cfbc29, 0xb85e082a, 0xdf8b442b, 0xf324362c, 0xba79e82d, 0x8a88f52e, 0x8c54da2f,
    0x99bd4c30, 0x92a8c231, 0xe051e032, 0x9563a433, 0xee781c34, 0xa18c4c35, 0x83ae2a36, 0xcc15a037,
    0xed40f238, 0xeb964b39, 0xab103d3a, 0xad85483b, 0xaa49843c, 0xde7ff63d, 0x944a573e, 0x81c1383f,
};

}  // namespace heddle::workload
