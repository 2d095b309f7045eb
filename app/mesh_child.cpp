#include "app/mesh_child.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <memory>

#include "assets/convex_parts.h"
#include "assets/limits.h"
#include "engine/foundation/number_text.h"

namespace slipstick::app {

namespace fs = std::filesystem;
namespace limits = assets::limits;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kLook{20};  ///< how soon a wish to cancel is heard

enum class Arrived { All, Ended, Late, Cancelled };

Arrived receive(int socket, char* to, std::size_t size, Clock::time_point deadline,
                const LoadProgress* progress) {
  while (size > 0) {
    if (isCancelled(progress)) return Arrived::Cancelled;
    if (Clock::now() > deadline) return Arrived::Late;
    pollfd wanted{socket, POLLIN, 0};
    if (poll(&wanted, 1, static_cast<int>(kLook.count())) <= 0) continue;
    const ssize_t came = recv(socket, to, size, 0);
    if (came < 0 && errno == EINTR) continue;
    if (came <= 0) return Arrived::Ended;
    to += came;
    size -= static_cast<std::size_t>(came);
  }
  return Arrived::All;
}

/// A value as it lies in memory.
template <class T>
std::string bytesOf(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

Error stopped(const std::string& mesh, const std::string& why, const std::string& remedy) {
  return {ErrorCode::Unsupported, "the mesh reader was stopped: " + why, mesh, remedy};
}

Error tooSlow(const std::string& mesh, double seconds) {
  return stopped(mesh, "it needed more than " + significant(seconds, 2) + " s", "simplify the mesh");
}

Error tooLarge(const std::string& mesh, std::uintmax_t size) {
  return stopped(
      mesh,
      "it needed more than " + std::to_string(limits::memoryForMesh(size) / limits::kMiB) + " MiB of memory",
      "simplify the mesh, or export it again");
}

}  // namespace

void readMeshesInChildren() {
  assets::readMeshesWith([] { return std::make_unique<MeshChild>("/proc/self/exe"); });
}

Result<void> MeshChild::start() {
  if (process_) return {};
  Result<ChildProcess> process =
      ChildProcess::start(program_, {"read-meshes"}, ChildProcess::Errors::Nowhere);
  if (!process) return process.error();
  process_.emplace(*std::move(process));
  return {};
}

Result<assets::MeshContent> MeshChild::read(const fs::path& file, const LoadProgress* progress) {
  std::error_code ignored;
  const std::string name = fs::absolute(file, ignored).string();
  const std::uintmax_t size = fs::file_size(file, ignored);
  const Result<std::string> bytes = ask({bytesOf(static_cast<std::uint32_t>(name.size())), name,
                                         file.string(), size, limits::secondsForMesh(size)},
                                        progress);
  if (!bytes) return bytes.error();
  Result<assets::MeshContent> content = assets::decoded(*bytes);
  if (content) return content;
  Error error = content.error();
  error.where = file.string();
  return error;
}

Result<assets::ConvexSplit> MeshChild::split(const TriangleMesh& mesh, int most,
                                             const LoadProgress* progress) {
  const std::string request = assets::encodedSplitRequest(mesh, most);
  const Result<std::string> bytes = ask({bytesOf(kSplitRequest) + bytesOf(std::uint64_t{request.size()}),
                                         request, mesh.name, request.size(), limits::kMeshSecondsMost},
                                        progress);
  if (!bytes) return bytes.error();
  return assets::decodedSplit(*bytes, mesh.name);
}

/// A child that did not answer is of no use any more.
Result<std::string> MeshChild::ask(const Request& request, const LoadProgress* progress) {
  if (Result<void> ok = start(); !ok) return ok.error();
  Result<std::string> bytes = answer(request, progress);
  if (bytes) return bytes;
  process_->kill();
  process_.reset();
  return bytes;
}

Result<std::string> MeshChild::answer(const Request& request, const LoadProgress* progress) {
  const int socket = process_->socket();
  for (const std::string* part : {&request.header, &request.bytes})
    if (!process_->send(part->data(), part->size())) return whyItEnded(request);
  const Clock::time_point deadline =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(
                         std::chrono::duration<double>(2 * limits::kMeshSecondsMost));
  std::uint64_t size = 0;
  std::string bytes;
  Arrived arrived = receive(socket, reinterpret_cast<char*>(&size), sizeof size, deadline, progress);
  if (arrived == Arrived::All && size > limits::kMeshMemoryMost) return tooLarge(request.mesh, request.size);
  if (arrived == Arrived::All) {
    bytes.resize(size);
    arrived = receive(socket, bytes.data(), size, deadline, progress);
  }
  if (arrived == Arrived::Cancelled) return cancelledLoad(request.mesh);
  if (arrived == Arrived::Late) return tooSlow(request.mesh, request.seconds);
  if (arrived == Arrived::Ended) return whyItEnded(request);
  return bytes;
}

Error MeshChild::whyItEnded(const Request& request) {
  const int status = process_->wait();
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF) return tooSlow(request.mesh, request.seconds);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kOutOfMemory) return tooLarge(request.mesh, request.size);
  const std::string how = WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                              : "exit status " + std::to_string(WEXITSTATUS(status));
  return {ErrorCode::SyntaxError,
          "the mesh reader broke down (" + how + "): the file is damaged, or meant to harm", request.mesh,
          "export it again as STL, OBJ, DAE, glTF or PLY"};
}

}  // namespace slipstick::app
