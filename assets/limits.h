// How much a file or a message from outside may ask for. Every reader keeps to this list and scene_format.md states it
// (a test compares the two). What asks for more is refused with an error that says what is too much, before memory or
// time is spent on it.
#pragma once

#include <algorithm>
#include <cstddef>

namespace slipstick::assets::limits {

inline constexpr std::size_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;  // [bytes]

// YAML: scenes, ways of cameras, values of --set, the index of the gallery. yaml-cpp takes about 250 bytes of memory for
// each byte of the worst text.
inline constexpr std::size_t kYamlBytes = 512 * kKiB;
inline constexpr std::size_t kYamlNodes = 100'000;   ///< as they are written
inline constexpr std::size_t kYamlValues = 300'000;  ///< that are read, where aliases stand for others
inline constexpr std::size_t kYamlKeyBytes = 1'000;  ///< of a name: copies repeat it
inline constexpr int kYamlDepth = 64;                ///< of lists and mappings in each other

// XML: URDF, SDF and what it includes, MJCF, SRDF, package.xml.
inline constexpr std::size_t kXmlBytes = 4 * kMiB;
inline constexpr std::size_t kXmlParts = 400'000;  ///< elements and attributes
inline constexpr int kXmlDepth = 98;               ///< of elements in each other: TinyXML2 9 takes no more
inline constexpr std::size_t kXmlIncludes =
    100;  ///< files that a robot's file brings, one another's included
/// Of a name with all that is put before and behind it, and of each of these. Readers write a name for many things: for each
/// two that do not meet, for all that an attached model brings.
inline constexpr std::size_t kNameBytes = 200;
/// Bodies, frames and replicas of MJCF in each other, over all its files: readers call themselves for each.
inline constexpr int kRobotLevels = 1'000;
/// Elements in bodies of MJCF, with what replicas repeat.
inline constexpr std::size_t kRobotParts = 300'000;
/// What libsdformat may take for one file: it gives each element a description of all that could stand in it.
inline constexpr std::size_t kSdfMemory = kGiB;
/// Collision shapes of one robot or body: of every two that do not meet there is a note.
inline constexpr std::size_t kRobotShapes = 3'000;
/// No robot has more links or joints; bounds the time and the depth of everything that walks the tree.
inline constexpr std::size_t kRobotLinks = 10'000;
inline constexpr std::size_t kRobotPairs = 1'000'000;  ///< of links that do not meet

// Meshes: STL, OBJ, DAE, glTF, PLY, OFF, with the files that they bring. A process of its own reads them.
inline constexpr std::size_t kMeshBytes = 512 * kMiB;     ///< of all files of one mesh
inline constexpr std::size_t kMeshFiles = 16;             ///< of one mesh: materials, buffers
inline constexpr std::size_t kMeshVertices = 10'000'000;  ///< with what instances repeat
inline constexpr std::size_t kMeshTriangles = 10'000'000;
inline constexpr std::size_t kMeshParts = 100'000;  ///< meshes and materials of one file, and their places
inline constexpr int kMeshDepth = 200;              ///< of nodes in each other
/// Of a processor for one mesh: so long, and for each MiB of its files so much longer. What is split has the most.
inline constexpr double kMeshSeconds = 0.5, kMeshSecondsPerMiB = 8, kMeshSecondsMost = 60;
/// Memory beyond what the process has at the start: so much, and for each byte of the mesh's files so much more.
inline constexpr std::size_t kMeshMemory = 256 * kMiB, kMeshMemoryPerByte = 48, kMeshMemoryMost = 4 * kGiB;
/// @param bytes  of all files of the mesh
constexpr std::size_t memoryForMesh(std::size_t bytes) {
  return std::min(kMeshMemory + kMeshMemoryPerByte * std::min(bytes, kMeshBytes), kMeshMemoryMost);
}
/// The same [s].
constexpr double secondsForMesh(std::size_t bytes) {
  return std::min(kMeshSeconds + kMeshSecondsPerMiB * static_cast<double>(bytes) / kMiB, kMeshSecondsMost);
}
/// Of a mesh that is split into convex parts, by the same process.
inline constexpr std::size_t kSplitTriangles = 1'000'000;
inline constexpr int kSplitParts = 64;                 ///< of one mesh
inline constexpr std::size_t kSplitCache = 64 * kMiB;  ///< meshes and parts that are kept for the next scene
inline constexpr std::size_t kMeshCache = 256 * kMiB;  ///< what was read is kept for the next scene

// Images, by stb_image.
inline constexpr std::size_t kImageBytes = 128 * kMiB;
inline constexpr int kImageSide = 8192;  ///< [texels]
inline constexpr int kImageScans = 100;  ///< of a progressive JPEG, each of which goes over the whole image
inline constexpr int kImageKeptColor = 2048, kImageKeptData = 1024;  ///< a side, after halving [texels]

// Recordings and demonstrations: HDF5.
inline constexpr std::size_t kRecordedText = 16 * kMiB;   ///< one text: a scene, a note
inline constexpr std::size_t kRecordedTexts = 1'000'000;  ///< in one list: columns, files
inline constexpr std::size_t kRecordedFile = 512 * kMiB;  ///< that a recording brings: meshes, pictures
inline constexpr std::size_t kRecordedFiles = 10'000, kRecordedAllFiles = 2 * kGiB;
inline constexpr std::size_t kRecordedRows = 1'000'000'000, kRecordedSteps = 50'000'000;
inline constexpr std::size_t kRecordedCommands = 1'000'000;
inline constexpr std::size_t kRecordedRead = kGiB;        ///< numbers that are read at a time
inline constexpr std::size_t kRecordedChunk = 64 * kMiB;  ///< what HDF5 unpacks at a time

// Messages of the network (app/devices/network_protocol.md).
inline constexpr std::size_t kMessageBytes = 64 * kKiB;
inline constexpr std::size_t kMessagePoses = 16;
inline constexpr int kMessagesAtOnce = 512;  ///< of one look at the network
inline constexpr std::size_t kMessageBytesAtOnce = 256 * kKiB;
inline constexpr std::size_t kNetworkClients = 16;

}  // namespace slipstick::assets::limits
