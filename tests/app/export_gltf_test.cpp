// The animated glTF file of a run, read by Assimp, by trimesh, and by the specification's rules.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "engine/model/cloth.h"
#include "tests/app/export_run.h"
#include "tests/app/gltf_rules.h"

namespace slipstick {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// z up to y up.
const Mat3 kR_GW = (Mat3() << 1, 0, 0, 0, 0, 1, 0, -1, 0).finished();
constexpr double kTicksPerSecond = 1000;  // of Assimp, for glTF

class ExportedGltf : public testing::ExportedRun {
 protected:
  const aiScene* load(const std::string& name) {
    const aiScene* scene = importer_.ReadFile(path(name), 0);
    EXPECT_TRUE(scene) << importer_.GetErrorString();
    return scene;
  }

  static const aiNodeAnim* channelOf(const aiScene& scene, const char* node) {
    for (unsigned i = 0; i < scene.mAnimations[0]->mNumChannels; ++i)
      if (scene.mAnimations[0]->mChannels[i]->mNodeName == aiString(node))
        return scene.mAnimations[0]->mChannels[i];
    return nullptr;
  }
  static const aiMeshMorphAnim* morphOf(const aiScene& scene, const char* node) {
    for (unsigned i = 0; i < scene.mAnimations[0]->mNumMorphMeshChannels; ++i)
      if (scene.mAnimations[0]->mMorphMeshChannels[i]->mName == aiString(node))
        return scene.mAnimations[0]->mMorphMeshChannels[i];
    return nullptr;
  }

  /// Where a node's points are in the root's parent's frame, by what stands in the nodes above it.
  static Mat3 turnAbove(const aiNode& node) {
    Mat3 turn = Mat3::Identity();
    for (const aiNode* above = node.mParent; above; above = above->mParent) {
      aiMatrix3x3 R(above->mTransformation);
      Mat3 one;
      for (unsigned i = 0; i < 3; ++i)
        for (unsigned k = 0; k < 3; ++k) one(i, k) = static_cast<double>(R[i][k]);
      turn = one * turn;
    }
    return turn;
  }

  /// Of a morphing mesh at a key: the base, and what its weights add of the targets.
  static std::vector<Vec3> morphed(const aiMesh& mesh, const aiMeshMorphKey& key) {
    std::vector<Vec3> positions;
    for (unsigned v = 0; v < mesh.mNumVertices; ++v) {
      const Vec3 base = testing::vectorOf(mesh.mVertices[v]);
      Vec3 sum = base;
      for (unsigned k = 0; k < key.mNumValuesAndWeights; ++k)
        sum += key.mWeights[k] * (testing::vectorOf(mesh.mAnimMeshes[key.mValues[k]]->mVertices[v]) - base);
      positions.push_back(sum);
    }
    return positions;
  }

  void expectMorphs(const aiScene& scene, const char* name, int first, int vertices) {
    const aiNode* node = scene.mRootNode->FindNode(name);
    ASSERT_TRUE(node && node->mNumMeshes == 1) << name;
    const aiMesh& mesh = *scene.mMeshes[node->mMeshes[0]];
    ASSERT_EQ(mesh.mNumVertices, static_cast<unsigned>(vertices)) << name;
    const aiMeshMorphAnim* morph = morphOf(scene, name);
    ASSERT_TRUE(morph) << name;
    ASSERT_GE(morph->mNumKeys, 5u);
    const Mat3 R_GW = turnAbove(*node);
    for (unsigned k = 0; k < 5; ++k) {
      const aiMeshMorphKey& key = morph->mKeys[k];
      const auto step = static_cast<std::size_t>(std::lround(key.mTime / kTicksPerSecond / model_->time.dt));
      const std::vector<Vec3> positions = morphed(mesh, key);
      double moved = 0;
      for (std::size_t v = 0; v < positions.size(); ++v) {
        const auto at = [&](std::size_t s) {
          return Vec3(run_[s]->particles[static_cast<std::size_t>(first) + v].cast<double>());
        };
        EXPECT_LT((R_GW * positions[v] - kR_GW * at(step)).norm(), 1e-5) << name << " at " << step;
        moved = std::max(moved, (at(step) - at(0)).norm());
      }
      EXPECT_EQ(moved > 1e-4, k > 0) << "it moves";
      EXPECT_EQ(std::count_if(key.mWeights, key.mWeights + key.mNumValuesAndWeights,
                              [](double w) { return w == 1; }),
                k == 0 ? 0 : 1);
    }
  }

