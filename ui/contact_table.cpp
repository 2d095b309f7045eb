#include "ui/contact_table.h"

#include <algorithm>
#include <map>

#include "engine/facts/contact_columns.h"
#include "render/force_words.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

ContactRow rowOf(const Model& model, const Contact& contact) {
  ContactRow row;
  row.pair = render::pairOf(model, contact);
  row.key = contact.key();
  row.mode = contact.mode;
  row.law = contact.law;
  row.isIndeterminate = contact.isIndeterminate;
  row.sticking = contact.mode == ContactMode::Stick;
  row.slipping = contact.mode == ContactMode::Slip;
  row.p_W = contact.p_WC;
  row.friction_W = render::signOn(row.pair.a, contact) * contact.frictionForce();
  row.normalForce = contact.normalForce();
  row.frictionForce = row.friction_W.norm();
  row.penetration = contact.penetration();
  row.slipSpeed = contact.slipSpeed;
  return row;
}

/// Bodies first.
double keyOf(const render::PairSide& side) {
  return side.isRigid() ? side.body : 5e5 + side.deformable;
}

double keyOf(const ContactRow& row, int column) {
  switch (column) {
    case ContactTable::Pair:
      return keyOf(row.pair.a) * 1e6 + keyOf(row.pair.b);
    case ContactTable::Point:
      return row.p_W.x();
    case ContactTable::FrictionForce:
      return row.frictionForce;
    case ContactTable::Depth:
      return row.penetration;
    case ContactTable::SlipSpeed:
      return row.slipSpeed;
    default:
      return row.normalForce;
  }
}

ContactRow emptySum(const render::ContactPair& pair) {
  ContactRow sum;
  sum.isSum = true;
  sum.pair = pair;
  sum.count = 0;
  return sum;
}

/// @param sign  −1 where the sum is of the other side's friction
void add(const ContactRow& row, double sign, ContactRow& sum) {
  ++sum.count;
  sum.sticking += row.sticking;
  sum.slipping += row.slipping;
  sum.normalForce += row.normalForce;
  sum.friction_W += sign * row.friction_W;
  sum.penetration = std::max(sum.penetration, row.penetration);
  sum.slipSpeed += row.normalForce * row.slipSpeed;
  if (row.mode == ContactMode::Slip) sum.slippingForce += row.frictionForce;
  sum.frictionForce += row.frictionForce;
}

/// As PairForce has it: what slips is told by the force that slips, the speed is a mean weighted by normal force.
void finish(ContactRow& sum) {
  const bool slips = sum.slippingForce > sum.frictionForce - sum.slippingForce;
  sum.frictionForce = sum.friction_W.norm();
  sum.slipSpeed = sum.normalForce > 0 ? sum.slipSpeed / sum.normalForce : 0;
  sum.mode = slips ? ContactMode::Slip : sum.sticking > 0 ? ContactMode::Stick : ContactMode::Open;
}

/// Nothing where the method does not tell.
QVariant lawTip(const ContactRow& row) {
  QStringList tips;
  if (const std::string law = render::lawInWords(row.law); !law.empty())
    tips << ContactTable::tr("Contact law: %1").arg(QString::fromStdString(law));
  if (row.isIndeterminate)
    tips << ContactTable::tr(
        "How the pair's force is divided among its points is a convention of the method");
  return tips.empty() ? QVariant() : QVariant(tips.join("\n"));
}

}  // namespace

ContactTable::ContactTable(Session& session, QObject* parent)
    : QAbstractTableModel(parent), session_(session) {}

int ContactTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ContactTable::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QString ContactTable::pairName(const ContactRow& row) const {
  if (row.body) return session_.names().bodyLabels()[static_cast<std::size_t>(*row.body)];
  return session_.names().pairLabel(row.pair);
}

