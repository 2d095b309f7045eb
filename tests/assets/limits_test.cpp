#include "assets/limits.h"
#include "engine/foundation/number_text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <vector>

#include "tests/support/test_paths.h"

namespace slipstick {
namespace {

namespace limits = assets::limits;

/// "512 KiB", "4 MiB", "2 GiB": the largest unit of which it is a whole number.
std::string bytes(std::size_t count) {
  if (count % limits::kGiB == 0) return std::to_string(count / limits::kGiB) + " GiB";
  if (count % limits::kMiB == 0) return std::to_string(count / limits::kMiB) + " MiB";
  return std::to_string(count / limits::kKiB) + " KiB";
}

/// "10,000,000"
std::string number(std::size_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::vector<std::string> tableOfLimits() {
  using namespace limits;
  return {
      "| YAML: scenes, ways of cameras, `--set` | " + bytes(kYamlBytes) + " | " + number(kYamlNodes) +
          " keys and values, " + number(kYamlValues) + " with what aliases repeat, " + number(kYamlKeyBytes) +
          " bytes of a key | " + number(kYamlDepth) + " | | |",
      "| XML: URDF, SDF, MJCF, SRDF, `package.xml` | " + bytes(kXmlBytes) + " | " + number(kXmlParts) +
          " elements and attributes, " + number(kRobotLinks) + " links, " + number(kXmlIncludes) +
          " included files, " + number(kRobotPairs) + " pairs that do not meet, " + number(kRobotShapes) +
          " collision shapes, " + number(kNameBytes) + " bytes of a name with its prefixes; " +
          number(kRobotParts) + " elements in bodies of MJCF with what replicas repeat | " +
          number(kXmlDepth) + ", bodies of MJCF over all files " +
          number(static_cast<std::size_t>(kRobotLevels)) + " | | " + bytes(kSdfMemory) +
          " of libsdformat for SDF |",
      "| Mesh with its materials and buffers | " + bytes(kMeshBytes) + " | " + number(kMeshVertices) +
          " vertices, " + number(kMeshTriangles) + " triangles, " + number(kMeshParts) + " parts, " +
          number(kMeshFiles) + " files; " + number(kSplitTriangles) + " triangles to be split into at most " +
          number(static_cast<std::size_t>(kSplitParts)) + " convex parts | " + number(kMeshDepth) + " | " +
          significant(kMeshSeconds) + " s of a processor and " + significant(kMeshSecondsPerMiB) +
          " s for each MiB, at most " + significant(kMeshSecondsMost) + " s | " + bytes(kMeshMemory) + " + " +
          number(kMeshMemoryPerByte) + " times its files, at most " + bytes(kMeshMemoryMost) + " |",
      "| Image | " + bytes(kImageBytes) + " | " + number(kImageSide) + " texels a side, " +
          number(kImageScans) + " scans of a JPEG | | | |",
      "| Recording, demonstration | | " + number(kRecordedSteps) + " steps, " + number(kRecordedRows) +
          " rows of a table, " + number(kRecordedCommands) + " commands, " + number(kRecordedTexts) +
          " texts of " + bytes(kRecordedText) + ", " + number(kRecordedFiles) + " files of " +
          bytes(kRecordedFile) + " and " + bytes(kRecordedAllFiles) + " together | | | " +
          bytes(kRecordedRead) + " at a time, in pieces of " + bytes(kRecordedChunk) + " |",
      "| Message of the network | " + bytes(kMessageBytes) + " | " + number(kMessagePoses) + " poses; " +
          number(static_cast<std::size_t>(kMessagesAtOnce)) + " messages or " + bytes(kMessageBytesAtOnce) +
          " at a time, " + number(kNetworkClients) + " clients | | | |",
  };
}

TEST(Limits, AreStatedInThePageOfTheSceneFormatAsTheReadersKeepThem) {
  std::ifstream page(testing::sourceDir() / "assets" / "scene_format.md");
  std::vector<std::string> rows;
  bool isIn = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("## ")) isIn = line == "## Limits";
    if (isIn && line.starts_with("| ")) rows.push_back(line);
  }
  ASSERT_FALSE(rows.empty()) << "the page has no table under '## Limits'";
  rows.erase(rows.begin());  // the heads of its columns
  EXPECT_EQ(rows, tableOfLimits());
}

}  // namespace
}  // namespace slipstick
