#include "ui/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QPalette>
#include <QStyleFactory>

// Resources of a static library must be asked for by name, outside any namespace.
static void loadResources() {
  Q_INIT_RESOURCE(ui);
}

namespace slipstick::ui {
namespace {

constexpr double kBasePoints = 9.4;  // 12.5 px at 96 dpi

Theme darkTheme() {
  Theme t;
  t.appearance = Appearance::Dark;
  t.window = "#16181C", t.panel = "#1B1E23", t.raised = "#262A31", t.hover = "#2E333B";
  t.field = "#14161A", t.line = "#2A2E35";
  t.text = "#D9DCE1", t.secondary = "#9AA1AC", t.faint = "#868D99";
  t.normal = "#F4F1EA", t.stick = "#35B6E8", t.slip = "#FF8A3D";
  t.accent = "#35B6E8", t.onAccent = "#0E1114", t.selection = "#22333F";
  t.error = "#FF5C5C", t.good = "#6FCF97", t.bookmark = "#FFD166";
  t.curves = {"#B39DDB", "#7FD1AE", "#E6C15A", "#F09CB5", "#8FB8DE"};
  return t;
}

// The light theme mirrors the lightness, not the hues.
Theme lightTheme() {
  Theme t;
  t.appearance = Appearance::Light;
  t.window = "#E9EBEE", t.panel = "#F6F7F8", t.raised = "#E3E6EA", t.hover = "#D8DCE2";
  t.field = "#FFFFFF", t.line = "#D3D7DD";
  t.text = "#1E2227", t.secondary = "#49505B", t.faint = "#5F6773";
  t.normal = "#3A3833", t.stick = "#0A6F9B", t.slip = "#AD4B0C";
  t.accent = "#0A6F9B", t.onAccent = "#FFFFFF", t.selection = "#D3E8F2";
  t.error = "#C23030", t.good = "#1F7145", t.bookmark = "#7F6208";
  t.curves = {"#6A4FB0", "#1F8A63", "#9A7400", "#B8436A", "#3D6FA5"};
  return t;
}

Theme& current() {
  static Theme instance = darkTheme();
  return instance;
}

QPalette paletteOf(const Theme& t) {
  QPalette p;
  p.setColor(QPalette::Window, t.window);
  p.setColor(QPalette::Base, t.panel);
  p.setColor(QPalette::AlternateBase, t.panel);
  p.setColor(QPalette::Button, t.raised);
  p.setColor(QPalette::ToolTipBase, t.raised);
  p.setColor(QPalette::ToolTipText, t.text);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::BrightText}) {
    p.setColor(role, t.text);
    p.setColor(QPalette::Disabled, role, t.faint);
  }
  p.setColor(QPalette::PlaceholderText, t.faint);
  p.setColor(QPalette::Highlight, t.selection);
  p.setColor(QPalette::HighlightedText, t.text);
  p.setColor(QPalette::Link, t.accent);
  for (const auto role : {QPalette::Light, QPalette::Midlight, QPalette::Mid, QPalette::Dark})
    p.setColor(role, t.line);
  p.setColor(QPalette::Shadow, t.window);
  return p;
}

constexpr auto kSheet = R"(
QMainWindow, QDialog { background: @window; }
QDialog#export { background: @panel; }
QMainWindow::separator { background: @line; width: 1px; height: 1px; margin: 0px; }
QMainWindow::separator:hover { background: @accent; }
QMenuBar { background: @window; padding: 3px 4px; border-bottom: 1px solid @line; }
QMenuBar::item { background: transparent; padding: 5px 9px; border-radius: 6px; color: @secondary; }
QMenuBar::item:selected { background: @raised; color: @text; }
QMenu { background: @panel; border: 1px solid @line; padding: 6px; }
QMenu::item { padding: 6px 28px 6px 26px; border-radius: 6px; }
QMenu::item:selected { background: @raised; }
QMenu::item:disabled { color: @faint; }
QMenu::separator { height: 1px; background: @line; margin: 6px 8px; }
QMenu::indicator { width: 14px; height: 14px; left: 7px; }
QMenu::indicator:checked { image: url(:/slipstick/icons/check-@mode.svg); }
QDockWidget { background: @panel; }
QMainWindow > QTabBar { background: @window; qproperty-drawBase: 0; }
QMainWindow > QTabBar::tab { background: @window; color: @secondary; border: none; padding: 5px 14px; }
QMainWindow > QTabBar::tab:hover { color: @text; }
QMainWindow > QTabBar::tab:selected { background: @panel; color: @text; border-bottom: 2px solid @accent; }
QMainWindow > QTabBar::tab:selected:focus { background: @raised; }
QLineEdit { background: @field; border: 1px solid @line; border-radius: 6px; padding: 2px 8px; min-height: 20px;
            selection-background-color: @accent; selection-color: @onAccent; }
