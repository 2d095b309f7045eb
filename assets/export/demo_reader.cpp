#include "assets/export/demo_reader.h"

#include <nlohmann/json.hpp>

#include "assets/limits.h"
#include "assets/one_line.h"
#include "assets/recording/hdf5_file.h"
#include "assets/shipped.h"
#include "engine/foundation/nearest_name.h"
#include "engine/model/scene.h"

namespace slipstick::assets {

namespace fs = std::filesystem;

namespace {

Error unreadable(const std::string& place, const std::string& what) {
  return {ErrorCode::SyntaxError, "this is no demonstration of Slipstick: " + what, place,
          "name one of a file that 'slipstick demos' has written, as FILE.hdf5:demo_0"};
}

/// Called by HDF5, which an exception would leave locked for good.
herr_t addName(hid_t, const char* name, const H5L_info_t*, void* names) {
  try {
    static_cast<std::vector<std::string>*>(names)->emplace_back(name);
    return 0;
  } catch (...) {
    return -1;
  }
}

bool isCount(double number) {
  return number >= 1 && number <= static_cast<double>(limits::kRecordedSteps);
}

Result<void> readFacts(hid_t demo, const std::string& place, Demo& out) {
  const std::pair<const char*, std::string*> texts[] = {
      {"scene", &out.scene}, {"method", &out.method}, {"backend", &out.backend}, {"runs_on", &out.runsOn}};
  for (const auto& [name, to] : texts) {
    Result<std::string> text = hdf5::readText(demo, name);
    if (!text) return unreadable(place, "it has no '" + std::string(name) + "'");
    *to = oneLine(std::move(*text));
  }
  const Result<double> steps = hdf5::readNumber(demo, "steps");
  const Result<double> stride = hdf5::readNumber(demo, "steps_per_sample");
  const Result<double> exact = hdf5::readNumber(demo, "replays_exactly");
  const Result<std::uint64_t> last = hdf5::readHash(demo, "final_state_hash");
  const Result<std::string> model = hdf5::readText(demo, "model_file");
  if (!steps || !stride || !exact || !last || !model || !isCount(*steps) || !isCount(*stride))
    return unreadable(place, "what it says of itself is not whole");
  out.steps = static_cast<std::uint64_t>(*steps);
  out.stepsPerSample = static_cast<std::uint64_t>(*stride);
  out.replaysExactly = *exact != 0;
  out.finalHash = *last;
  if (const Result<double> seed = hdf5::readNumber(demo, "seed");
      seed && *seed >= 0 && *seed <= static_cast<double>(kLargestSeed))
    out.seed = static_cast<std::uint64_t>(*seed);
  const nlohmann::json json = nlohmann::json::parse(*model, nullptr, false);
  if (!json.is_object() || !json.contains("scene") || !json["scene"].is_string())
    return unreadable(place, "its model file holds no scene");
  out.sceneText = json["scene"].get<std::string>();
  return {};
}

Result<void> readSamples(hid_t demo, const std::string& place, Demo& out) {
  const Result<std::size_t> effectors = hdf5::columnsOf(demo, "actions_asked");
  if (!effectors) return unreadable(place, "it has no actions");
  const std::size_t width = EffectorAction::kNumbers * *effectors;
  hdf5::TableReader table;
  if (Result<void> ok = table.open(demo, ".",
                                   {{"actions", hdf5::Number::F64, {width}},
                                    {"actions_asked", hdf5::Number::U8, {*effectors}},
                                    {"state_hash", hdf5::Number::U64}});
      !ok)
    return unreadable(place, "its actions are of another kind");
  const auto numbers = table.read<double>(0, 0, table.rows());
  const auto asked = table.read<std::uint8_t>(1, 0, table.rows());
  const auto hashes = table.read<std::uint64_t>(2, 0, table.rows());
  if (!numbers) return numbers.error();
  if (!asked) return asked.error();
  if (!hashes) return hashes.error();
  if (table.rows() != (out.steps + out.stepsPerSample - 1) / out.stepsPerSample)
    return unreadable(place, "it has " + std::to_string(table.rows()) + " samples of " +
                                 std::to_string(out.steps) + " steps");
  out.hashes = *hashes;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    std::vector<EffectorAction> sample;
    for (std::size_t i = 0; i < *effectors; ++i) {
      const double* n = numbers->data() + row * width + i * EffectorAction::kNumbers;
      sample.push_back(
          {Vec3(n[0], n[1], n[2]), Quat(n[3], n[4], n[5], n[6]), n[7], (*asked)[row * *effectors + i]});
    }
    out.samples.push_back(std::move(sample));
  }
  return {};
}

}  // namespace

Result<Demo> readDemo(const std::string& place) {
  hdf5::begin();
  const std::size_t colon = place.rfind(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == place.size())
    return Error{ErrorCode::InvalidValue, "this names no demonstration of a file", place,
                 "write it as FILE.hdf5:demo_0"};
  const fs::path file = place.substr(0, colon);
  Demo demo;
  demo.name = place.substr(colon + 1);
  std::error_code ignored;
  if (!fs::exists(file, ignored))
    return Error{ErrorCode::FileNotFound, "there is no such file", file.string(), "check the path"};
  if (Result<void> ok = checkIsFile(file); !ok) return ok.error();
  const hdf5::Handle handle = hdf5::openToRead(file);
  if (const auto cut = handle.ok() ? std::nullopt : hdf5::howCutOff(file))
    return Error{ErrorCode::SyntaxError, *cut, file.string(), "copy it again from where it is whole"};
  const hdf5::Handle data(H5Gopen2(handle.id(), "data", H5P_DEFAULT), H5Gclose);
  if (!handle.ok() || !data.ok()) return unreadable(file.string(), "it has no group 'data'");
  const hdf5::Handle group(H5Gopen2(data.id(), demo.name.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group.ok()) {
    std::vector<std::string> names;
    H5Literate(data.id(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, &addName, &names);
    return Error{ErrorCode::UnknownName, "there is no demonstration '" + demo.name + "'", file.string(),
                 suggestName(demo.name, names)};
  }
  if (Result<void> ok = readFacts(group.id(), place, demo); !ok) return ok.error();
  if (Result<void> ok = readSamples(group.id(), place, demo); !ok) return ok.error();
  return demo;
}

}  // namespace slipstick::assets
