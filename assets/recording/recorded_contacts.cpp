#include "assets/recording/recorded_contacts.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "assets/recording/recorded_numbers.h"
#include "engine/facts/force_law.h"
#include "engine/foundation/require.h"

namespace slipstick::assets::recording {

namespace {

/// What a file without columns for laws says of each contact.
bool hasUsualForce(const Contact& c) {
  return !c.isIndeterminate &&
         (std::holds_alternative<std::monostate>(c.law) || std::holds_alternative<CompliantLaw>(c.law));
}

void putSides(const Contact& c, const ContactColumns& columns, hdf5::Table& table) {
  const std::int32_t sides[] = {c.a.body, c.b.body, c.b.deformable};
  const std::int32_t key[] = {c.a.geometry, c.b.element, c.b.geometry, c.point};
  const std::int32_t softSide[] = {c.a.deformable, c.a.element};
  SIM_REQUIRE(columns.softSides || !c.a.isSoft());
  table.put(contacts::Sides, sides, 3);
  table.put(contacts::Key, key, 4);
  if (columns.softSides) table.put(contacts::SoftSide, softSide, 2);
}

/// Forces have four digits, the other numbers three, a place lies within 4 µm; the zeros behind them compress well.
void putNumbers(const Contact& c, hdf5::Table& table) {
  constexpr int kForceBits = 12, kBits = 10;
  constexpr float kPlaceUnit = 1 << 17, kNormalUnit = 1 << 14;
  const auto inUnits = [&table](std::size_t field, const Vec3& v, float unit) {
    for (const double x : v) table.put(field, std::round(static_cast<float>(x) * unit) / unit);
  };
  const auto number = [&table](std::size_t field, double x) {
    table.put(field, rounded(static_cast<float>(x), kBits));
  };
  inUnits(contacts::Place, c.p_WC, kPlaceUnit);
  inUnits(contacts::Normal, c.normal_W, kNormalUnit);
  for (const double x : c.f_Bc_W) table.put(contacts::Force, rounded(static_cast<float>(x), kForceBits));
  number(contacts::Depth, 0.0 - c.gap);
  number(contacts::SlipSpeed, c.slipSpeed);
  table.put(contacts::Friction, static_cast<float>(c.friction));
  number(contacts::FrictionBound, c.frictionBound);
  number(contacts::Pressure, c.pressure);
}

void putLaw(const Contact& c, hdf5::Table& table) {
  table.put(contacts::Law, lawCode(c.law));
  for (const double number : lawNumbers(c.law)) table.put(contacts::LawNumbers, rounded(number));
  table.put(contacts::Indeterminate, std::uint8_t{c.isIndeterminate});
}

}  // namespace

void putContacts(const std::vector<Contact>& all, const ContactColumns& columns, hdf5::Table& table) {
  for (const Contact& c : all) {
    putSides(c, columns, table);
    table.put(contacts::Mode, static_cast<std::uint8_t>(c.mode));
    putNumbers(c, table);
    SIM_REQUIRE(columns.forceLaws || hasUsualForce(c), lawName(c.law), c.isIndeterminate);
    if (columns.forceLaws) putLaw(c, table);
  }
}

void putPairs(const std::vector<PairRow>& rows, const ContactColumns& columns, hdf5::Table& table) {
  for (const PairRow& row : rows) {
    const auto& [a, b] = row.pair;
    const std::int32_t sides[] = {a.body, b.body, b.deformable};
    SIM_REQUIRE(columns.softSides || !a.isSoft());
    table.put(pairs::Sides, sides, 3);
    if (columns.softSides) table.put<std::int32_t>(pairs::SoftSide, a.deformable);
    for (const double value : row.values) table.put<double>(pairs::Values, rounded(value));
  }
}

// ------------------------------------------------------------------------------------------------ reading

namespace {

Result<void> readSides(const hdf5::TableReader& table, std::uint64_t from, std::uint64_t to,
                       std::vector<Contact>& all) {
  const auto sides = table.read<std::int32_t>(contacts::Sides, from, to),
             keys = table.read<std::int32_t>(contacts::Key, from, to),
             soft = table.read<std::int32_t>(contacts::SoftSide, from, to);
  const auto modes = table.read<std::uint8_t>(contacts::Mode, from, to);
  if (!sides) return sides.error();
  if (!keys) return keys.error();
  if (!soft) return soft.error();
  if (!modes) return modes.error();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Contact& c = all[i];
    c.a = {.body = (*sides)[3 * i], .geometry = (*keys)[4 * i]};
    c.b = {(*sides)[3 * i + 1], (*keys)[4 * i + 2], (*sides)[3 * i + 2], (*keys)[4 * i + 1]};
    if (!soft->empty()) c.a.deformable = (*soft)[2 * i], c.a.element = (*soft)[2 * i + 1];
    c.point = (*keys)[4 * i + 3];
    c.mode = static_cast<ContactMode>(std::min<std::uint8_t>((*modes)[i], 2));
  }
  return {};
}

Result<void> readNumbers(const hdf5::TableReader& table, std::uint64_t from, std::uint64_t to,
                         std::vector<Contact>& all) {
  const std::pair<contacts::Field, Vec3 Contact::*> vectors[] = {{contacts::Place, &Contact::p_WC},
                                                                 {contacts::Normal, &Contact::normal_W},
                                                                 {contacts::Force, &Contact::f_Bc_W}};
  for (const auto& [field, target] : vectors) {
    const auto numbers = table.read<float>(field, from, to);
    if (!numbers) return numbers.error();
    for (std::size_t i = 0; i < all.size(); ++i)
      for (int axis = 0; axis < 3; ++axis)
        (all[i].*target)[axis] = (*numbers)[3 * i + static_cast<std::size_t>(axis)];
  }
  const std::pair<contacts::Field, double Contact::*> scalars[] = {
      {contacts::Depth, &Contact::gap},
      {contacts::SlipSpeed, &Contact::slipSpeed},
      {contacts::Friction, &Contact::friction},
      {contacts::FrictionBound, &Contact::frictionBound},
      {contacts::Pressure, &Contact::pressure}};
  for (const auto& [field, target] : scalars) {
    const auto numbers = table.read<float>(field, from, to);
    if (!numbers) return numbers.error();
    for (std::size_t i = 0; i < all.size(); ++i) all[i].*target = (*numbers)[i];
  }
  for (Contact& contact : all) contact.gap = -contact.gap;  // the file has depths
  return {};
}

/// In a file that does not tell laws all contacts stay as they are.
Result<void> readLaws(const hdf5::TableReader& table, std::uint64_t from, std::uint64_t to,
                      std::vector<Contact>& all) {
  const auto codes = table.read<std::uint8_t>(contacts::Law, from, to),
             marks = table.read<std::uint8_t>(contacts::Indeterminate, from, to);
  const auto numbers = table.read<double>(contacts::LawNumbers, from, to);
  if (!codes) return codes.error();
  if (!marks) return marks.error();
  if (!numbers) return numbers.error();
  for (std::size_t i = 0; i < codes->size(); ++i) {
    const std::optional<ForceLaw> law = lawFrom((*codes)[i], {(*numbers)[2 * i], (*numbers)[2 * i + 1]});
    if (!law)
      return Error{ErrorCode::SyntaxError, "a contact has a law that there is not", "contacts/law",
                   "record again; this file is damaged"};
    all[i].law = *law;
    all[i].isIndeterminate = (*marks)[i] != 0;
  }
  return {};
}

}  // namespace

Result<std::vector<Contact>> readContacts(const hdf5::TableReader& table, std::uint64_t from,
                                          std::uint64_t to) {
  std::vector<Contact> all(to - from);
  for (const auto part : {readSides, readNumbers, readLaws})
    if (Result<void> read = part(table, from, to, all); !read) return read.error();
  return all;
}

Result<std::vector<ContactPair>> readPairs(const hdf5::TableReader& table, std::uint64_t from,
                                           std::uint64_t to) {
  const auto sides = table.read<std::int32_t>(pairs::Sides, from, to),
             soft = table.read<std::int32_t>(pairs::SoftSide, from, to);
  if (!sides) return sides.error();
  if (!soft) return soft.error();
  std::vector<ContactPair> pairs(to - from);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    pairs[i] = {{(*sides)[3 * i], soft->empty() ? -1 : (*soft)[i]},
                {(*sides)[3 * i + 1], (*sides)[3 * i + 2]}};
  return pairs;
}

}  // namespace slipstick::assets::recording
