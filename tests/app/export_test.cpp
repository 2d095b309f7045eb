// Tables, arrays and folders of geometry: equal to the snapshots they come from, read by the programs they are for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>

#include "engine/foundation/number_text.h"
#include "engine/model/cloth.h"
#include "tests/app/export_run.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Exports : public testing::ExportedRun {
 protected:
  static double number(const std::map<std::string, std::string>& row, const std::string& head) {
    const auto found = row.find(head);
    if (found == row.end()) {
      ADD_FAILURE() << "no column " << head;
      return 0;
    }
    return parseNumber(found->second).value_or(std::nan(""));
  }
  static Vec3 vector(const std::map<std::string, std::string>& row, const std::string& before,
                     const std::string& unit) {
    Vec3 v;
    for (int i = 0; i < 3; ++i) v[i] = number(row, before + "xyz"[i] + unit);
    return v;
  }
  std::string firstLine(const std::string& name) const {
    const std::string text = testing::readText(path(name));
    return text.substr(0, text.find('\n'));
  }
};

class ExportedContacts : public Exports, public ::testing::WithParamInterface<const char*> {};

TEST_P(ExportedContacts, AreThoseOfTheSnapshotsAndAddUpToTheForcesOnBodies) {
  writeScene(GetParam());
  const Outcome outcome = run("export mix.yaml --contacts c.csv --bodies b.csv");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "c.csv\nb.csv\n");
  const auto run = snapshots(60);
  const auto contacts = rows("c.csv"), bodies = rows("b.csv");
  ASSERT_EQ(bodies.size(), 61 * model_->tree.bodies.size());
  std::size_t at = 0, modes = 0;
  for (const auto& snapshot : run) {
    std::vector<Vec3> sums(model_->tree.bodies.size(), Vec3::Zero());
    for (const Contact& contact : snapshot->contacts) {
      ASSERT_LT(at, contacts.size());
      const auto& row = contacts[at++];
      EXPECT_EQ(number(row, "step"), static_cast<double>(snapshot->step));
      EXPECT_EQ(number(row, "time [s]"), snapshot->time);
      const Vec3 force = vector(row, "f", " [N]");
      EXPECT_EQ(force, contact.f_Bc_W);
      EXPECT_EQ(vector(row, "", " [m]"), contact.p_WC);
      EXPECT_EQ(vector(row, "n", ""), contact.normal_W);
      EXPECT_EQ(number(row, "normal [N]"), contact.normalForce());
      EXPECT_EQ(number(row, "depth [m]"), contact.penetration());
      EXPECT_EQ(number(row, "slip [m/s]"), contact.slipSpeed);
      EXPECT_EQ(number(row, "friction_coefficient"), contact.friction);
      EXPECT_EQ(number(row, "bound [N]"), contact.frictionBound);
      modes += row.at("mode") == "slip" || row.at("mode") == "stick";
      sums[body(row.at("body").c_str())] += force;
      if (!row.at("other_body").empty()) sums[body(row.at("other_body").c_str())] -= force;
      EXPECT_NE(row.at("other_body").empty(), row.at("deformable").empty());
    }
    for (std::size_t b = 0; b < sums.size(); ++b) {
      const auto& row = bodies[snapshot->step * sums.size() + b];
      EXPECT_EQ(row.at("body"), model_->tree.bodies[b].name);
      EXPECT_EQ(vector(row, "", " [m]"), snapshot->X_WB[b].p);
      EXPECT_EQ(vector(row, "w", " [rad/s]"), snapshot->V_WB[b].w);
      const Vec3 all = vector(row, "contact.f", " [N]");
      EXPECT_EQ(all, snapshot->contactWrench[b].force);
      EXPECT_LT((sums[b] + snapshot->contactRemainder[b].force - all).norm(), 1e-9 * (1 + all.norm()));
    }
  }
  EXPECT_EQ(at, contacts.size());
  EXPECT_GT(modes, 100u) << "the cube and the dumbbell lie on the table";
}

INSTANTIATE_TEST_SUITE_P(Methods, ExportedContacts, ::testing::Values("async", "strong", "implicit"));

