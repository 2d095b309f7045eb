// The cards of the start page, laid out by subject in as many columns as fit.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/gallery_card.h"

namespace slipstick::ui {

class GalleryPage : public QWidget {
  Q_OBJECT

 public:
  /// @param tools  stand at the right of the heading, in this order; the last one is the widest
  GalleryPage(const QString& hint, std::vector<QWidget*> tools);

  /// Under a heading, which is made where it is new; before it all that were added.
  void add(const QString& subject, GalleryCard* card);
  /// Instead of those that were there; of them as many as one row takes are shown, when searching all.
  void setRecent(std::vector<GalleryCard*> cards);
  /// Shows the cards that every word fits.
  void filter(const QString& words);
  /// Cards that are shown, in their order.
  std::vector<GalleryCard*> shown() const;
  void arrange();

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Section {
    ThemedLabel* heading;
    std::vector<GalleryCard*> cards;
  };
  int arrangeHead(int left, int right);
  int arrangeSection(Section& section, int left, int columns, int y, bool isOneRow);
  Section& section(const QString& subject);
  void orderFocus();

  ThemedLabel *title_, *hint_, *nothing_;
  std::vector<QWidget*> tools_;
  Section recent_;
  std::vector<Section> sections_;
  QStringList words_;
};

}  // namespace slipstick::ui
