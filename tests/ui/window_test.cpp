// What a person does with the window, done with its real widgets.
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QTest>

#include "engine/rigid/joint_wrench.h"
#include "tests/ui/sample_studio.h"
#include "ui/screenshot_run.h"
#include "ui/text.h"

namespace slipstick::ui {
namespace {

using testing::eventually;
using testing::SampleWindow;

std::uint64_t shownStep(SampleWindow& window) {
  return window.session().moment().shown()->step;
}

TEST(Keys, RightComputesOneStepAtTheNewestAndLeftLooksBack) {
  SampleWindow window;
  QTest::keyClick(&*window, Qt::Key_Right);
  ASSERT_TRUE(eventually([&] { return shownStep(window) == 1; }));
  QTest::keyClick(&*window, Qt::Key_Right);
  ASSERT_TRUE(eventually([&] { return shownStep(window) == 2; }));
  QTest::keyClick(&*window, Qt::Key_Left);
  EXPECT_EQ(shownStep(window), 1u);
  EXPECT_FALSE(window.session().moment().isLive());
  QTest::keyClick(&*window, Qt::Key_Right);
  EXPECT_EQ(shownStep(window), 2u);
  EXPECT_EQ(window.session().run().status().lastStep, 2u);  // looked at, not computed
}

TEST(Keys, SpacePlaysAndPausesAndBackspaceResets) {
  SampleWindow window;
  QTest::keyClick(&*window, Qt::Key_Space);
  EXPECT_TRUE(window.session().run().status().playing);
  ASSERT_TRUE(eventually([&] { return shownStep(window) >= 3; }));
  QTest::keyClick(&*window, Qt::Key_Space);
  EXPECT_FALSE(window.session().run().status().playing);
  QTest::keyClick(&*window, Qt::Key_Backspace);
  EXPECT_TRUE(eventually([&] { return shownStep(window) == 0; }));
}

TEST(Keys, ToggleWhatIsDrawnAndThePanelsAndTheSpeed) {
  SampleWindow window;
  const auto before = window.session().focus().view();
  QTest::keyClick(&*window, Qt::Key_F);
  QTest::keyClick(&*window, Qt::Key_W);
  EXPECT_EQ(window.session().focus().view().forces, !before.forces);
  EXPECT_EQ(window.session().focus().view().wireframe, !before.wireframe);
  QTest::keyClick(&*window, Qt::Key_Tab);
  EXPECT_FALSE(window->panel<ContactsPanel>().isVisible());
  QTest::keyClick(&*window, Qt::Key_Tab);
  EXPECT_TRUE(window->panel<ContactsPanel>().isVisible());
  QTest::keyClick(&*window, Qt::Key_Minus);
  EXPECT_EQ(window.session().run().status().speedWanted, 0.5);
  QTest::keyClick(&*window, Qt::Key_Plus);
  EXPECT_EQ(window.session().run().status().speedWanted, 1);
}

TEST(ContactsTable, ClickingARowSelectsTheContactAndBack) {
  SampleWindow window;
  window.runTo(1.0);
  ContactTable& table = window->panel<ContactsPanel>().table();
  QTableView& view = window->panel<ContactsPanel>().view();
  ASSERT_TRUE(eventually([&] { return table.rowCount() > 30; }));
  table.refresh();  // it may still show a moment 80 ms ago
  const int row = 3;
  ASSERT_FALSE(table.row(row).isSum);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.visualRect(table.index(row, 0)).center());
  ASSERT_TRUE(std::holds_alternative<ContactKey>(window.session().focus().selection()));
  EXPECT_EQ(std::get<ContactKey>(window.session().focus().selection()), table.row(row).key);
  ASSERT_NE(window.session().focus().selectedContact(), nullptr);

