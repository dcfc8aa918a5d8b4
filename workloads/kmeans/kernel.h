#pragma once

namespace kmeans {

constexpr int kBlock = 256;
/// Threads of a block in the resident form, whose grid is resident as a whole.
constexpr int kResidentBlock = 1024;
constexpr int kMaxCentres = 32;
constexpr int kMaxFeatures = 32;

}  // namespace kmeans
