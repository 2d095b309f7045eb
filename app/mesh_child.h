// Meshes read by a process of its own: what a hostile or broken file does to the library that reads it, it does there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/child_process.h"
#include "assets/mesh_reader.h"

namespace slipstick::app {

/// From now on meshes are read by children of this program, one for each load. For main(), and for no other program than
/// this one: the child is told to do what readMeshes() does.
void readMeshesInChildren();

/// Asks a process that runs readMeshes(); starts it when there is something to read, and anew when it has broken down.
class MeshChild final : public assets::MeshReader {
 public:
  /// @param program  slipstick
  explicit MeshChild(std::string program) : program_(std::move(program)) {}

  /// Errors also where the process broke down, or asked for more time or memory than limits.h allows. Cancelled ones are
  /// ended at once.
  Result<assets::MeshContent> read(const std::filesystem::path& file, const LoadProgress* progress) override;
  /// Likewise.
  Result<assets::ConvexSplit> split(const TriangleMesh& mesh, int most,
                                    const LoadProgress* progress) override;

 private:
  Result<void> start();
  /// @param request  that was sent   @param mesh  for errors: its file or its name
  struct Request {
    std::string header, bytes;
    std::string mesh;
    std::uintmax_t size = 0;  ///< of what is to be read [bytes]
    double seconds = 0;       ///< that it may take at least
  };
  Result<std::string> ask(const Request& request, const LoadProgress* progress);
  Result<std::string> answer(const Request& request, const LoadProgress* progress);
  Error whyItEnded(const Request& request);

  std::string program_;
  std::optional<ChildProcess> process_;
};

/// The child: takes the names of meshes, and meshes to be split into convex parts, from its standard input and puts what
/// they hold, and the parts, on its standard output, until there are no more. Limits its own memory, time and files.
/// @return exit status
int readMeshes();

/// In place of the length of a name: a mesh to be split follows, with its length before it.
inline constexpr std::uint32_t kSplitRequest = 0xffffffff;

/// Exit status of a child that has asked for more memory than it may have.
inline constexpr int kOutOfMemory = 77;

}  // namespace slipstick::app
