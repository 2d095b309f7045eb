// The contacts of the shown snapshot as a table: sums per body pair on top, then one row per contact.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "render/contact_facts.h"
#include "ui/session.h"

namespace slipstick::ui {

/// One row: a contact, or the sum over a pair of bodies or deformables.
struct ContactRow {
  bool isPinned = false;             ///< one of the rows on top, which stay while nothing touches
  std::optional<std::int32_t> body;  ///< of a pinned body: the sum over all its contacts
  bool isSum = false;
  render::ContactPair pair;
  ContactKey key;  ///< of a single contact
  ContactMode mode = ContactMode::Open;
  ForceLaw law;                  ///< of a single contact
  bool isIndeterminate = false;  ///< likewise
  int count = 1, sticking = 0, slipping = 0;
  Vec3 p_W = Vec3::Zero();         ///< [m]
  Vec3 friction_W = Vec3::Zero();  ///< on pair.a, summed as vectors [N]
  double normalForce = 0;          ///< [N]
  double frictionForce = 0;        ///< |friction_W| [N]
  double penetration = 0;          ///< largest [m]
  double slipSpeed = 0;            ///< of a sum the mean, weighted by normal force [m/s]
  double slippingForce = 0;        ///< of a sum: Σ|friction| of what slips [N]
};

class ContactTable : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { Pair, Point, NormalForce, FrictionForce, Depth, SlipSpeed, ColumnCount };

  explicit ContactTable(Session& session, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  void sort(int column, Qt::SortOrder order) override;

  /// Keeps rows whose pair contains this text (case does not matter).
  void setFilter(const QString& text);
  /// Reads the shown snapshot anew.
  void refresh();

  const ContactRow& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }
  /// Row of a contact, or −1.
  int find(const ContactKey& key) const;
  QString pairName(const ContactRow& row) const;
  int sticking() const { return sticking_; }
  int slipping() const { return slipping_; }
  int contacts() const { return contacts_; }  ///< that the filter lets through, as those two are of them
  int hidden() const { return hidden_; }      ///< that it does not
  /// What a row is as a pin: a contact, a pair, or of a pinned body that.
  Pin pinOf(const ContactRow& row) const;

 private:
  std::vector<ContactRow> pinnedRows(const std::vector<ContactRow>& contacts) const;
  std::vector<ContactRow> sums(const std::vector<ContactRow>& rows) const;
  void sortRows(std::vector<ContactRow>& rows) const;

  Session& session_;
  std::vector<ContactRow> rows_;
  QString filter_;
  int sortColumn_ = NormalForce;
  Qt::SortOrder sortOrder_ = Qt::DescendingOrder;
  int contacts_ = 0, sticking_ = 0, slipping_ = 0, hidden_ = 0;
};

/// Every contact of a snapshot as CSV text, the columns of contactHeader() and those of its contact surface; these are
/// of the whole surface, not of one contact, and empty where there is none.
QByteArray contactsAsCsv(const Model& model, const Snapshot& snapshot);

}  // namespace slipstick::ui
