#include "assets/export/gltf_writer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "assets/export/exporter.h"
#include "engine/facts/looks.h"
#include "engine/foundation/lower_case.h"

namespace slipstick::assets {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr int kPoints = 0, kTriangles = 4;  // mode
constexpr int kRoot = 0;                    // node
/// −90° about x: z goes up to y.
const std::array<double, 4> kZUpToYUp = {-std::sqrt(0.5), 0, 0, std::sqrt(0.5)};

bool isGlb(const fs::path& file) {
  return lowerSuffix(file) != ".gltf";
}

/// x, y, z, w of a unit quaternion in floats.
std::array<float, 4> rotationOf(const Pose& X) {
  const Eigen::Vector4f q = Quat(X.R).normalized().coeffs().cast<float>().normalized();
  return {q.x(), q.y(), q.z(), q.w()};
}

std::array<float, 3> translationOf(const Pose& X) {
  const Eigen::Vector3f p = X.p.cast<float>();
  return {p.x(), p.y(), p.z()};
}

void place(const Pose& X, json& node) {
  node["translation"] = translationOf(X);
  node["rotation"] = rotationOf(X);
}

std::vector<float> numbersOf(std::span<const Eigen::Vector3f> vectors) {
  const float* first = vectors.front().data();
  return {first, first + 3 * vectors.size()};
}

std::vector<float> difference(const std::vector<float>& to, const std::vector<float>& from) {
  std::vector<float> displacement(to.size());
  std::transform(to.begin(), to.end(), from.begin(), displacement.begin(), std::minus<float>());
  return displacement;
}

/// A number as 32 bits, the lowest byte first.
std::string word(std::uint32_t number) {
  return {static_cast<char>(number & 0xFF), static_cast<char>(number >> 8 & 0xFF),
          static_cast<char>(number >> 16 & 0xFF), static_cast<char>(number >> 24)};
}

/// The name of a file as part of a URI.
std::string uriOf(const std::string& name) {
  constexpr const char* kHex = "0123456789ABCDEF";
  std::string uri;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '-' || c == '_' || c == '.' || c == '~')
      uri += c;
    else
      uri += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return uri;
}

}  // namespace

GltfWriter::GltfWriter(OutputFile file, std::optional<OutputFile> bin, GltfBuffer buffer,
                       std::shared_ptr<const Model> model)
    : file_(std::move(file)), bin_(std::move(bin)), buffer_(std::move(buffer)), model_(std::move(model)) {}

Result<std::unique_ptr<GltfWriter>> GltfWriter::create(const fs::path& file,
                                                       std::shared_ptr<const Model> model,
                                                       const std::vector<DisplayShape>& shapes) {
  Result<OutputFile> made = OutputFile::create(file);
  if (!made) return made.error();
  std::optional<OutputFile> bin;
  if (!isGlb(file)) {
    Result<OutputFile> beside = OutputFile::create(fs::path(file).replace_extension(".bin"));
    if (!beside) return beside.error();
    bin.emplace(std::move(*beside));
  }
  Result<GltfBuffer> buffer = GltfBuffer::create(file);
  if (!buffer) return buffer.error();
  std::unique_ptr<GltfWriter> writer(
      new GltfWriter(std::move(*made), std::move(bin), std::move(*buffer), std::move(model)));
  writer->addBodies(shapes);
  return writer;
}

// ---- bodies

int GltfWriter::addNode(json node, int parent) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.push_back(std::move(node));
  if (parent >= 0) nodes_[static_cast<std::size_t>(parent)]["children"].push_back(index);
  return index;
}

int GltfWriter::materialOf(const Color& color, const Finish& finish, bool isDoubleSided) {
  const Color c = color.cwiseMax(0.f).cwiseMin(1.f);
  json material = {{"pbrMetallicRoughness",
                    {{"baseColorFactor", json::array({c.x(), c.y(), c.z(), c.w()})},
                     {"metallicFactor", std::clamp(finish.metallic, 0.f, 1.f)},
                     {"roughnessFactor", std::clamp(finish.roughness, 0.f, 1.f)}}}};
  if (c.w() < 1) material["alphaMode"] = "BLEND";
  if (isDoubleSided) material["doubleSided"] = true;
  const auto known = std::find(materials_.begin(), materials_.end(), material);
  if (known != materials_.end()) return static_cast<int>(known - materials_.begin());
  materials_.push_back(std::move(material));
  return static_cast<int>(materials_.size()) - 1;
}