QLineEdit:focus { border-color: @accent; }
QLineEdit:disabled { color: @faint; }
QPushButton { background: @raised; border: none; border-radius: 7px; padding: 0px 14px; min-height: 29px; }
QPushButton:hover { background: @hover; }
QPushButton:disabled { color: @faint; background: @panel; }
QPushButton#primary, QPushButton:default { background: @accent; color: @onAccent; }
QPushButton#primary:disabled, QPushButton:default:disabled { background: @raised; color: @faint; }
QPushButton:focus { border: 1px solid @text; }
QComboBox QAbstractItemView { background: @panel; border: 1px solid @line; padding: 4px; outline: 0;
                              selection-background-color: @raised; selection-color: @text; }
QDialogButtonBox { dialogbuttonbox-buttons-have-icons: 0; }
QTreeView, QTableView, QListView, QScrollArea { background: @panel; border: none; outline: 0; }
QHeaderView { background: @panel; border: none; }
QHeaderView::section { background: @panel; color: @faint; border: none; border-bottom: 1px solid @line;
                       padding: 4px 6px; font-weight: 400; font-size: 8.6pt; }
QHeaderView::down-arrow, QHeaderView::up-arrow { width: 0px; height: 0px; }
QTreeView::branch { background: transparent; }
QScrollBar:vertical { background: transparent; width: 8px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: 8px; margin: 0; }
QScrollBar::handle { background: @hover; border-radius: 3px; margin: 1px; min-height: 24px; min-width: 24px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
QToolTip { background: @raised; color: @text; border: 1px solid @line; padding: 5px 8px; }
QProgressBar { background: @field; border: none; border-radius: 2px; max-height: 4px; }
QProgressBar::chunk { background: @accent; border-radius: 2px; }
)";

QString sheetOf(const Theme& t) {
  QString sheet = QString::fromLatin1(kSheet);
  const std::pair<const char*, QColor> tokens[] = {
      {"@window", t.window}, {"@panel", t.panel},       {"@raised", t.raised}, {"@hover", t.hover},
      {"@field", t.field},   {"@line", t.line},         {"@text", t.text},     {"@secondary", t.secondary},
      {"@faint", t.faint},   {"@onAccent", t.onAccent}, {"@accent", t.accent}};
  for (const auto& [name, color] : tokens) sheet.replace(QLatin1String(name), color.name());
  return sheet.replace("@mode", t.appearance == Appearance::Dark ? "dark" : "light");
}

QString family() {
  static const QString name = QFontDatabase::families().contains("Inter")
                                  ? QStringLiteral("Inter")
                                  : QFontDatabase::systemFont(QFontDatabase::GeneralFont).family();
  return name;
}

}  // namespace

const Theme& theme() {
  return current();
}

const Theme& themeOf(Appearance appearance) {
  static const Theme dark = darkTheme(), light = lightTheme();
  return appearance == Appearance::Dark ? dark : light;
}

QFont textFont(int weight, double scale) {
  QFont font(family());
  font.setPointSizeF(kBasePoints * scale);
  font.setWeight(static_cast<QFont::Weight>(weight));
  font.setHintingPreference(QFont::PreferVerticalHinting);
  return font;
}

QFont monoFont() {
  QFont font = QFontDatabase::systemFont(QFontDatabase::FixedFont);
  font.setPointSizeF(kBasePoints * 0.94);
  return font;
}

void applyTheme(Appearance appearance) {
  loadResources();
  current() = themeOf(appearance);
  QApplication::setStyle(QStyleFactory::create("Fusion"));
  QApplication::setFont(textFont());
  QApplication::setPalette(paletteOf(current()));
  qApp->setStyleSheet(sheetOf(current()));
}

}  // namespace slipstick::ui
