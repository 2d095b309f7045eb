// Figures for papers: where things are, and that files are what their names say.
#include <gtest/gtest.h>

#include <QImage>
#include <QTemporaryDir>
#include <QXmlStreamReader>
#include <cmath>

#include "ui/figure_painter.h"

namespace slipstick::ui {
namespace {

struct Figures : ::testing::Test {
  QTemporaryDir folder;
  Figure figure;

  Figures() {
    render::Image picture{60, 40, std::vector<std::uint8_t>(60 * 40 * 4, 200)};
    for (const char* time : {"0 s", "0.5 s", "1 s"}) figure.pictures.push_back({picture, time});
    figure.columns = 3;
    figure.range = {0, 1};
    figure.rules = {0, 0.5, 1};
    figure.plots = {plot("force", "N", {"fx", "fz"}), plot("a & b < c", "m", {"roller.z"})};
    figure.plots[0].prefix = "roller.contact";
  }
  static FigurePlot plot(const char* label, const char* unit, std::vector<const char*> names) {
    FigurePlot made{label, unit, {}, {}};
    for (std::size_t i = 0; i < names.size(); ++i) {
      auto series = std::make_shared<PlotSeries>(0);
      for (int step = 0; step <= 100; ++step) {
        const double value = 5 + 4 * std::sin(0.1 * step + static_cast<double>(i));
        series->append({&value, 1});
      }
      made.curves.push_back({names[i], PlotRole::Value, series});
    }
    return made;
  }
  std::string path(const char* name) const { return folder.filePath(name).toStdString(); }
  QByteArray bytesOf(const char* name) const {
    QFile file(folder.filePath(name));
    file.open(QIODevice::ReadOnly);
    return file.readAll();
  }
};

TEST_F(Figures, PicturesStandInARowAndPlotsBelowShareOneAxis) {
  const FigurePainter painter(figure);
  EXPECT_NEAR(painter.width(), 170 * 72 / 25.4, 1e-9);
  EXPECT_EQ(painter.picture(0).left(), 0);
  EXPECT_NEAR(painter.picture(2).right(), painter.width(), 1e-6);
  EXPECT_NEAR(painter.picture(0).width() / painter.picture(0).height(), 1.5, 1e-6);
  EXPECT_GT(painter.area(0).top(), painter.picture(0).bottom());
  EXPECT_GT(painter.area(1).top(), painter.area(0).bottom());
  EXPECT_EQ(painter.area(0).left(), painter.area(1).left());
  EXPECT_EQ(painter.area(0).right(), painter.area(1).right());
  EXPECT_LT(painter.area(1).bottom(), painter.height());
  EXPECT_NEAR(painter.area(0).height(), 26 * 72 / 25.4, 1e-6);
}

TEST_F(Figures, RowsOfPicturesHaveTheColumnsThatWereAskedFor) {
  figure.columns = 2;
  const FigurePainter painter(figure);
  EXPECT_EQ(painter.picture(2).left(), 0);
  EXPECT_GT(painter.picture(2).top(), painter.picture(0).bottom());
  EXPECT_NEAR(painter.picture(1).right(), painter.width(), 1e-6);
}

/// A dark line at the time of each picture, from end to end of the area.
TEST_F(Figures, RulesStandAtTheTimesOfThePictures) {
  figure.plots = {plot("force", "N", {"fx"})};
  figure.dpi = 288;
  figure.rules = {0.25, 0.7};
  const FigurePainter painter(figure);
  ASSERT_TRUE(writeFigure(figure, path("f.png")).ok());
  const QImage image(folder.filePath("f.png"));
  const QRectF area = painter.area(0);
  const auto darkness = [&](double time) {
    const double x = (area.left() + area.width() * time) * 4;
    EXPECT_NEAR(x / 4, painter.xOf(time), 1e-9);
    int dark = 0, rows = 0;
    for (int y = static_cast<int>(area.top() * 4) + 2; y < static_cast<int>(area.bottom() * 4) - 4;
         ++y, ++rows)
      for (int dx = -1; dx <= 1; ++dx)
        if (qGray(image.pixel(static_cast<int>(x) + dx, y)) < 200) {
          ++dark;
          break;
        }
    return static_cast<double>(dark) / rows;
  };
  EXPECT_GT(darkness(0.25), 0.98);
  EXPECT_GT(darkness(0.7), 0.98);
  EXPECT_LT(darkness(0.5), 0.3);
}

TEST_F(Figures, AnSvgIsXmlWithWordsAsText) {
  ASSERT_TRUE(writeFigure(figure, path("f.svg")).ok());
  QXmlStreamReader xml(bytesOf("f.svg"));
  QStringList words;
  int images = 0;
  while (!xml.atEnd()) {
    xml.readNext();
    if (xml.isStartElement() && xml.name() == QLatin1String("image")) ++images;
    if (xml.isStartElement() && xml.name() == QLatin1String("text"))
      words << xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
  }
  EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
  EXPECT_EQ(images, 3);
  for (const char* word :
       {"0.5 s", "roller.contact:", "fx", "fz", "force [N]", "a & b < c [m]", "roller.z", "time [s]", "0.2"})
    EXPECT_TRUE(words.contains(word)) << word;
}

TEST_F(Figures, APdfHasOnePageAndItsFont) {
  const Result<FigureReport> written = writeFigure(figure, path("f.pdf"));
  ASSERT_TRUE(written.ok());
  EXPECT_NEAR(written->width_mm, 170, 1e-6);
  EXPECT_FALSE(written->family.isEmpty());
  const QByteArray pdf = bytesOf("f.pdf");
  EXPECT_EQ(pdf.count("/Type /Page\n"), 1);
  EXPECT_GE(pdf.count("/FontFile"), 1);
}

TEST_F(Figures, LettersStandAtPicturesPlotsAndRules) {
  figure.letters = true;
  ASSERT_TRUE(writeFigure(figure, path("f.svg")).ok());
  const QByteArray svg = bytesOf("f.svg");
  for (const char* word : {">(a)  0 s<", ">(c)  1 s<", ">(d)<", ">(e)<"})
    EXPECT_TRUE(svg.contains(word)) << word;
  for (const char* word : {">a<", ">b<", ">c<"}) EXPECT_EQ(svg.count(word), 1) << word;
}

TEST_F(Figures, CurvesOfOnePlotDifferWithoutColour) {
  figure.plots = {plot("force", "N", {"a", "b", "c", "d", "e", "f"})};
  ASSERT_TRUE(writeFigure(figure, path("f.svg")).ok());
  const QString svg = QString::fromUtf8(bytesOf("f.svg"));
  QSet<QString> dashes;
  static const QRegularExpression pattern("stroke-dasharray=\"([^\"]*)\"");
  for (auto match = pattern.globalMatch(svg); match.hasNext();) dashes << match.next().captured(1);
  EXPECT_EQ(dashes.size(), 5) << "and one that is solid";
}

TEST_F(Figures, WhatCannotBeWrittenIsAnErrorAndLeavesNothing) {
  const Result<FigureReport> format = writeFigure(figure, path("f.jpg"));
  ASSERT_FALSE(format.ok());
  EXPECT_NE(format.error().remedy.find(".pdf, .svg or .png"), std::string::npos);
  const Result<FigureReport> missing = writeFigure(figure, path("missing/f.pdf"));
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().code, ErrorCode::FileUnwritable);
  EXPECT_TRUE(QDir(folder.path()).isEmpty());
}

}  // namespace
}  // namespace slipstick::ui