int GltfWriter::meshOf(const std::shared_ptr<const DisplayMesh>& mesh, const std::string& name) {
  for (const auto& [known, index] : knownMeshes_)
    if (known == mesh) return index;
  const std::size_t count = mesh->positions.size();
  const int positions = buffer_.add({mesh->positions.front().data(), 3 * count}, GltfUse::Positions);
  const int normals = buffer_.add({mesh->normals.front().data(), 3 * count}, GltfUse::Normals);
  json primitives = json::array();
  for (const DisplayMesh::Part& part : mesh->parts)
    primitives.push_back({{"attributes", {{"POSITION", positions}, {"NORMAL", normals}}},
                          {"indices", buffer_.addIndices(part.indices, count)},
                          {"material", materialOf(part.color, part.finish, false)},
                          {"mode", kTriangles}});
  meshes_.push_back({{"name", name}, {"primitives", std::move(primitives)}});
  knownMeshes_.emplace_back(mesh, static_cast<int>(meshes_.size()) - 1);
  return knownMeshes_.back().second;
}

/// A shape that is called as a body or a deformable is gets another name: readers find nodes by theirs.
void GltfWriter::addBodies(const std::vector<DisplayShape>& shapes) {
  addNode({{"name", model_->name + " (z up)"}, {"rotation", kZUpToYUp}}, -1);
  std::set<std::string> taken;
  for (const Deformable& deformable : model_->deformables) taken.insert(deformable.name);
  for (const multibody::Body& body : model_->tree.bodies) {
    taken.insert(body.name);
    bodyNodes_.push_back(addNode({{"name", body.name}}, kRoot));
  }
  motions_.resize(bodyNodes_.size());
  for (const DisplayShape& shape : shapes) {
    const std::string name = shape.name + (taken.contains(shape.name) ? " shape" : "");
    json node = {{"name", name}, {"mesh", meshOf(shape.mesh, name)}};
    place(shape.X_BV, node);
    addNode(std::move(node), bodyNodes_[static_cast<std::size_t>(shape.body)]);
  }
}

float GltfWriter::animationTime(const Snapshot& snapshot) {
  if (!start_) start_ = snapshot.time;
  return static_cast<float>(snapshot.time - *start_);
}

Result<void> GltfWriter::addPoses(const Snapshot& snapshot) {
  poseTimes_.push_back(animationTime(snapshot));
  for (std::size_t body = 0; body < bodyNodes_.size(); ++body) {
    Motion& motion = motions_[body];
    const std::array<float, 3> p = translationOf(snapshot.X_WB[body]);
    std::array<float, 4> q = rotationOf(snapshot.X_WB[body]);
    if (!motion.rotations.empty()) {  // of q and −q, which are the same, the one that is nearer to the last
      const float* last = &motion.rotations[motion.rotations.size() - 4];
      if (q[0] * last[0] + q[1] * last[1] + q[2] * last[2] + q[3] * last[3] < 0)
        for (float& part : q) part = -part;
    }
    motion.translations.insert(motion.translations.end(), p.begin(), p.end());
    motion.rotations.insert(motion.rotations.end(), q.begin(), q.end());
  }
  return buffer_.outcome();
}

// ---- deformables

void GltfWriter::beginDeformables(const Snapshot& snapshot) {
  const Looks looks = looksOf(*model_);
  for (std::size_t i = 0; i < model_->deformables.size(); ++i) {
    const Deformable& d = model_->deformables[i];
    const LookSpec& look = looks.deformable(static_cast<int>(i));
    const SoftSurface surface = surfaceOf(d);
    if (!look.visible || surface.vertexCount == 0) continue;
    const bool hasTriangles = !surface.triangles.empty();
    const auto vertices = surface.of(snapshot.particles);
    Soft soft;
    soft.surface = surface;
    soft.positions = numbersOf(vertices);
    json attributes = {{"POSITION", buffer_.add(soft.positions, GltfUse::Positions)}};
    json primitive = {{"mode", hasTriangles ? kTriangles : kPoints},
                      {"material", materialOf(look.color.value_or(d.color), {0.9f, 0}, surface.isSheet)}};
    if (hasTriangles) {
      soft.normals = numbersOf(normalsOf(surface, vertices));
      attributes["NORMAL"] = buffer_.add(soft.normals, GltfUse::Normals);
      std::vector<std::uint32_t> indices;
      for (const Eigen::Vector3i& t : surface.triangles)
        for (const int vertex : t) indices.push_back(static_cast<std::uint32_t>(vertex));
      primitive["indices"] = buffer_.addIndices(indices, surface.vertexCount);
    }
    primitive["attributes"] = std::move(attributes);
    soft.mesh = static_cast<int>(meshes_.size());
    meshes_.push_back({{"name", d.name}, {"primitives", json::array({std::move(primitive)})}});
    soft.node = addNode({{"name", d.name}, {"mesh", soft.mesh}}, kRoot);
    softs_.push_back(std::move(soft));
  }
}