TEST_F(Exports, PatternsChooseObservables) {
  ASSERT_EQ(run("run mix.yaml --csv all.csv").status, 0);
  const Outcome outcome =
      run("export mix.yaml --csv o.csv --observables 'dumbbell.v?,total.*_energy' "
          "--observables 'table+cube.n*,cube+table.slip*,|dumbbell.v|' --from 0.1 --to 0.2");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(firstLine("o.csv"),
            "time [s],dumbbell.vx [m/s],dumbbell.vy [m/s],dumbbell.vz [m/s],total.kinetic_energy "
            "[J],total.potential_energy [J],total.elastic_energy [J],table+cube.normal [N],"
            "table+cube.slipping,table+cube.slip_speed [m/s],|dumbbell.v| [m/s]");
  const auto all = rows("all.csv"), chosen = rows("o.csv");
  ASSERT_EQ(chosen.size(), 21u);
  double largest = 0;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    for (const char* head : {"time [s]", "dumbbell.vz [m/s]", "total.kinetic_energy [J]"})
      EXPECT_EQ(chosen[i].at(head), all[20 + i].at(head));
    EXPECT_NEAR(number(chosen[i], "|dumbbell.v| [m/s]"), vector(chosen[i], "dumbbell.v", " [m/s]").norm(),
                1e-15);
    largest = std::max(largest, number(chosen[i], "table+cube.normal [N]"));
  }
  EXPECT_GT(largest, 1);
  ASSERT_EQ(run("export mix.yaml --csv e.csv").status, 0);
  EXPECT_EQ(testing::readText(path("e.csv")), testing::readText(path("all.csv")));
}

TEST_F(Exports, PatternsThatNothingFitsNameWhatIsNear) {
  for (const auto& [pattern, near] : {std::pair{"dumbel.*", "did you mean 'dumbbell'?"},
                                      {"total.kinetic_enrgy", "did you mean 'total.kinetic_energy'?"},
                                      {"cube+tabel.normal", "did you mean 'cube+table.normal'?"},
                                      {"|dumbel.v|", "did you mean 'dumbbell.v"},
                                      {"solver.time.*", "known: solver.substeps, "}}) {
    const Outcome outcome =
        run(std::string("export mix.yaml --csv o.csv --contacts c.csv --observables 'time,") + pattern + "'");
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err,
                StartsWith(std::string("slipstick: --observables ") + pattern + ": no observable"));
    EXPECT_THAT(outcome.err, HasSubstr(near));
    EXPECT_FALSE(fs::exists(path("o.csv")) || fs::exists(path("c.csv")) || leftHalfFiles());
  }
}

TEST_F(Exports, ArraysAreReadByNumpy) {
  const Outcome outcome =
      run("export mix.yaml --npz r.npz --csv o.csv --observables '*' --bodies b.csv --contacts c.csv");
  ASSERT_EQ(outcome.status, 0) << outcome.err;
  const std::string script = (testing::sourceDir() / "tests/support/read_npz.py").string();
  EXPECT_EQ(std::system(("cd '" + folder_.string() + "' && /usr/bin/python3 '" + script +
                         "' r.npz o.csv b.csv c.csv && /usr/bin/python3 -m zipfile -t r.npz")
                            .c_str()),
            0);
}

