// What makes the force of a contact, as numbers, words and cells of tables.
#include "engine/facts/force_law.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "engine/facts/contact_columns.h"
#include "engine/model/method_rows.h"

namespace slipstick {
namespace {

using ::testing::EndsWith;

const std::vector<ForceLaw> kLaws = {{}, CompliantLaw{1e4, 0.5}, BarrierLaw{1e-3, 2e5}, HardLaw{}};

TEST(ForceLaw, IsTheSameFromItsCodeAndNumbers) {
  for (std::size_t i = 0; i < kLaws.size(); ++i) {
    EXPECT_EQ(lawCode(kLaws[i]), i) << "files have it";
    EXPECT_EQ(lawFrom(lawCode(kLaws[i]), lawNumbers(kLaws[i])), kLaws[i]) << lawName(kLaws[i]);
  }
}

TEST(ForceLaw, IsNoneOfAnotherCodeOrWithoutFiniteNumbers) {
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  for (const int code : {4, 255}) EXPECT_FALSE(lawFrom(static_cast<std::uint8_t>(code), {1, 1})) << code;
  for (const std::array<double, 2>& numbers :
       {std::array{kNone, 1.0}, std::array{1.0, std::numeric_limits<double>::infinity()}})
    EXPECT_FALSE(lawFrom(1, numbers));
}

std::string rowOf(const Model& model, const ForceLaw& law, bool isIndeterminate) {
  Contact contact;
  contact.gap = 0.25;
  contact.law = law;
  contact.isIndeterminate = isIndeterminate;
  return contactRow(model, {}, contact).line();
}

TEST(ContactTables, HaveColumnsForLawsWhereTheMethodTellsThem) {
  Model model;
  const auto cells = [](const std::string& line) { return std::count(line.begin(), line.end(), ',') + 1; };
  EXPECT_EQ(cells(contactHeader(model).line()), 25);
  EXPECT_EQ(cells(rowOf(model, HardLaw{}, true)), 25);
  const auto rows = std::make_shared<MethodRows>();
  rows->forceLaws = true;
  model.own = rows;
  EXPECT_THAT(contactHeader(model).line(),
              EndsWith(",mode,gap [m],law,stiffness [N/m],dissipation [s/m],activation_distance [m],"
                       "barrier_stiffness,indeterminate\n"));
  EXPECT_THAT(rowOf(model, {}, false), EndsWith(",open,0.25,,,,,,0\n"));
  EXPECT_THAT(rowOf(model, CompliantLaw{20000, 0.5}, true), EndsWith(",open,0.25,compliant,20000,0.5,,,1\n"));
  EXPECT_THAT(rowOf(model, BarrierLaw{0.125, 20000}, false),
              EndsWith(",open,0.25,barrier,,,0.125,20000,0\n"));
  EXPECT_THAT(rowOf(model, HardLaw{}, true), EndsWith(",open,0.25,hard,,,,,1\n"));
}

TEST(ContactTables, HaveOneColumnForGapsWhereTheMethodTellsSoftContactsToo) {
  Model model;
  const auto rows = std::make_shared<MethodRows>();
  rows->softContacts = rows->forceLaws = true;
  model.own = rows;
  EXPECT_THAT(contactHeader(model).line(), ::testing::HasSubstr(",on_deformable,on_particle,gap [m],law,"));
  EXPECT_THAT(rowOf(model, HardLaw{}, false), EndsWith(",open,,,0.25,hard,,,,,0\n"));
}

}  // namespace
}  // namespace slipstick