void GltfWriter::addMorph(Soft& soft, const Snapshot& snapshot) {
  const auto vertices = soft.surface.of(snapshot.particles);
  json target = {
      {"POSITION", buffer_.add(difference(numbersOf(vertices), soft.positions), GltfUse::Positions)}};
  if (!soft.surface.triangles.empty())
    target["NORMAL"] =
        buffer_.add(difference(numbersOf(normalsOf(soft.surface, vertices)), soft.normals), GltfUse::Normals);
  soft.targets.push_back(std::move(target));
}

Result<void> GltfWriter::addDeformables(const Snapshot& snapshot) {
  if (softTimes_.empty())
    beginDeformables(snapshot);
  else
    for (Soft& soft : softs_) addMorph(soft, snapshot);
  softTimes_.push_back(animationTime(snapshot));
  return buffer_.outcome();
}

// ---- the file

void GltfWriter::addChannel(int node, const char* path, int input, int output) {
  channels_.push_back({{"sampler", samplers_.size()}, {"target", {{"node", node}, {"path", path}}}});
  samplers_.push_back({{"input", input}, {"output", output}, {"interpolation", "LINEAR"}});
}

/// A body that keeps its place has it in its node.
void GltfWriter::animateBodies() {
  std::optional<int> input;
  const auto animate = [&](int node, const char* path, const std::vector<float>& samples, std::size_t size,
                           GltfUse use) {
    json& fixed = nodes_[static_cast<std::size_t>(node)][path];
    fixed = std::vector<float>(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(size));
    if (std::equal(samples.begin() + static_cast<std::ptrdiff_t>(size), samples.end(), samples.begin()))
      return;
    if (!input) input = buffer_.add(poseTimes_, GltfUse::Times);
    addChannel(node, path, *input, buffer_.add(samples, use));
  };
  for (std::size_t body = 0; body < bodyNodes_.size() && !poseTimes_.empty(); ++body) {
    animate(bodyNodes_[body], "translation", motions_[body].translations, 3, GltfUse::Vectors);
    animate(bodyNodes_[body], "rotation", motions_[body].rotations, 4, GltfUse::Rotations);
  }
}

void GltfWriter::animateDeformables() {
  if (softTimes_.size() < 2 || softs_.empty()) return;
  const std::size_t targets = softTimes_.size() - 1;
  std::vector<float> weights(softTimes_.size() * targets, 0);
  for (std::size_t sample = 1; sample <= targets; ++sample) weights[sample * targets + sample - 1] = 1;
  const int input = buffer_.add(softTimes_, GltfUse::Times), output = buffer_.add(weights, GltfUse::Weights);
  for (Soft& soft : softs_) {
    json& mesh = meshes_[static_cast<std::size_t>(soft.mesh)];
    mesh["primitives"][0]["targets"] = std::move(soft.targets);
    mesh["weights"] = std::vector<int>(targets, 0);
    addChannel(soft.node, "weights", input, output);
  }
}

json GltfWriter::document() {
  animateBodies();
  animateDeformables();
  json document = {{"asset", {{"version", "2.0"}, {"generator", "slipstick export"}}},
                   {"scene", 0},
                   {"scenes", json::array({{{"name", model_->name}, {"nodes", json::array({kRoot})}}})},
                   {"nodes", std::move(nodes_)}};
  document["asset"]["extras"] = {{"start_s", start_.value_or(0)}};
  if (!meshes_.empty()) document["meshes"] = std::move(meshes_);
  if (!materials_.empty()) document["materials"] = std::move(materials_);
  if (!channels_.empty())
    document["animations"] = json::array(
        {{{"name", "run"}, {"channels", std::move(channels_)}, {"samplers", std::move(samplers_)}}});
  if (buffer_.size() > 0) {
    document["buffers"] = json::array({{{"byteLength", buffer_.size()}}});
    document["bufferViews"] = buffer_.takeViews();
    document["accessors"] = buffer_.takeAccessors();
  }
  return document;
}