  // Selected elsewhere (in the viewport), the row comes into view.
  const int last = table.rowCount() - 1;
  window.session().focus().select(table.row(last).key);
  EXPECT_TRUE(view.viewport()->rect().contains(view.visualRect(table.index(last, 0)).center()));
}

TEST(ContactsTable, SumsEqualTheWrenchOnTheBody) {
  SampleWindow window;
  window.runTo(1.0);
  ContactTable& table = window->panel<ContactsPanel>().table();
  ASSERT_TRUE(eventually([&] { return table.rowCount() > 1 && table.row(0).isSum; }));
  table.refresh();
  double normal = 0;
  for (const Contact& contact : window.session().moment().shown()->contacts) normal += contact.normalForce();
  EXPECT_NEAR(table.row(0).normalForce, normal, 1e-9 * normal);
  EXPECT_EQ(table.row(0).count, table.contacts());
  EXPECT_EQ(table.sticking() + table.slipping(), table.contacts());
}

TEST(ContactsTable, APinnedPairStandsOnceAndAFilterCountsWhatItShows) {
  SampleWindow window;
  window.runTo(1.0);
  ContactsPanel& panel = window->panel<ContactsPanel>();
  ContactTable& table = panel.table();
  ASSERT_TRUE(eventually([&] { return table.rowCount() > 30; }));
  const auto sumsOf = [&](const render::ContactPair& pair) {
    int sums = 0;
    for (int i = 0; i < table.rowCount(); ++i) sums += table.row(i).isSum && table.row(i).pair == pair;
    return sums;
  };
  table.refresh();  // it may still show a moment 80 ms ago
  const render::ContactPair pair = table.row(0).pair;
  const int rows = table.rowCount();
  window.session().pinBoard().togglePin(table.pinOf(table.row(0)));
  EXPECT_TRUE(table.row(0).isPinned);
  EXPECT_EQ(sumsOf(pair), 1);
  EXPECT_EQ(table.rowCount(), rows);
  int single = 0;
  while (table.row(single).isSum) ++single;
  const ContactKey key = table.row(single).key;
  window.session().pinBoard().togglePin(table.pinOf(table.row(single)));
  EXPECT_EQ(table.rowCount(), rows) << "of a contact, too";
  EXPECT_TRUE(table.row(table.find(key)).isPinned);

  const int all = table.contacts();
  panel.findChild<Field*>()->setText("no such thing");
  EXPECT_EQ(table.contacts(), 0);
  EXPECT_EQ(table.hidden(), all);
  panel.findChild<Field*>()->setText(table.pairName(table.row(0)));
  EXPECT_LE(table.contacts(), all);
  EXPECT_EQ(table.contacts() + table.hidden(), all);
  EXPECT_EQ(table.sticking() + table.slipping(), table.contacts());
}

TEST(ContactsTable, TheFirstClickOnNumbersBringsTheLargestUp) {
  SampleWindow window;
  window.runTo(1.0);
  ContactTable& table = window->panel<ContactsPanel>().table();
  ASSERT_TRUE(eventually([&] { return table.rowCount() > 30; }));
  QHeaderView& header = *window->panel<ContactsPanel>().view().horizontalHeader();
  const QPoint slip(header.sectionViewportPosition(ContactTable::SlipSpeed) + 10, header.height() / 2);
  QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, slip);
  EXPECT_EQ(header.sortIndicatorOrder(), Qt::DescendingOrder);
  double last = std::numeric_limits<double>::infinity();
  for (int i = 0; i < table.rowCount(); ++i) {
    if (table.row(i).isSum) continue;
    EXPECT_LE(table.row(i).slipSpeed, last);
    last = table.row(i).slipSpeed;
  }
  QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, slip);
  EXPECT_EQ(header.sortIndicatorOrder(), Qt::AscendingOrder);
}

TEST(Viewport, AClickSelectsWhatIsThereAndTheTreeFollows) {
  SampleWindow window(QSize(1300, 800));
  window.runTo(1.0);
  Viewport& viewport = window->viewport();
  ASSERT_TRUE(eventually([&] { return viewport.paintedStep() == shownStep(window); }));
  // The dough's front side, well under the pin.
  const auto& camera = viewport.camera();
  const Eigen::Vector4f clip = camera.projection(static_cast<double>(viewport.width()) / viewport.height()) *
                               camera.view() * Eigen::Vector4f(0, -0.06f, 0.06f, 1);
  const QPoint pixel(static_cast<int>((clip.x() / clip.w() + 1) / 2 * static_cast<float>(viewport.width())),
                     static_cast<int>((1 - clip.y() / clip.w()) / 2 * static_cast<float>(viewport.height())));
  QTest::mouseClick(&viewport, Qt::LeftButton, {}, pixel);
  ASSERT_TRUE(eventually([&] {
    return std::holds_alternative<render::SelectedDeformable>(window.session().focus().selection());
  }));
  ASSERT_NE(window->panel<ScenePanel>().tree().currentItem(), nullptr);
  EXPECT_EQ(window->panel<ScenePanel>().tree().currentItem()->text(0), "dough");
}