QVariant ContactTable::data(const QModelIndex& index, int role) const {
  const ContactRow& r = row(index.row());
  if (role == Qt::ToolTipRole && r.isSum)
    return tr("%1 contacts: %2 stick, %3 slip. Normal forces are added as numbers, friction as vectors; "
              "the depth is the largest, the slip the mean weighted by normal force.")
        .arg(r.count)
        .arg(r.sticking)
        .arg(r.slipping);
  if (role == Qt::ToolTipRole) return lawTip(r);
  if (role != Qt::DisplayRole) return {};
  if (r.count == 0 && index.column() != Pair)  // pinned, and does not touch
    return index.column() == Point ? tr("does not touch") : QString(QChar(0x2013));
  switch (index.column()) {
    case Pair:
      return pairName(r);
    case Point:
      return r.isSum ? tr("sum of %1").arg(r.count) : vectorText(r.p_W, 3);
    case NormalForce:
      return number(r.normalForce, r.isSum ? 1 : 2);
    case FrictionForce:
      return number(r.frictionForce, r.isSum ? 1 : 2);
    case Depth:  // stiff bodies press micrometres deep
      return number(r.penetration * 1e3, 3);
    case SlipSpeed:
      return number(r.slipSpeed * 1e3, 2);
    default:
      return {};
  }
}

QVariant ContactTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  static const char* const names[] = {"pair", "point [m]", "Fn [N]", "Ft [N]", "depth [mm]", "slip [mm/s]"};
  static const char* const tips[] = {
      "What touches: two bodies, a body and a deformable, two deformables, or one with itself",
      "Where the force acts",
      "Normal force on the side that is named first",
      "Friction force on the side that is named first",
      "Penetration depth",
      "Tangential relative speed"};
  if (role == Qt::DisplayRole) return tr(names[section]);
  // What one looks for in numbers is the largest.
  if (role == Qt::InitialSortOrderRole) return section == Pair ? Qt::AscendingOrder : Qt::DescendingOrder;
  if (role == Qt::ToolTipRole) return tr(tips[section]);
  if (role == Qt::TextAlignmentRole)
    return QVariant(Qt::AlignVCenter | (section == Pair ? Qt::AlignLeft : Qt::AlignRight));
  return {};
}

void ContactTable::sort(int column, Qt::SortOrder order) {
  sortColumn_ = column;
  sortOrder_ = order;
  refresh();
}

void ContactTable::setFilter(const QString& text) {
  filter_ = text.trimmed();
  refresh();
}

std::vector<ContactRow> ContactTable::sums(const std::vector<ContactRow>& rows) const {
  std::map<render::ContactPair, ContactRow> byPair;
  for (const ContactRow& row : rows) {
    ContactRow& sum = byPair.try_emplace(row.pair, emptySum(row.pair)).first->second;
    add(row, 1, sum);
  }
  std::vector<ContactRow> result;
  for (auto& [pair, sum] : byPair) {
    finish(sum);
    result.push_back(sum);
  }
  return result;
}

/// In the order in which they were pinned. Joints have no row here.
std::vector<ContactRow> ContactTable::pinnedRows(const std::vector<ContactRow>& contacts) const {
  std::vector<ContactRow> rows;
  for (const Pin& pin : session_.pinBoard().pins()) {
    if (pin.kind == Pin::Kind::Joint) continue;
    ContactRow pinned = emptySum(pin.pair);
    if (pin.kind == Pin::Kind::Body) pinned.body = pin.index;
    if (pin.kind == Pin::Kind::Contact) {
      pinned.isSum = false;
      pinned.key = pin.contact;
    }
    for (const ContactRow& row : contacts) {
      if (pin.kind == Pin::Kind::Contact && row.key == pin.contact) pinned = row;
      if (pin.kind == Pin::Kind::Pair && row.pair == pin.pair) add(row, 1, pinned);
      if (pin.kind == Pin::Kind::Body && row.pair.hasBody(pin.index))
        add(row, row.pair.a.body == pin.index ? 1 : -1, pinned);
    }
    if (pinned.isSum) finish(pinned);
    pinned.isPinned = true;
    rows.push_back(pinned);
  }
  return rows;
}

