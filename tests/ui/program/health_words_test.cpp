// What health flags are called, and what made them.
#include "ui/health_words.h"

#include <gtest/gtest.h>

#include "engine/compile/compile.h"
#include "engine/model/model.h"
#include "tests/assets/scene_text.h"
#include "ui/solver_words.h"

namespace slipstick::ui {
namespace {

std::shared_ptr<const Model> modelOf(const std::string& yaml) {
  const Result<assets::LoadedScene> loaded = testing::parsed(yaml, {});
  EXPECT_TRUE(loaded) << loaded.error().message();
  const Result<CompiledScene> compiled = compile(loaded->scene);
  EXPECT_TRUE(compiled) << compiled.error().message();
  return compiled->model;
}

const std::string kScene = R"(
materials: {dough: {model: hencky, density: 1000, E: 2.0e4, nu: 0.4}}
deformables:
  lump: {material: dough, shape: box, size: [0.04, 0.04, 0.04], position: [0, 0, 0.1]}
bodies:
  ground: {shapes: [{shape: plane}]}
  crate: {base: free, mass: 2, position: [0, 0, 0.5], shapes: [{shape: box, size: [0.1, 0.1, 0.1]}]}
robots:
  slide: {urdf: ../robots/slider.urdf, position: [0, 1, 1]}
paths: {far: {keys: [{t: 0, position: [0, 1, 1]}, {t: 1, position: [9, 1, 1]}]}}
pair_rules:
  - {a: lump, b: ground, enabled: false}
  - {a: crate, b: ground, enabled: false}
controllers:
  - {kind: end_effector_path, robot: slide, link: panel, path: far}
)";

TEST(HealthWords, NameTheJointItsLimitAndTheGoal) {
  Snapshot s;
  s.model = modelOf(kScene);
  raise(s.report.health, Health::ActuatorSaturated);
  raise(s.report.health, Health::IkFailed);
  s.saturatedJoints = {s.model->findJoint("slide.slide")};
  s.unreachedGoals = {0};
  const std::vector<HealthCause> causes = causesOf(s);
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].words, "slide.slide runs at its effort limit of 1.00e+06 N");
  EXPECT_EQ(causes[0].key, "slide.slide");
  EXPECT_EQ(causes[1].words, "slide.panel cannot reach its goal on the path far (controller 0)");
  for (const HealthInfo& info : kHealthInfo) EXPECT_TRUE(remedyOf(info).endsWith('.'));
}

TEST(HealthWords, SayWhichPairGainedEnergyWasTooFastOrTooThinAndByHowMuch) {
  Snapshot s;
  s.model = modelOf(kScene);
  const int crate = s.model->findBody("crate"), slide = s.model->findBody("slide.panel");
  for (const Health flag : {Health::EnergyGained, Health::FastBody, Health::TooThin})
    raise(s.report.health, flag);
  s.healthNotes = {{Health::EnergyGained, crate, -1, 0, 4.96, 0.0715},
                   {Health::FastBody, crate, slide, -1, 0.06, 0.02},
                   {Health::TooThin, slide, -1, 0, 0.0013, 0.001}};
  const std::vector<HealthCause> causes = causesOf(s);
  ASSERT_EQ(causes.size(), 3u);
  EXPECT_EQ(causes[0].words, "contact gave crate and lump 4.96 J, at most 0.0715 J is plausible");
  EXPECT_EQ(causes[0].key, "crate|lump");
  EXPECT_EQ(causes[1].words,
            "crate moves 60 mm towards slide.panel in one step, at most 20 mm is safe: use time.dt_ms of 3.3 "
            "or less");
  EXPECT_EQ(causes[2].words,
            "particles of lump are 1.3 mm deep in slide.panel, half of whose thickness is 1 mm");
}

TEST(HealthWords, SayWhichSolveStoppedWhereAndWhatWouldHelp) {
  Snapshot s;
  s.model = modelOf(kScene);
  s.report.substeps = 12;
  s.report.notConvergedSolves = 2;
  raise(s.report.health, Health::NotConverged);
  contact::SolveTrace falling, stuck;
  for (int i = 0; i <= 500; ++i) {
    falling.add(std::pow(0.99, i));
    stuck.add(i < 10 ? 1 : 0.5);
  }
  falling.finish(false, 1e-3);
  falling.setIndex(3);
  stuck.finish(false, 1e-3);
  s.contactSolve = falling;
  const QString words = causesOf(s).at(0).words;
  EXPECT_TRUE(words.startsWith("2 solves of the step did not converge")) << words.toStdString();
  EXPECT_TRUE(words.contains("contact, substep 4 of 12: stopped after 500 iterations"))
      << words.toStdString();
  EXPECT_TRUE(words.contains("10⁻³ wanted")) << words.toStdString();
  EXPECT_TRUE(wasFalling(falling));
  EXPECT_FALSE(wasFalling(stuck));
  EXPECT_TRUE(solveRemedy(falling).contains("raise max_iterations"));
  EXPECT_TRUE(solveRemedy(stuck).contains("no longer fell"));
}

TEST(HealthWords, SayWhichPairsWillNotMeetAndWhy) {
  const QStringList lines = pairsApart(*modelOf(kScene));
  ASSERT_EQ(lines.size(), 1) << lines.join("\n").toStdString();
  EXPECT_EQ(lines[0],
            "2 pairs of bodies will not meet, as a pair rule says so: ground with crate, lump with ground");
  const QStringList hand = pairsApart(*modelOf("robots: {hand: {urdf: ../robots/hand16.urdf}}\n"));
  ASSERT_GE(hand.size(), 1);
  const QString& joints = hand.back();
  EXPECT_TRUE(joints.contains("a joint, weld or ball connects them")) << hand.join("\n").toStdString();
  EXPECT_TRUE(joints.endsWith(QString(" and %1 more").arg(joints.section(' ', 0, 0).toInt() - 4)))
      << "a long list is summed up: " << joints.toStdString();
}

TEST(SolverWords, SayWhatTookLongestAndWhy) {
  Snapshot s;
  s.model = modelOf(kScene);
  EXPECT_EQ(whySlow(s), "") << "nothing was computed";
  s.report.substeps = 12;
  s.report.contacts = 1412;
  s.report.contactIterationsMean = 31;
  s.report.phases = {1e-4, 1e-4, 3e-4, 6e-3, 0, 1e-3, 5e-4};
  EXPECT_EQ(whySlow(s),
            "Contact solves: 75 % of the step. 12 substeps with 1,412 contacts, 31 iterations on average.");
}

}  // namespace
}  // namespace slipstick::ui
