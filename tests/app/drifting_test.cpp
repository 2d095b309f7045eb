// A program with one method more: whatever reads, steps, writes or compares scenes does so with it, too.
#include <assimp/scene.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/app/export_run.h"
#include "tests/support/drifting/scene.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class DriftingProgram : public testing::ExportedRun {
 protected:
  DriftingProgram() {
    program_ = testing::program().parent_path() / "slipstick_drifting";
    std::ofstream(path("drift.yaml")) << drifting::kScene;
  }
  nlohmann::json report() const { return nlohmann::json::parse(testing::readText(path("r.json"))); }
  static double number(const std::map<std::string, std::string>& row, const std::string& head) {
    return std::stod(row.at(head));
  }
};

TEST_F(DriftingProgram, ARunHasItsObservableAndTheWaysOfWhatDrifts) {
  const Outcome outcome = run("run drift.yaml --report r.json --csv o.csv");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(report()["method"], "drifting");
  EXPECT_EQ(report()["backend"], "drifting");
  EXPECT_EQ(report()["particles"], 8);
  EXPECT_EQ(report()["contacts"]["max"], 1);
  EXPECT_EQ(report()["health"]["Crowded"], 0);
  EXPECT_LT(report()["momentum_error"].get<double>(), 1e-9);
  const auto all = rows("o.csv");
  ASSERT_EQ(all.size(), 61u);
  EXPECT_NEAR(number(all[1], "solver.drifting.nearest [mm]"), 1e3 * std::hypot(0.1475, 0.1), 1e-6);
  for (const auto& row : all) {
    EXPECT_NEAR(number(row, "ball.y [m]"), 0.5 * number(row, "time [s]"), 1e-12);
    EXPECT_NEAR(number(row, "ball.vy [m/s]"), 0.5, 1e-12);
    EXPECT_NEAR(number(row, "left.vx [m/s]") + number(row, "right.vx [m/s]"), 0.5, 1e-12);
  }
}

TEST_F(DriftingProgram, ARunSaysItsHealthFlagWithTheRemedy) {
  const Outcome outcome =
      run("run drift.yaml --report r.json --set materials.gel.E=1 --set solver.drifting.reach=0.3");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.err, AllOf(HasSubstr("Crowded first at"), HasSubstr("lower solver.drifting.reach")));
  EXPECT_GT(report()["health"]["Crowded"], 0);
}

TEST_F(DriftingProgram, ARecordingReplaysEqualAndIsExportedAsTheRunIs) {
  ASSERT_EQ(run("run drift.yaml --record r.h5 --csv o.csv").status, 0);
  const Outcome replayed = run("replay r.h5 --check");
  EXPECT_EQ(replayed.status, 0) << replayed.err;
  EXPECT_THAT(replayed.out, HasSubstr("all 60 steps are equal, bit for bit"));
  EXPECT_THAT(run("check r.h5").out, HasSubstr("drifting on CPU"));
  EXPECT_THAT(run("check drift.yaml").out, AllOf(HasSubstr("8 nodes"), HasSubstr("method: drifting")));
  const std::string what = " --observables ball.y,left.x,solver.drifting.nearest,left+right.normal --csv ";
  ASSERT_EQ(run("export r.h5" + what + "recorded.csv").status, 0);
  ASSERT_EQ(run("export drift.yaml" + what + "anew.csv").status, 0);
  const auto recorded = rows("recorded.csv"), anew = rows("anew.csv");
  ASSERT_EQ(recorded.size(), 61u);
  ASSERT_EQ(anew.size(), 61u);
  double largest = 0;
  for (std::size_t i = 0; i < anew.size(); ++i) {
    for (const auto& [head, value] : anew[i]) {
      // Recordings have nine digits of observables, and four of the forces of contacts.
      const double digits = head.find(".normal") == std::string::npos ? 1e-6 : 5e-4;
      EXPECT_NEAR(number(recorded[i], head), std::stod(value), digits * (1 + std::abs(std::stod(value))))
          << head;
    }
    largest = std::max(largest, number(anew[i], "right+left.normal [N]"));
  }
  EXPECT_GT(largest, 0.1);
}

TEST_F(DriftingProgram, ARecordingIsNothingForAProgramWithoutTheMethod) {
  ASSERT_EQ(run("run drift.yaml --record r.h5 --quiet").status, 0);
  program_ = testing::program();
  const Outcome outcome = run("replay r.h5 --check");
  EXPECT_NE(outcome.status, 0);
  EXPECT_THAT(outcome.err, HasSubstr("drifting"));
}

TEST_F(DriftingProgram, ContactsAreExportedWithBothTheirDeformables) {
  ASSERT_EQ(run("export drift.yaml --contacts c.csv").status, 0);
  const auto contacts = rows("c.csv");
  ASSERT_GT(contacts.size(), 5u);
  for (const auto& row : contacts) {
    EXPECT_EQ(row.at("deformable") + " " + row.at("on_deformable"), "right left");
    EXPECT_EQ(row.at("body"), "");
    EXPECT_GT(number(row, "gap [m]"), 0.1);
    EXPECT_LT(number(row, "gap [m]"), 0.15);
    EXPECT_GT(number(row, "normal [N]"), 0);
    EXPECT_LT(number(row, "friction [N]"), 1e-9);
  }
}

TEST_F(DriftingProgram, FilesOfGeometryHoldTheTriangles) {
  ASSERT_EQ(run("export drift.yaml --geometry geo --fps 10").status, 0);
  const std::string ply = testing::readText(path("geo/left_000000.ply"));
  EXPECT_THAT(ply, AllOf(HasSubstr("element vertex 4\n"), HasSubstr("element face 4\n")));
  ASSERT_EQ(run("export drift.yaml --geometry obj --format obj --fps 10").status, 0);
  Assimp::Importer importer;
  const aiScene* obj = importer.ReadFile(path("obj/left_000000.obj"), 0);
  ASSERT_NE(obj, nullptr) << importer.GetErrorString();
  ASSERT_EQ(obj->mNumMeshes, 1u);
  EXPECT_EQ(obj->mMeshes[0]->mNumFaces, 4u);
}