Pin ContactTable::pinOf(const ContactRow& row) const {
  Pin pin;
  pin.kind = row.body ? Pin::Kind::Body : row.isSum ? Pin::Kind::Pair : Pin::Kind::Contact;
  pin.contact = row.key;
  pin.pair = row.pair;
  pin.index = row.body.value_or(-1);
  pin.label = pin.kind == Pin::Kind::Contact ? tr("contact %1").arg(pairName(row)) : pairName(row);
  return pin;
}

void ContactTable::sortRows(std::vector<ContactRow>& rows) const {
  std::stable_sort(rows.begin(), rows.end(), [this](const ContactRow& a, const ContactRow& b) {
    return sortOrder_ == Qt::AscendingOrder ? keyOf(a, sortColumn_) < keyOf(b, sortColumn_)
                                            : keyOf(a, sortColumn_) > keyOf(b, sortColumn_);
  });
}

void ContactTable::refresh() {
  std::vector<ContactRow> rows, everything;
  contacts_ = sticking_ = slipping_ = hidden_ = 0;
  if (const auto shown = session_.moment().shown()) {
    for (const Contact& contact : shown->contacts) {
      ContactRow row = rowOf(*session_.model(), contact);
      if (!session_.pinBoard().pins().empty()) everything.push_back(row);
      if (!filter_.isEmpty() && !pairName(row).contains(filter_, Qt::CaseInsensitive)) continue;
      ++contacts_;
      sticking_ += row.sticking;
      slipping_ += row.slipping;
      rows.push_back(row);
    }
    hidden_ = static_cast<int>(shown->contacts.size()) - contacts_;
  }
  std::vector<ContactRow> all = pinnedRows(everything);
  std::vector<ContactRow> pairs = sums(rows);
  // What is pinned stands on top, and not once more below.
  const auto standsOnTop = [&, pinned = all](const ContactRow& row) {
    return std::any_of(pinned.begin(), pinned.end(), [&](const ContactRow& top) {
      if (top.body || top.isSum != row.isSum) return false;
      return row.isSum ? top.pair == row.pair : top.key == row.key;
    });
  };
  std::erase_if(pairs, standsOnTop);
  std::erase_if(rows, standsOnTop);
  sortRows(rows);
  all.insert(all.end(), pairs.begin(), pairs.end());
  all.insert(all.end(), rows.begin(), rows.end());

  // The view keeps its scroll position when rows only change their contents.
  const auto before = static_cast<int>(rows_.size()), after = static_cast<int>(all.size());
  if (after > before) beginInsertRows({}, before, after - 1);
  if (after < before) beginRemoveRows({}, after, before - 1);
  rows_ = std::move(all);
  if (after > before) endInsertRows();
  if (after < before) endRemoveRows();
  if (after > 0) Q_EMIT dataChanged(index(0, 0), index(after - 1, ColumnCount - 1));
}

int ContactTable::find(const ContactKey& key) const {
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (!rows_[i].isSum && rows_[i].key == key) return static_cast<int>(i);
  return -1;
}

QByteArray contactsAsCsv(const Model& model, const Snapshot& snapshot) {
  CsvRow header = contactHeader(model);
  for (const char* head :
       {"patch", "patch_area [m^2]", "patch_mean_pressure [Pa]", "patch_largest_pressure [Pa]"})
    header.add(head);
  std::string csv = header.line();
  std::vector<render::PatchFacts> patches;
  for (const PressurePatch& patch : snapshot.patches) patches.push_back(render::factsOf(patch));
  for (const Contact& c : snapshot.contacts) {
    CsvRow row = contactRow(model, snapshot, c);
    row.addIndex(c.patch);
    if (render::patchOf(snapshot, c)) {
      const render::PatchFacts& facts = patches[static_cast<std::size_t>(c.patch)];
      row.add(facts.area).add(facts.meanPressure).add(facts.largestPressure);
    } else {
      row.addNothing().addNothing().addNothing();
    }
    csv += row.line();
  }
  return QByteArray::fromStdString(csv);
}

}  // namespace slipstick::ui