TEST(Opening, AFailedLoadKeepsTheOldSceneAndSaysWhy) {
  SampleWindow window;
  window.runTo(0.1);
  const auto model = window.session().model();
  window.session().opener().open("missing.yaml");
  ASSERT_TRUE(
      eventually([&] { return !window.session().opener().isLoading() && window->banner().isVisible(); }));
  EXPECT_EQ(window.session().model(), model);
  EXPECT_EQ(shownStep(window), 10u);
  EXPECT_TRUE(window->banner().text().contains("missing.yaml"));
  EXPECT_TRUE(window->banner().text().contains("check the path"));
  const auto& list = window->panel<LogPanel>().list();
  EXPECT_TRUE(list.item(list.count() - 1)->text().contains("missing.yaml"));
}

/// A window whose loads all end in a throw.
class ThrowingWindow {
 public:
  explicit ThrowingWindow(std::function<void()> throws)
      : window_(services(std::move(throws)), QSize(900, 560), false) {
    window_.show();
  }
  /// The banner after trying to open something.
  QString tried() {
    window_.session().opener().open("hostile.dae");
    EXPECT_TRUE(
        eventually([&] { return !window_.session().opener().isLoading() && window_.banner().isVisible(); }));
    return window_.banner().text();
  }

 private:
  static StudioServices services(std::function<void()> throws) {
    StudioServices services = testing::sampleServices(std::make_shared<testing::SampleControl>());
    services.load = [throws = std::move(throws)](const std::string& name,
                                                 LoadProgress&) -> Result<StudioServices::Loaded> {
      throws();
      return Error{ErrorCode::FileNotFound, "it did not throw", name, ""};
    };
    return services;
  }
  MainWindow window_;
};

TEST(Opening, WhateverALoadThrowsIsSaidAndTheWindowStays) {
  struct Foreign {};  // as libraries have them
  EXPECT_TRUE(ThrowingWindow([] { throw std::bad_alloc(); }).tried().contains("not enough memory"));
  EXPECT_TRUE(
      ThrowingWindow([] { throw std::length_error("vector"); }).tried().contains("not enough memory"));
  EXPECT_TRUE(ThrowingWindow([] { throw std::runtime_error("bad chunk"); }).tried().contains("bad chunk"));
  const QString foreign = ThrowingWindow([] { throw Foreign(); }).tried();
  EXPECT_TRUE(foreign.contains("hostile.dae")) << foreign.toStdString();
}

TEST(Opening, ACardOfTheGalleryOpensItsScene) {
  MainWindow window(testing::sampleServices(std::make_shared<testing::SampleControl>()), QSize(1000, 640),
                    false);
  window.show();
  ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
  QAbstractButton* card = nullptr;
  for (auto* button : window.findChildren<QAbstractButton*>())
    if (button->text() == "sample") card = button;
  ASSERT_NE(card, nullptr);
  QTest::mouseClick(card, Qt::LeftButton);
  EXPECT_TRUE(eventually([&] { return window.session().isOpen() && window.viewport().isVisible(); }));
}

TEST(ResumeFromHere, StartsABranchAtTheStepShown) {
  SampleWindow window;
  window.runTo(0.3);
  EXPECT_FALSE(window->timeline().resumeButton().isEnabled());
  window.session().moment().lookAtStep(12);
  ASSERT_TRUE(window->timeline().resumeButton().isEnabled());
  QTest::mouseClick(&window->timeline().resumeButton(), Qt::LeftButton);
  ASSERT_TRUE(eventually([&] { return window.session().moment().isLive(); }));
  EXPECT_EQ(window.session().run().status().branch, 1u);
  EXPECT_EQ(window.session().run().status().lastStep, 12u);
  EXPECT_EQ(shownStep(window), 12u);
  EXPECT_EQ(window.session().run().status().error, "");
}