TEST_F(Exports, PlyFilesHoldParticlesAndCloths) {
  ASSERT_EQ(run("export mix.yaml --geometry geo --fps 20").status, 0);
  const auto run = snapshots(60);
  const auto frames = rows("geo/frames.csv");
  ASSERT_EQ(frames.size(), 7u);
  for (const std::size_t frame : {0u, 3u, 6u}) {
    const Snapshot& snapshot = *run[static_cast<std::size_t>(number(frames[frame], "step"))];
    EXPECT_EQ(snapshot.step, 10 * frame);
    for (const Deformable& d : model_->deformables) {
      const std::string file = path("geo/" + d.name + "_00000" + std::to_string(frame) + ".ply");
      const std::string bytes = testing::readText(file);
      const std::size_t first = bytes.find("end_header\n") + 11;
      const int vertices = clothOf(d) ? clothOf(d)->vertices : d.end - d.begin;
      constexpr std::size_t kVertex = 7 * 4 + 3;
      ASSERT_EQ(bytes.size(), first + static_cast<std::size_t>(vertices) * kVertex +
                                  (clothOf(d) ? clothOf(d)->triangles.size() * 13 : 0));
      for (int v = 0; v < vertices; ++v) {
        float numbers[7];
        std::memcpy(numbers, bytes.data() + first + static_cast<std::size_t>(v) * kVertex, sizeof numbers);
        const auto i = static_cast<std::size_t>(d.begin + v);
        EXPECT_EQ(Eigen::Vector3f(numbers), snapshot.particles[i]);
        EXPECT_EQ(numbers[3], snapshot.speed[i]);
        EXPECT_EQ(numbers[4], snapshot.stress[i]);
      }
      Assimp::Importer importer;
      const aiScene* scene = importer.ReadFile(file, 0);
      ASSERT_TRUE(scene) << importer.GetErrorString();
      ASSERT_EQ(scene->mNumMeshes, 1u);
      const aiMesh& mesh = *scene->mMeshes[0];
      EXPECT_EQ(mesh.mPrimitiveTypes,
                static_cast<unsigned>(clothOf(d) ? aiPrimitiveType_TRIANGLE : aiPrimitiveType_POINT));
      if (clothOf(d)) {
        EXPECT_EQ(mesh.mNumFaces, clothOf(d)->triangles.size());
      }
      for (unsigned f = 0; f < mesh.mNumFaces; ++f)  // Assimp gives each corner of a face a vertex of its own
        for (unsigned k = 0; k < mesh.mFaces[f].mNumIndices; ++k) {
          const auto v =
              static_cast<std::size_t>(clothOf(d) ? clothOf(d)->triangles[f][k] : static_cast<int>(f));
          const Vec3 x = testing::vectorOf(mesh.mVertices[mesh.mFaces[f].mIndices[k]]);
          EXPECT_EQ(x, snapshot.particles[static_cast<std::size_t>(d.begin) + v].cast<double>());
        }
    }
  }
}

TEST_F(Exports, ObjFilesHoldBodiesInTheWorldInTheirColours) {
  ASSERT_EQ(run("export mix.yaml --geometry geo --format obj --fps 10 --from 0.1").status, 0);
  const auto run = snapshots(60);
  const Snapshot& snapshot = *run[40];
  Assimp::Importer importer;
  const aiScene* scene = importer.ReadFile(path("geo/bodies_000001.obj"), 0);
  ASSERT_TRUE(scene) << importer.GetErrorString();
  ASSERT_TRUE(scene->mRootNode->FindNode("dumbbell"));
  ASSERT_TRUE(scene->mRootNode->FindNode("table"));
  const aiNode& node = *scene->mRootNode->FindNode("dumbbell");
  ASSERT_EQ(node.mNumMeshes, 2u) << "a colour each";
  const aiMesh& ball = *scene->mMeshes[node.mMeshes[0]];
  aiColor3D color;
  scene->mMaterials[ball.mMaterialIndex]->Get(AI_MATKEY_COLOR_DIFFUSE, color);
  EXPECT_NEAR(color.r, 0.8, 1e-4);
  EXPECT_NEAR(color.g, 0.2, 1e-4);
  const Vec3 center = snapshot.X_WB[body("dumbbell")] * Vec3(0.1, 0, 0);
  for (unsigned v = 0; v < ball.mNumVertices; ++v) {
    const Vec3 out = testing::vectorOf(ball.mVertices[v]) - center;
    EXPECT_NEAR(out.norm(), 0.05, 2e-6);
    EXPECT_NEAR(testing::vectorOf(ball.mNormals[v]).dot(out.normalized()), 1, 1e-4);
  }

  const aiScene* cloth = importer.ReadFile(path("geo/flag_000001.obj"), 0);
  ASSERT_TRUE(cloth) << importer.GetErrorString();
  EXPECT_EQ(cloth->mMeshes[0]->mNumFaces, clothOf(model_->deformables[1])->triangles.size());
  const std::string cube = testing::readText(path("geo/cube_000001.obj"));
  EXPECT_THAT(cube, HasSubstr("\np 64\n"));
}