  Assimp::Importer importer_;
  std::vector<std::shared_ptr<const Snapshot>> run_ = snapshots(60);
};

TEST_F(ExportedGltf, HasTheBodiesAtTheirPosesForAssimp) {
  ASSERT_EQ(run("export mix.yaml --gltf m.glb").status, 0);
  const aiScene* scene = load("m.glb");
  ASSERT_TRUE(scene);
  for (const char* name : {"table", "dumbbell", "cube", "flag"})
    EXPECT_TRUE(scene->mRootNode->FindNode(name)) << name;
  const aiNode* dumbbell = scene->mRootNode->FindNode("dumbbell");
  ASSERT_TRUE(dumbbell);
  ASSERT_EQ(dumbbell->mNumChildren, 2u);
  EXPECT_STREQ(dumbbell->mChildren[0]->mName.C_Str(), "dumbbell.ball");
  const Vec3 ball(static_cast<double>(dumbbell->mChildren[0]->mTransformation.a4), 0, 0);
  EXPECT_NEAR(ball.x(), 0.1, 1e-6);

  ASSERT_EQ(scene->mNumAnimations, 1u);
  const aiNodeAnim* channel = channelOf(*scene, "dumbbell");
  ASSERT_TRUE(channel);
  ASSERT_EQ(channel->mNumPositionKeys, 10u) << "30 per second, in 0.3 s";
  ASSERT_EQ(channel->mNumRotationKeys, 10u);
  const Mat3 R_GW = turnAbove(*dumbbell);
  for (const unsigned k : {0u, 2u, 4u, 7u, 9u}) {
    const auto step = static_cast<std::size_t>(
        std::lround(channel->mPositionKeys[k].mTime / kTicksPerSecond / model_->time.dt));
    EXPECT_NEAR(static_cast<double>(step), std::ceil(k / 30.0 / 0.005 - 1e-6), 0);
    const Pose& X_WB = run_[step]->X_WB[body("dumbbell")];
    EXPECT_LT((R_GW * testing::vectorOf(channel->mPositionKeys[k].mValue) - kR_GW * X_WB.p).norm(), 1e-5);
    const aiQuaternion& q = channel->mRotationKeys[k].mValue;
    const Mat3 R_GB = R_GW * Quat(static_cast<double>(q.w), static_cast<double>(q.x),
                                  static_cast<double>(q.y), static_cast<double>(q.z))
                                 .toRotationMatrix();
    EXPECT_LT((R_GB - kR_GW * X_WB.R).norm(), 1e-5) << step;
  }
  EXPECT_FALSE(channelOf(*scene, "table")) << "it stays where it is";
}

TEST_F(ExportedGltf, DeformsWhatDeforms) {
  ASSERT_EQ(run("export mix.yaml --gltf m.glb --fps 20").status, 0);
  const aiScene* scene = load("m.glb");
  ASSERT_TRUE(scene);
  const Deformable &cube = model_->deformables[0], &flag = model_->deformables[1];
  expectMorphs(*scene, "flag", flag.begin, clothOf(flag)->vertices);
  expectMorphs(*scene, "cube", cube.begin, cube.end - cube.begin);
  EXPECT_EQ(scene->mMeshes[scene->mRootNode->FindNode("flag")->mMeshes[0]]->mNumFaces,
            static_cast<unsigned>(clothOf(flag)->triangleCount()));
}

TEST_F(ExportedGltf, KeepsTheRulesOfTheSpecification) {
  ASSERT_EQ(run("export mix.yaml --gltf m.glb").status, 0);
  ASSERT_EQ(run("export mix.yaml --gltf 'm 2.gltf' --fps 100 --from 0.1 --to 0.2").status, 0);
  ASSERT_EQ(run("export drop.yaml --gltf one.glb --to 0").status, 0);
  const auto glb = testing::GltfFile::read(path("m.glb"));
  EXPECT_THAT(testing::brokenGltfRules(glb), IsEmpty());
  EXPECT_EQ(glb.document["meshes"].size(), 5u);
  const auto text = testing::GltfFile::read(path("m 2.gltf"));
  EXPECT_EQ(text.document["buffers"][0]["uri"], "m%202.bin");
  const auto still = testing::GltfFile::read(path("one.glb"));
  EXPECT_THAT(testing::brokenGltfRules(still), IsEmpty());
  EXPECT_FALSE(still.document.contains("animations")) << "a moment does not move";
  EXPECT_FALSE(leftHalfFiles());
}

TEST_F(ExportedGltf, OfTextHasItsNumbersBesideIt) {
  ASSERT_EQ(run("export mix.yaml --gltf m.gltf --from 0.1 --to 0.2").status, 0);
  const auto text = testing::GltfFile::read(path("m.gltf"));
  EXPECT_THAT(testing::brokenGltfRules(text), IsEmpty());
  EXPECT_EQ(text.document["asset"]["extras"]["start_s"], 0.1);
  const auto& sampler = text.document["animations"][0]["samplers"][0];
  const std::vector<double> times = text.numbers(sampler["input"].get<std::size_t>());
  EXPECT_EQ(times.front(), 0) << "animations begin at once";
  EXPECT_NEAR(times.back(), 0.1, 1e-6);
}

/// Each of these would pass a checker that does not look.
TEST_F(ExportedGltf, RulesSeeWhatIsWrong) {
  ASSERT_EQ(run("export mix.yaml --gltf m.glb").status, 0);
  const auto whole = testing::GltfFile::read(path("m.glb"));
  const auto broken = [&](const std::string& place, const nlohmann::json& value) {
    testing::GltfFile file = whole;
    file.document[nlohmann::json::json_pointer(place)] = value;
    return testing::brokenGltfRules(file);
  };
  EXPECT_THAT(broken("/accessors/0/max/0", 7.0), ElementsAre(HasSubstr("min and max are those of the data")));
  EXPECT_THAT(broken("/bufferViews/0/byteOffset", 2), ::testing::Contains(HasSubstr("aligned")));
  EXPECT_THAT(broken("/nodes/0/rotation", {0, 0, 0, 0.9}),
              ElementsAre(HasSubstr("of length 1: node.rotation")));
  EXPECT_THAT(broken("/bufferViews/0/target", 34963), ElementsAre(HasSubstr("a view's target")));
  EXPECT_THAT(broken("/nodes/1/children", {2}), ::testing::Contains(HasSubstr("one parent")));
  testing::GltfFile cut = whole;
  cut.bin.resize(cut.bin.size() - 4);
  EXPECT_THAT(testing::brokenGltfRules(cut), ::testing::Contains(HasSubstr("byteLength")));
}

TEST_F(ExportedGltf, IsReadByTrimesh) {
  ASSERT_EQ(run("export mix.yaml --gltf m.glb").status, 0);
  const std::filesystem::path python = testing::program().parent_path().parent_path() / "readers/bin/python";
  if (!std::filesystem::exists(python))
    GTEST_SKIP() << "trimesh is not installed: " << python << " (tests/run installs it from PyPI)";
  const std::string script = (testing::sourceDir() / "tests/support/read_gltf.py").string();
  const Vec3 p = kR_GW * run_[0]->X_WB[body("dumbbell")].p;
  const std::string expected =
      std::to_string(p.x()) + " " + std::to_string(p.y()) + " " + std::to_string(p.z());
  EXPECT_EQ(
      std::system(("'" + python.string() + "' '" + script + "' '" + path("m.glb") + "' dumbbell " + expected)
                      .c_str()),
      0);
}

}  // namespace
}  // namespace slipstick