TEST(Inspector, FrictionIsEditedUndoneAndRedone) {
  SampleWindow window;
  window.session().focus().select(render::SelectedBody{testing::sampleWorld().roller});
  NumberField* field = window->panel<Inspector>().frictionField(0);
  ASSERT_NE(field, nullptr);
  EXPECT_EQ(field->value(), 1);
  field->setFocus();
  field->selectAll();
  QTest::keyClicks(field, "0.25");
  QTest::keyClick(field, Qt::Key_Return);
  EXPECT_EQ(window.session().numbers().friction(0), 0.25);
  window.runTo(0.01);
  QTest::keyClick(&*window, Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(window.session().numbers().friction(0), 1);
  EXPECT_EQ(field->value(), 1);
  window.runTo(0.02);
  QTest::keyClick(&*window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  window.runTo(0.03);
  EXPECT_EQ(window.frictionCommands(0), (std::vector<double>{0.25, 1, 0.25}));
}

TEST(Inspector, EditsStayInForceAfterGoingBack) {
  SampleWindow window;
  window.runTo(0.1);
  window.session().numbers().editParameter(frictionPath(*window.session().model(), 0), {0.4});
  window.session().moment().lookAtStep(5);
  window.session().transport().resumeFromHere();
  ASSERT_TRUE(eventually([&] { return window.session().moment().isLive(); }));
  window.runTo(0.2);
  ASSERT_FALSE(window.frictionCommands(0).empty());
  EXPECT_EQ(window.frictionCommands(0).back(), 0.4);
}

TEST(Inspector, AJointShowsTheForceThroughIt) {
  SampleWindow window;
  const QString dash(QChar(0x2013));
  window.session().focus().select(render::SelectedBody{testing::sampleWorld().leftFlange});
  Inspector& inspector = window->panel<Inspector>();
  const auto throughIt = [&] { return inspector.factText("force", 1); };  // the first is that of its contacts
  EXPECT_EQ(throughIt(), dash) << "there is no step before the first";
  window.runTo(0.1);
  // 0.3 kg at rest beyond a fixed joint, which has no axis.
  ASSERT_TRUE(eventually([&] { return throughIt() == "0.0, 0.0, 2.9"; })) << throughIt().toStdString();
  EXPECT_EQ(inspector.factText("torque"), "0.00, 0.00, 0.00");
  EXPECT_EQ(inspector.factText("about its axis"), QString());

  const auto model = window.session().model();
  const int link = model->findBody("left_arm.link_2");
  ASSERT_GT(link, 0);
  window.session().focus().select(render::SelectedBody{link});
  const Snapshot& shown = *window.session().moment().shown();
  const Wrench wrench = jointWrench(*model, model->gravity,
                                    *window.session().moment().source().at(shown.step - 1), shown, link - 1);
  EXPECT_GT(wrench.torque.norm(), 1);
  EXPECT_EQ(inspector.factText("torque"), vectorText(wrench.torque, 2));
  EXPECT_EQ(inspector.factText("about its axis"), number(wrench.torque.y(), 3));
  window.session().moment().lookAtStep(0);
  EXPECT_TRUE(eventually([&] { return throughIt() == dash; }));
}

TEST(Screenshot, HoldsTheWholeWindowWithTheViewport) {
  SampleWindow window(QSize(1000, 640));
  window.runTo(1.0);
  Viewport& viewport = window->viewport();
  ASSERT_TRUE(eventually([&] { return viewport.paintedStep() == shownStep(window); }));
  const QImage picture = window->grab().toImage();
  EXPECT_EQ(picture.size(), window->size() * window->devicePixelRatio());
  const QRect middle = QRect(viewport.mapTo(&*window, QPoint(0, 0)), viewport.size());
  std::set<QRgb> colors;
  for (int x = middle.left(); x < middle.right(); x += 3)
    colors.insert(picture.pixel(x, middle.center().y()));
  EXPECT_GT(colors.size(), 20u);  // a lit picture, not a flat or empty rectangle
}

TEST(Screenshot, AnUnwritablePathIsRefusedBeforeRunning) {
  const auto result = ScreenshotRun::checkWritable("/no/such/folder/picture.png");
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, ErrorCode::FileUnwritable);
  EXPECT_NE(result.error().where.find("/no/such/folder"), std::string::npos);
}

}  // namespace
}  // namespace slipstick::ui