TEST_F(Exports, OfARecordingAreThoseOfTheRunToItsDigits) {
  ASSERT_EQ(run("run mix.yaml --record r.h5 --threads 1").status, 0);
  const std::string out = " --contacts c.csv --bodies b.csv --gltf s.glb --threads 1 --quiet";
  ASSERT_EQ(run("export r.h5" + out).status, 0);
  const auto recorded = rows("b.csv"), recordedContacts = rows("c.csv");
  ASSERT_EQ(run("export mix.yaml" + out).status, 0);
  const auto simulated = rows("b.csv"), contacts = rows("c.csv");
  ASSERT_EQ(recorded.size(), simulated.size());
  for (std::size_t i = 0; i < simulated.size(); ++i) {
    EXPECT_EQ(recorded[i].at("body"), simulated[i].at("body"));
    for (const char* head : {"x [m]", "qz", "vz [m/s]", "wx [rad/s]", "contact.fz [N]"})
      EXPECT_NEAR(number(recorded[i], head), number(simulated[i], head),
                  1e-8 * std::abs(number(simulated[i], head)))
          << head << " of row " << i;
  }
  ASSERT_EQ(recordedContacts.size(), contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    for (const char* head : {"step", "body", "other_body", "deformable", "mode"})
      EXPECT_EQ(recordedContacts[i].at(head), contacts[i].at(head));
    EXPECT_NEAR(number(recordedContacts[i], "normal [N]"), number(contacts[i], "normal [N]"),
                1e-3 * number(contacts[i], "normal [N]") + 1e-12);
  }
}

TEST_F(Exports, WhatCannotBeIsSaidBeforeTheRun) {
  const std::string endless = "export mix.yaml --to 100000 ";
  for (const auto& [arguments, status, words] :
       {std::tuple{"", 2, "no output is named"},
        {"--contacts missing/c.csv", 1, "its folder does not exist"},
        {"--npz .", 1, "it is a folder"},
        {"--geometry missing/geo", 1, "the folder cannot be made"},
        {"--gltf run.obj", 1, "end it in .glb"},
        {"--csv a.csv --bodies ./a.csv", 1, "two outputs have this name"},
        {"--gltf m.gltf --npz m.bin", 1, "two outputs have this name"},
        {"--bodies b.csv --observables '*'", 2, "--observables: they go nowhere"},
        {"--bodies b.csv --format obj", 2, "--geometry"},
        {"--csv o.csv --fps 0", 2, "--fps 0"},
        {"--gltf m.glb --fps 1", 1, "more than 5000 samples"},
        {"--csv /dev/full", 1, "No space left on device"},
        {"--bodies b.csv --from 200000", 1, "the end lies before the start"}}) {
    const Outcome outcome = run(endless + arguments);
    EXPECT_EQ(outcome.status, status) << arguments << ": " << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(words));
    EXPECT_EQ(testing::lineCount(outcome.err), 1u) << outcome.err;
    EXPECT_FALSE(leftHalfFiles()) << arguments;
  }
  for (const char* name : {"b.csv", "a.csv", "o.csv", "m.glb", "m.bin"})
    EXPECT_FALSE(fs::exists(path(name))) << name;
}

TEST_F(Exports, OfARunThatFailsShowWhatCameBefore) {
  const Outcome outcome =
      run("export drop.yaml --to 2 --set time.substeps=1 --set materials.gel.E=1e9 --csv o.csv --gltf m.glb "
          "--npz r.npz");
  ASSERT_EQ(outcome.status, 3) << outcome.err;
  EXPECT_GE(rows("o.csv").size(), 1u);
  Assimp::Importer importer;
  EXPECT_TRUE(importer.ReadFile(path("m.glb"), 0)) << importer.GetErrorString();
  EXPECT_EQ(std::system(("/usr/bin/python3 -m zipfile -t '" + path("r.npz") + "'").c_str()), 0);
  EXPECT_FALSE(leftHalfFiles());
}

}  // namespace
}  // namespace slipstick
