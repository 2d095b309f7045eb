#include "ui/gallery_page.h"

#include <algorithm>

#include "ui/theme.h"

namespace slipstick::ui {
namespace {

constexpr int kGap = 2 * kSpace;
constexpr int kMaxColumns = 6;
constexpr int kSearchWidth = 220;

ThemedLabel* label(const QString& text, QColor (*color)(), const QFont& font, QWidget* parent) {
  auto* made = new ThemedLabel(text, color, parent);
  made->setFont(font);
  made->adjustSize();
  return made;
}

}  // namespace

GalleryPage::GalleryPage(const QString& hint, std::vector<QWidget*> tools) : tools_(std::move(tools)) {
  title_ = label("Slipstick", textColor, textFont(600, 1.9), this);
  hint_ = label(hint, secondaryColor, textFont(400, 1.08), this);
  nothing_ = label({}, secondaryColor, textFont(400, 1.08), this);
  recent_.heading = label(tr("Recent files"), textColor, textFont(600, 1.16), this);
  for (QWidget* tool : tools_) tool->setParent(this);
}

void GalleryPage::add(const QString& subject, GalleryCard* card) {
  card->setParent(this);
  section(subject).cards.push_back(card);
  orderFocus();
}

GalleryPage::Section& GalleryPage::section(const QString& subject) {
  for (Section& known : sections_)
    if (known.heading->text() == subject) return known;
  sections_.push_back({label(subject, textColor, textFont(600, 1.16), this), {}});
  return sections_.back();
}

void GalleryPage::setRecent(std::vector<GalleryCard*> cards) {
  for (GalleryCard* card : std::exchange(recent_.cards, std::move(cards))) {
    card->hide();
    card->deleteLater();
  }
  for (GalleryCard* card : recent_.cards) card->setParent(this);
  orderFocus();
}

/// Tab goes as the eye does.
void GalleryPage::orderFocus() {
  std::vector<QWidget*> order = tools_;
  order.insert(order.end(), recent_.cards.begin(), recent_.cards.end());
  for (const Section& s : sections_) order.insert(order.end(), s.cards.begin(), s.cards.end());
  for (std::size_t i = 1; i < order.size(); ++i) setTabOrder(order[i - 1], order[i]);
}

void GalleryPage::filter(const QString& words) {
  words_ = words.split(' ', Qt::SkipEmptyParts);
  nothing_->setText(tr("Nothing here is called “%1”").arg(words));
  nothing_->adjustSize();
  arrange();
}

std::vector<GalleryCard*> GalleryPage::shown() const {
  std::vector<GalleryCard*> cards;
  const auto take = [&cards](const Section& section) {
    for (GalleryCard* card : section.cards)
      if (!card->isHidden()) cards.push_back(card);
  };
  take(recent_);
  for (const Section& section : sections_) take(section);
  return cards;
}

void GalleryPage::resizeEvent(QResizeEvent*) {
  arrange();
}

void GalleryPage::arrange() {
  const int cardWidth = GalleryCard::kSize.width() + kGap;
  const int columns = std::clamp((width() - 4 * kSpace + kGap) / cardWidth, 1, kMaxColumns);
  const int left = (width() - columns * cardWidth + kGap) / 2;
  int y = arrangeHead(left, width() - left);
  y = arrangeSection(recent_, left, columns, y, words_.empty());
  for (Section& section : sections_) y = arrangeSection(section, left, columns, y, false);
  nothing_->setVisible(shown().empty());
  nothing_->move(left, y);
  setMinimumHeight(y + 4 * kSpace);
}

/// @return where the cards begin
int GalleryPage::arrangeHead(int left, int right) {
  constexpr int kTop = 4 * kSpace;
  title_->move(left, kTop);
  int x = right;
  for (auto tool = tools_.rbegin(); tool != tools_.rend(); ++tool) {
    if ((*tool)->isHidden()) continue;
    const QSize size = (*tool)->sizeHint();
    (*tool)->resize(*tool == tools_.back() ? kSearchWidth : size.width(), size.height());
    x -= (*tool)->width();
    (*tool)->move(x, kTop + (title_->height() - size.height()) / 2);
    x -= kSpace;
  }
  const int y = kTop + title_->height() + kSpace / 2;
  hint_->move(left, y);
  return y + hint_->height() + 2 * kSpace;
}

/// @return where the next one begins
int GalleryPage::arrangeSection(Section& section, int left, int columns, int y, bool isOneRow) {
  int shown = 0;
  const int top = y + section.heading->height() + kSpace + kSpace / 2;
  for (GalleryCard* card : section.cards) {
    const bool fits = card->matches(words_) && !(isOneRow && shown == columns);
    card->setVisible(fits);
    if (!fits) continue;
    card->move(left + shown % columns * (GalleryCard::kSize.width() + kGap),
               top + shown / columns * (GalleryCard::kSize.height() + kGap));
    ++shown;
  }
  section.heading->setVisible(shown > 0);
  section.heading->move(left, y);
  const int rows = (shown + columns - 1) / columns;
  return shown == 0 ? y : top + rows * (GalleryCard::kSize.height() + kGap) + kSpace;
}

}  // namespace slipstick::ui
