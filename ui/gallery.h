// The first page: what was open before, a card for every shipped scene by subject, and the robots.
#pragma once

#include <QScrollArea>

#include "ui/gallery_card.h"
#include "ui/known_files.h"
#include "ui/studio.h"

namespace slipstick::ui {

class GalleryPage;

class Gallery : public QScrollArea {
  Q_OBJECT

 public:
  Gallery(const StudioServices& services, KnownFiles& known, QWidget* parent = nullptr);

  /// The scene behind it that Esc goes back to; empty: none.
  void setWayBack(const QString& scene);
  /// Cards that are shown, in their order.
  std::vector<GalleryCard*> cards() const;
  Field& search() { return *search_; }
  void takeFocus();  ///< by its first card

 Q_SIGNALS:
  void chosen(QString nameOrPath);
  void openWanted();  ///< a file, by a dialog
  void left();        ///< back to the scene behind it

 protected:
  bool event(QEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  GalleryCard* addCard(CardContent content);
  void fillRecent();
  void filter();
  void moveFocus(const GalleryCard& from, Qt::Key to);
  void focusCard(GalleryCard& card);

  const StudioServices& services_;
  KnownFiles& known_;
  GalleryPage* page_;
  Field* search_;
  FlatButton *back_, *open_;
  bool isRecentStale_ = true;
};

}  // namespace slipstick::ui
