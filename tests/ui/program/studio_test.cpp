// The window with the real program behind it, driven as a person drives it: what is asserted is what the session knows
// and what is drawn.
#include <gtest/gtest.h>

#include <QApplication>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include "engine/facts/pair_force.h"
#include "tests/ui/program/studio_fixture.h"

namespace slipstick::ui {
namespace {

TEST_F(Studio, WhyAContactHoldsIsThereAtAGlance) {
  // Play, pause.
  QTest::keyClick(&window, Qt::Key_Space);
  ASSERT_TRUE(eventually([&] { return session().moment().shown()->step > 5; }));
  QTest::keyClick(&window, Qt::Key_Space);
  EXPECT_FALSE(session().run().status().playing);
  session().transport().runUntil(0.75);
  ASSERT_TRUE(eventually([&] { return !session().run().status().playing; }));

  // Scrub to 0.7 s with the pointer: picture and timeline show one time.
  TimelineBar& bar = window.timeline().bar();
  QTest::mouseClick(&bar, Qt::LeftButton, {}, QPoint(static_cast<int>(bar.xOf(0.7)), 20));
  EXPECT_NEAR(session().moment().shown()->time, 0.7, 2e-3);
  settle();
  EXPECT_EQ(session().moment().presented(), viewport().picture()->request.snapshot);
  EXPECT_EQ(viewport().picture()->request.frame->time, session().moment().shown()->time);

  // Both panels carry one net force with its number; one click on an arrow selects what it sums.
  ASSERT_EQ(drawn().pairs.size(), 2u);
  EXPECT_GE(drawn().arrows.size(), 2u);
  EXPECT_GE(drawn().labels.size(), 2u);
  const auto arrow = std::find_if(drawn().arrows.begin(), drawn().arrows.end(), [](const render::Arrow& a) {
    return std::holds_alternative<ContactPair>(a.selects) && a.vector.x() > 0;  // outwards on the right panel
  });
  ASSERT_NE(arrow, drawn().arrows.end());
  const ContactPair pair = std::get<ContactPair>(arrow->selects);
  QTest::mouseClick(&viewport(), Qt::LeftButton, {}, pixelOf(arrow->from + 0.7f * arrow->vector));
  ASSERT_TRUE(eventually([&] { return session().focus().selection() == render::Selection(pair); }));
  settle();

  // Its force, in the inspector and from the solver's contacts.
  const PairForce force = pairForce(*session().model(), session().moment().shown()->contacts, pair);
  EXPECT_NEAR(force.normal.norm(), 10, 0.2);  // each panel presses with 10 N
  EXPECT_NEAR(number("normal"), force.normal.norm(), 0.01 * force.normal.norm());
  EXPECT_NEAR(number("friction"), force.friction.norm(), 0.01 * force.friction.norm());

  // Near, its footprint: what is painted is what presses.
  viewport().fitSelection();
  settle();
  const auto view = std::find_if(drawn().pairs.begin(), drawn().pairs.end(),
                                 [&](const render::PairView& v) { return v.force.pair == pair; });
  ASSERT_NE(view, drawn().pairs.end());
  EXPECT_TRUE(view->footprint);
  EXPECT_FALSE(drawn().patches.empty());
  EXPECT_FALSE(drawn().strokes.empty());
  EXPECT_NEAR(view->footprintForce, force.normalSum, 1e-4 * force.normalSum);
  EXPECT_LT(((view->drawn + view->remainder).force - force.force).norm(), 1e-6 * force.force.norm());
  EXPECT_LT(((view->drawn + view->remainder).torque - force.moment).norm(), 1e-6 * force.force.norm());

  // Its points: what is drawn and what is not is all of it.
  render::ViewOptions points = session().focus().view();
  points.contactView = render::ContactView::Points;
  session().focus().setView(points);
  settle();
  const auto pointsView = std::find_if(drawn().pairs.begin(), drawn().pairs.end(),
                                       [&](const render::PairView& v) { return v.force.pair == pair; });
  ASSERT_NE(pointsView, drawn().pairs.end());
  EXPECT_GT(pointsView->arrows, 4);
  EXPECT_LT(((pointsView->drawn + pointsView->remainder).force - force.force).norm(),
            1e-6 * force.force.norm());

  // Why it holds.
  QTest::keyClick(&window, Qt::Key_Y);
  ASSERT_TRUE(eventually([&] { return viewport().facts().whyFacts() != nullptr; }));
  const render::WhyFacts& why = *viewport().facts().whyFacts();
  EXPECT_EQ(why.force.pair, pair);
  EXPECT_FALSE(why.past.empty());
  EXPECT_GT(why.holding.margin, 0);
  EXPECT_EQ(why.holding.margin, why.force.margin());
  EXPECT_NEAR(number("margin"), why.holding.margin, 0.01 * why.holding.margin) << "one margin everywhere";
  settle();

  // A ghost of this moment stays while one looks at a later one.
  QTest::keyClick(&window, Qt::Key_G);
  QTest::keyClick(&window, Qt::Key_End);
  ASSERT_TRUE(
      eventually([&] { return isSettled() && viewport().picture()->request.frame->ghosts.size() == 1; }));
  EXPECT_GT(session().moment().shown()->time, 0.74);

  // A picture of it all.
  QTemporaryDir folder;
  qputenv("XDG_CONFIG_HOME", folder.path().toUtf8());
  QFile dirs(folder.filePath("user-dirs.dirs"));
  ASSERT_TRUE(dirs.open(QIODevice::WriteOnly));
  dirs.write(("XDG_PICTURES_DIR=\"" + folder.path() + "\"\n").toUtf8());
  dirs.close();
  QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier);
  const QStringList pictures = QDir(folder.path()).entryList({"hold-*.png"});
  ASSERT_EQ(pictures.size(), 1);
  const QImage saved(folder.filePath(pictures[0]));
  EXPECT_EQ(saved.size(), viewport().picture()->image.size());
}

}  // namespace
}  // namespace slipstick::ui
