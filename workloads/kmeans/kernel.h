#pragma once

namespace kmeans {

constexpr int kBlock = 256;
constexpr int kMaxCentres = 32;
constexpr int kMaxFeatures = 32;

}  // namespace kmeans