Result<void> GltfWriter::finish() {
  json whole = document();
  if (!buffer_.outcome()) return buffer_.outcome();
  const auto textOf = [](const json& document) {  // bytes of names that are no UTF-8 become U+FFFD
    return document.dump(-1, ' ', false, json::error_handler_t::replace);
  };
  if (!bin_) return writeGlb(textOf(whole));
  const std::string uri = uriOf(bin_->path().filename().string());
  if (buffer_.size() > 0) whole["buffers"][0]["uri"] = uri;
  if (const Result<void> copied = buffer_.copyTo(*bin_); !copied) return copied;
  if (const Result<void> written = file_.write(textOf(whole)); !written) return written;
  if (const Result<void> flushed = file_.flush(); !flushed) return flushed;  // before the other has its name
  if (const Result<void> committed = bin_->commit(); !committed) return committed;
  return file_.commit();
}

/// A header of 12 bytes, and a chunk each of JSON and of numbers.
Result<void> GltfWriter::writeGlb(std::string text) {
  text.resize((text.size() + 3) / 4 * 4, ' ');
  const bool hasNumbers = buffer_.size() > 0;
  const std::uint64_t size = 12 + 8 + text.size() + (hasNumbers ? 8 + buffer_.size() : 0);
  if (size > std::numeric_limits<std::uint32_t>::max())
    return Error{ErrorCode::Unsupported, "a .glb holds at most 4 GiB", file_.path().string(),
                 "end the name in .gltf, lower --fps, or shorten --from to --to"};
  std::string head = "glTF" + word(2) + word(static_cast<std::uint32_t>(size));
  head += word(static_cast<std::uint32_t>(text.size())) + "JSON" + text;
  if (hasNumbers) head += word(static_cast<std::uint32_t>(buffer_.size())) + std::string("BIN\0", 4);
  if (const Result<void> written = file_.write(head); !written) return written;
  if (hasNumbers)
    if (const Result<void> copied = buffer_.copyTo(file_); !copied) return copied;
  return file_.commit();
}

namespace {

constexpr double kUsualMorphFps = 10;

/// Deformables, which change at moments of their own.
Result<ExportOutput> morphsOf(const ExportSource& source, const std::shared_ptr<GltfWriter>& gltf) {
  Result<ExportSchedule::Steps> morphs = source.schedule.sampled(kUsualMorphFps, GltfWriter::kMaxMorphs);
  if (!morphs) return morphs.error();
  return ExportOutput{source.file,
                      std::move(*morphs),
                      ExportOutput::Reads::Particles,
                      true,
                      [gltf](const Snapshot& s) { return gltf->addDeformables(s); },
                      {}};
}

Result<std::vector<ExportOutput>> openAnimation(const ExportSource& source) {
  Result<ExportSchedule::Steps> poses = source.schedule.sampled();
  if (!poses) return poses.error();
  Result<std::unique_ptr<GltfWriter>> made =
      GltfWriter::create(source.file, source.model, source.shapes(*source.model));
  if (!made) return made.error();
  const std::shared_ptr<GltfWriter> gltf = std::move(*made);
  std::vector<ExportOutput> outputs;
  if (source.model->nodeCount() > 0) {
    Result<ExportOutput> morphs = morphsOf(source, gltf);
    if (!morphs) return morphs.error();
    outputs.push_back(std::move(*morphs));
  }
  outputs.push_back({source.file, std::move(*poses), ExportOutput::Reads::Facts, true,
                     [gltf](const Snapshot& s) { return gltf->addPoses(s); },
                     [gltf] { return gltf->finish(); }});
  return outputs;
}

Result<void> checkName(const std::string& file) {
  const std::string suffix = lowerSuffix(file);
  if (suffix == ".glb" || suffix == ".gltf") return {};
  return Error{ErrorCode::Unsupported, "this is no name of a glTF file", "--gltf " + file,
               "end it in .glb, or in .gltf for text with a .bin beside it"};
}

/// Of a .gltf the numbers.
std::optional<fs::path> numbersOf(const fs::path& file) {
  if (lowerSuffix(file.string()) != ".gltf") return std::nullopt;
  return fs::path(file).replace_extension(".bin");
}

}  // namespace

Exporter gltfExporter() {
  return {{.name = "gltf",
           .description = "OUT.glb or OUT.gltf: one animated scene for Blender and viewers",
           .moments = ExportKind::Moments::Samples,
           .label = "Animation",
           .explanation = "One glTF 2.0 file with moving bodies and changing surfaces, for Blender. GLB is "
                          "one file; glTF is text with its numbers beside it",
           .forms = {{"glb", "GLB", ".glb"}, {"gltf", "glTF", ".gltf"}},
           .formsLabel = "Form of the glTF file",
           .formsKept = "gltfText"},
          openAnimation,
          checkName,
          numbersOf};
}

}  // namespace slipstick::assets