TEST_F(DriftingProgram, AnAnimationHoldsTheTrianglesAndTheBall) {
  ASSERT_EQ(run("export drift.yaml --gltf a.glb").status, 0);
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(path("a.glb"), 0);
  ASSERT_NE(scene, nullptr) << importer.GetErrorString();
  for (const char* name : {"left", "right"}) {
    const aiNode* node = scene->mRootNode->FindNode(name);
    ASSERT_TRUE(node && node->mNumMeshes == 1) << name;
    EXPECT_EQ(scene->mMeshes[node->mMeshes[0]]->mNumFaces, 4u);
    EXPECT_EQ(scene->mMeshes[node->mMeshes[0]]->mNumVertices, 4u);
  }
  EXPECT_NE(scene->mRootNode->FindNode("ball"), nullptr);
}

TEST_F(DriftingProgram, ArraysHoldItsNodesAndItsContacts) {
  ASSERT_EQ(run("export drift.yaml --npz r.npz").status, 0);
  const std::string script =
      "import numpy as np; d = np.load('r.npz'); "
      "assert d['particles'].shape[1:] == (8, 3), d['particles'].shape; "
      "assert len(d['contact_deformable']) > 5 and (d['contact_deformable'] == 1).all(); "
      "assert (d['contact_on_deformable'] == 0).all(); "
      "assert 'solver.drifting.nearest' in list(d['observable_names'])";
  EXPECT_EQ(std::system(("cd '" + folder_.string() + "' && /usr/bin/python3 -c \"" + script + "\"").c_str()),
            0);
}

TEST_F(DriftingProgram, IsComparedWithItselfAndWithAMethodThatHasOtherNodes) {
  const Outcome outcome =
      run("compare drift.yaml --runs a=drifting,b=drifting,c=async --set b:solver.drifting.reach=0.01 "
          "--duration 0.2 --report r.json --csv t.csv --out f.png --dpi 72");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const nlohmann::json runs = report()["runs"];
  ASSERT_EQ(runs.size(), 3u);
  EXPECT_EQ(runs[0]["method"], "drifting");
  EXPECT_EQ(runs[1]["set"][0], "solver.drifting.reach=0.01");
  EXPECT_EQ(runs[2]["method"], "async");
  const auto all = rows("t.csv");
  ASSERT_EQ(all.size(), 3u * 41);
  const double first = number(all[0], "energy.kinetic [J]");
  double least = first;
  for (std::size_t i = 0; i < 41; ++i) {
    least = std::min(least, number(all[i], "energy.kinetic [J]"));
    EXPECT_NEAR(number(all[41 + i], "energy.kinetic [J]"), first, 1e-9) << "they never met";
  }
  EXPECT_LT(least, first - 2e-3) << "they press each other";
}

TEST_F(DriftingProgram, AComparisonOfAllMethodsLeavesItOutWhereItCannot) {
  const Outcome ball = run("compare drop.yaml --duration 0.01");
  EXPECT_EQ(ball.status, 0) << ball.err;
  EXPECT_THAT(ball.err, AllOf(HasSubstr("drifting is left out"), HasSubstr("gravity: [0, 0, 0]")));
  EXPECT_THAT(ball.out, AllOf(HasSubstr("async"), Not(HasSubstr("drifting"))));
}

TEST_F(DriftingProgram, WhatItCannotStepIsRefusedWithWhatWhereAndARemedy) {
  for (const char* command :
       {"run drift.yaml --set gravity.z=-9.81", "check drift.yaml --set gravity.z=-9.81"}) {
    const Outcome heavy = run(command);
    EXPECT_EQ(heavy.status, 1) << command;
    EXPECT_THAT(heavy.err, AllOf(HasSubstr("drift.yaml, gravity"), HasSubstr("what drifts has no weight"),
                                 HasSubstr("write gravity: [0, 0, 0]")));
  }
  std::ofstream(path("round.yaml")) << R"(gravity: [0, 0, 0]
solver: {method: drifting}
materials: {gel: {model: fixed_corotated, E: 1e4, nu: 0.3, density: 1000}}
deformables: {drop: {material: gel, shape: sphere, radius: 0.05, position: [0, 0, 0.3]}}
)";
  for (const char* command : {"run round.yaml", "check round.yaml"}) {
    const Outcome round = run(command);
    EXPECT_EQ(round.status, 1) << command;
    EXPECT_THAT(round.err, AllOf(HasSubstr("deformable 'drop'"), HasSubstr("only a box or a closed mesh"),
                                 HasSubstr("write shape: box")));
  }
  EXPECT_EQ(run("run round.yaml --method async --duration 0.01 --record r.h5").status, 0)
      << "another one can";
  EXPECT_EQ(run("replay r.h5 --check").status, 0);
  const Outcome compared = run("compare round.yaml --duration 0.01");
  EXPECT_EQ(compared.status, 0) << compared.err;
  EXPECT_THAT(compared.err, HasSubstr("drifting is left out"));
  EXPECT_THAT(run("run drift.yaml --set solver.drifting.reach=-1").err, HasSubstr("solver.drifting.reach"));
  EXPECT_THAT(run("run drift.yaml --set solver.drifting.raech=1").err, HasSubstr("reach"));
  EXPECT_THAT(run("run drift.yaml --backend cpu").err, HasSubstr("steps everything by itself"));
}

}  // namespace
}  // namespace slipstick
