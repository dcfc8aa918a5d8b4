#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/colour.h"
#include "digits.h"
#include "kernel.h"
#include "network.h"
#include "workload/random.h"
#include "workload/workload.h"

namespace heddle::workload::neural_network_host {
namespace {

using namespace neural_network;
using network::LayerOutputs;
using network::Weights;

std::size_t images_of(Size size) {
  switch (size) {
    case Size::tiny:
      return 2;
    case Size::small:
      return 30;
    case Size::medium:
      return 200;
    case Size::large:
    case Size::paper:
      return 1500;
  }
  return 0;
}

struct Layer {
  std::string_view name;
  std::size_t neurons;
  LayerOutputs (*on_host)(const Weights& weights, std::span<const float> inputs);
};

constexpr std::array kLayers{
    Layer{"first_maps", kFirst, network::first_maps_of},
    Layer{"second_maps", kSecond, network::second_maps_of},
    Layer{"hidden_layer", kHidden, network::hidden_layer_of},
    Layer{"output_layer", kDigits, network::output_layer_of},
};

/// The digits from 0 to 9 as pictures three pixels wide and five high. Each octal digit is a row.
constexpr std::array<unsigned, 10> kFont{075557, 026227, 071747, 071717, 055711,
                                         074717, 074757, 071122, 075757, 075717};

class NeuralNetwork final : public HostProgram {
 public:
  NeuralNetwork(Size size, std::uint64_t seed)
      : count_(images_of(size)), weights_(network::trained_weights()) {
    Random random(seed);
    for (std::size_t i = 0; i < count_; ++i) {
      digits_.push_back(random.below(kDigits));
      const std::vector<float> image = draw_digit(static_cast<int>(digits_.back()), random);
      images_.insert(images_.end(), image.begin(), image.end());
    }
  }

  void run(Gpu& device) override {
    const std::array weights{&weights_.first, &weights_.second, &weights_.hidden, &weights_.output};
    Array<float> inputs = device.upload(images_, "images");
    const auto images = static_cast<std::uint32_t>(count_);
    for (std::size_t i = 0; i < kLayers.size(); ++i) {
      const Layer& layer = kLayers[i];
      const Array<float> layer_weights = device.upload(*weights[i], "weights");
      const Array<float> outputs = device.allocate<float>(count_ * layer.neurons, layer.name);
      device.launch(layer.name, {.grid = {images}, .block = {kThreads}}, inputs, layer_weights,
                    outputs);
      outputs_[i] = device.download(outputs);
      inputs = outputs;
    }
  }

  CheckResult check() const override {
    CheckResult check;
    std::span<const float> inputs(images_);
    for (std::size_t i = 0; i < kLayers.size(); ++i) {
      check_layer(check, kLayers[i], inputs, outputs_[i]);
      inputs = outputs_[i];
    }
    std::size_t misread = 0;
    for (std::size_t i = 0; i < count_; ++i) misread += recognised(i) != digits_[i];
    // The network misreads one in fifty; a few images may have more than their share.
    const std::size_t most = count_ / 10 + 3;
    check.require(misread <= most, "digits misread", std::to_string(misread),
                  "at most " + std::to_string(most) + " of " + std::to_string(count_));
    return check;
  }

  std::optional<Picture> picture() const override;

 private:
  /// Computes the layer on the host from the device's inputs of the layer, which were checked
  /// before. Errors of several layers therefore do not accumulate.
  void check_layer(CheckResult& check, const Layer& layer, std::span<const float> inputs,
                   const std::vector<float>& got) const {
    std::vector<double> want;
    double rounding = 0;
    const std::size_t inputs_of_image = inputs.size() / count_;
    for (std::size_t i = 0; i < count_; ++i) {
      const LayerOutputs outputs =
          layer.on_host(weights_, inputs.subspan(i * inputs_of_image, inputs_of_image));
      want.insert(want.end(), outputs.values.begin(), outputs.values.end());
      rounding = std::max(rounding, outputs.rounding);
    }
    check.close(
        layer.name, got, want,
        {.absolute = rounding + 4 * 0x1p-24 * double{kHeight},
         .reason = "6 deviations of a sum with all partial sums rounded to 24 bits, and tanh"});
  }

  /// The digit that the network recognises in image `i`.
  std::uint32_t recognised(std::size_t i) const {
    const auto begin = outputs_.back().begin() + static_cast<std::ptrdiff_t>(i * kDigits);
    return static_cast<std::uint32_t>(std::max_element(begin, begin + kDigits) - begin);
  }

  std::size_t count_;
  const Weights& weights_;
  std::vector<std::uint32_t> digits_;
  std::vector<float> images_;
  std::array<std::vector<float>, kLayers.size()> outputs_;
};

/// A sheet of the digits with the recognised values, framed green where they are right.
std::optional<Picture> NeuralNetwork::picture() const {
  constexpr int kMaxDigits = 384;
  constexpr int kZoom = 2;
  constexpr int kFrame = 2;
  constexpr int kCell = kZoom * kImageSide + 2 * kFrame + 4;
  const int count = std::min(static_cast<int>(count_), kMaxDigits);
  const int columns = static_cast<int>(std::ceil(std::sqrt(1.5 * count)));
  const int rows = (count + columns - 1) / columns;
  Picture sheet{.width = columns * kCell, .height = rows * kCell, .pixels = {}};
  for (int y = 0; y < sheet.height; ++y) {
    for (int x = 0; x < sheet.width; ++x) {
      const int i = y / kCell * columns + x / kCell;
      const int row = y % kCell - 2;
      const int column = x % kCell - 2;
      constexpr int kSide = kCell - 4;
      if (i >= count || std::min(row, column) < 0 || std::max(row, column) >= kSide) {
        sheet.pixels.push_back(rgb(255, 255, 255));
        continue;
      }
      const auto image = static_cast<std::size_t>(i);
      const std::uint32_t digit = recognised(image);
      const std::uint32_t colour = digit == digits_[image] ? rgb(40, 150, 70) : rgb(215, 40, 40);
      const int across = (column - (kSide - kFrame - 8)) / 2;
      const int down = (row - (kSide - kFrame - 12)) / 2;
      const bool label = column >= kSide - kFrame - 8 && row >= kSide - kFrame - 12 && across < 3 &&
                         down < 5 && (kFont[digit] >> (14 - 3 * down - across) & 1) != 0;
      const bool frame = std::min(row, column) < kFrame || std::max(row, column) >= kSide - kFrame;
      if (label || frame) {
        sheet.pixels.push_back(colour);
        continue;
      }
      const int pixel = (row - kFrame) / kZoom * kImageSide + (column - kFrame) / kZoom;
      const float ink = images_[image * kImage + static_cast<std::size_t>(pixel)];
      sheet.pixels.push_back(grey(1 - 0.95 * double{ink}));
    }
  }
  return sheet;
}

const PaperResources kPaper{.source = "warpman Table 2",
                            .registers_per_thread = 24,
                            .shared_bytes_per_block = 0,
                            .blocks_per_sm = 5};

const Registration kRegistration({
    .name = "neural-network",
    .summary = "A convolutional network that reads handwritten digits",
    .papers = {"warpman Table 2"},
    .kernels = {{"first_maps", {kThreads}, kPaper},
                {"second_maps", {kThreads}, kPaper},
                {"hidden_layer", {kThreads}, kPaper},
                {"output_layer", {kThreads}, kPaper}},
    .has_picture = true,
    .make = make_program<NeuralNetwork>,
});

}  // namespace
}  // namespace heddle::workload::neural_network_host
