#include "energy/array_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "energy/account.h"
#include "energy/technology.h"

namespace heddle::energy {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::StartsWith;

using Arrays = std::vector<PublishedArray>;

const ArrayModel& read_model() {
  static const ArrayModel model(published_arrays(), &PublishedArray::read_picojoules);
  return model;
}
const ArrayModel& write_model() {
  static const ArrayModel model(published_arrays(), &PublishedArray::write_picojoules);
  return model;
}

/// Fits a model to all published arrays except one. Returns its relative error for that array.
double error_without(std::size_t left_out, double PublishedArray::*access) {
  Arrays others(published_arrays().begin(), published_arrays().end());
  const PublishedArray array = others[left_out];
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
  return std::abs(ArrayModel(others, access).picojoules(array.shape) / array.*access - 1);
}

TEST(ArrayModel, ReproducesArraysThatFollowItsFormula) {
  const auto picojoules_of = [](const ArrayShape& shape) {
    return 3 * std::sqrt(shape.kilobytes) * shape.width_bits / 128 * shape.ports *
           std::pow(shape.node_nm / 40, 2) * std::pow(shape.volts / 0.9, 2);
  };
  Arrays arrays;
  for (const double kilobytes : {1, 4, 9}) {
    for (const double bits : {32, 128}) {
      for (const double ports : {1, 2}) {
        const ArrayShape shape{kilobytes, bits, ports, kilobytes > 1 ? 40.0 : 32.0, 0.9};
        arrays.push_back({.shape = shape, .read_picojoules = picojoules_of(shape)});
      }
    }
  }
  const ArrayModel model(arrays, &PublishedArray::read_picojoules);
  const ArrayShape other{25, 64, 4, 22, 1.1};
  EXPECT_NEAR(model.picojoules(other), picojoules_of(other), 1e-9);
  EXPECT_NEAR(model.error(), 0, 1e-9);
}

// A bank of 4 KB is in two tables of Gebhart's dissertation: in Table 4.5 for 40 nm (8 pJ for a
// read, 11 pJ for a write), and in Table 4.7 for 32 nm (5.1 and 7.3 pJ).
TEST(ArrayModel, NodeExponentMatchesTheBankInTwoTables) {
  EXPECT_NEAR(8 / 5.1, std::pow(40.0 / 32, 2), 0.01) << "for reads; writes have 11 / 7.3, 4 % less";
  EXPECT_NEAR(11 / 7.3, std::pow(40.0 / 32, 2), 0.06);
}

TEST(ArrayModel, PredictsArraysLeftOutOfTheFitWithinItsError) {
  for (std::size_t i = 0; i < published_arrays().size(); ++i) {
    const double read_error = error_without(i, &PublishedArray::read_picojoules);
    const double write_error = error_without(i, &PublishedArray::write_picojoules);
    EXPECT_LE(read_error, read_model().error()) << i;
    EXPECT_LE(write_error, write_model().error()) << i;
    EXPECT_LT(read_error, 0.29) << i;
    // Only two points have widths other than 128 bits. Without one of them, the other alone
    // determines the exponent of the width.
    const bool is_narrow = published_arrays()[i].shape.width_bits < 128;
    EXPECT_LT(write_error, is_narrow ? 1.1 : 0.34) << i;
  }
}

TEST(ArrayModel, ErrorIsThatOfTheWorstArrayLeftOut) {
  EXPECT_NEAR(read_model().error(), 0.28, 0.01);
  EXPECT_NEAR(write_model().error(), 1.05, 0.01);
}

TEST(ArrayModel, LargerAndWiderArraysOfOlderNodesTakeMore) {
  const ArrayShape shape{
      .kilobytes = 4, .width_bits = 128, .ports = 2, .node_nm = 40, .volts = 0.9};
  const auto takes_more_with = [&](double ArrayShape::*member) {
    ArrayShape more = shape;
    more.*member *= 1.5;
    return read_model().picojoules(more) > read_model().picojoules(shape) &&
           write_model().picojoules(more) > write_model().picojoules(shape);
  };
  EXPECT_TRUE(takes_more_with(&ArrayShape::kilobytes));
  EXPECT_TRUE(takes_more_with(&ArrayShape::width_bits));
  EXPECT_TRUE(takes_more_with(&ArrayShape::node_nm));
  EXPECT_TRUE(takes_more_with(&ArrayShape::volts));
}

TEST(ArrayModel, CoversTheSizesThatItWasFittedTo) {
  ArrayShape shape{.kilobytes = 4, .width_bits = 64, .ports = 2, .node_nm = 22, .volts = 0.8};
  EXPECT_TRUE(read_model().covers(shape));
  shape.width_bits = 8;
  EXPECT_FALSE(read_model().covers(shape));
  shape.width_bits = 64;
  shape.kilobytes = 128;
  EXPECT_FALSE(read_model().covers(shape));
}

std::string technology_with(const std::string& array) {
  return "summary = \"mine\"\nnode_nm = 40\nvolts = 0.9\nbased_on = \"storage-40nm\"\n"
         "[[energy]]\nof = \"register_file.read\"\nsource = \"mine\"\narray = { " +
         array + " }\n";
}

TEST(ArrayModel, GivesAnEventAFigureWithItsError) {
  const Technology mine = read_technology(
      technology_with("kilobytes = 3, width_bits = 128, ports = 2, access = \"read\""), "mine",
      "mine.toml");
  const Account result =
      account(mine, gpu::load_machine("storage"), {.counters = {{"operands.reads", 1000}}});
  EXPECT_THAT(result.estimated, Contains(AllOf(StartsWith("register_file.read: "),
                                               HasSubstr("published arrays within 28 %"))));
  const auto charged = static_cast<double>(result.find(Component::register_file).dynamic_energy);
  EXPECT_NEAR(charged / 1000, read_model().picojoules({3, 128, 2, 40, 0.9}), 0.001);
  const Technology unusual = read_technology(
      technology_with("kilobytes = 3, width_bits = 8, ports = 2, access = \"write\""), "mine",
      "mine.toml");
  EXPECT_THAT(unusual.energies[Event::register_read]->estimate,
              HasSubstr("none of which has such a size"));
}

TEST(ArrayModelErrors, GiveTheirPosition) {
  const auto error_of = [](const std::string& array) -> std::string {
    try {
      read_technology(technology_with(array), "mine", "mine.toml");
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(error_of("kilobytes = 3"), HasSubstr("'width_bits' is missing"));
  EXPECT_THAT(error_of("kilobytes = 3, width_bits = 8, ports = 0, access = \"read\""),
              AllOf(StartsWith("mine.toml:8:"), HasSubstr("'ports' must be a number from 1")));
  EXPECT_THAT(error_of("kilobytes = 3, width_bits = 8, ports = 1, access = \"look\""),
              HasSubstr("\"read\" or \"write\""));
}

}  // namespace
}  // namespace heddle::energy
