// A run as one file of NumPy arrays (.npz): export_formats.md lists them.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "assets/export/npy_array.h"
#include "engine/model/method_rows.h"
#include "engine/model/model.h"
#include "engine/model/snapshot.h"
#include "engine/runtime/observable_choice.h"

namespace slipstick::assets {

class NpzWriter {
 public:
  static Result<std::unique_ptr<NpzWriter>> create(const std::filesystem::path& file,
                                                   std::shared_ptr<const Model> model,
                                                   ObservableChoice choice);
  /// Observables, poses and contacts of the next step.
  Result<void> addStep(const Snapshot& snapshot);
  /// Particles of the next moment.
  Result<void> addFrame(const Snapshot& snapshot);
  Result<void> finish();

 private:
  NpzWriter(OutputFile file, std::shared_ptr<const Model> model, ObservableChoice choice)
      : file_(std::move(file)),
        model_(std::move(model)),
        choice_(std::move(choice)),
        softContacts_(tellsSoftContacts(*model_)),
        forceLaws_(tellsForceLaws(*model_)) {}
  // These do nothing after an error, which outcome_ keeps.
  template <class T>
  void grow(const std::string& name, std::vector<std::size_t> row = {});
  void list(const std::string& name, const std::vector<std::string>& texts);
  template <class T>
  void put(const char* name, std::span<const T> numbers);
  template <class T>
  void putOne(const char* name, T number) {
    put(name, std::span<const T>(&number, 1));
  }
  void begin();
  void add(const Contact& contact);

  OutputFile file_;
  std::shared_ptr<const Model> model_;
  ObservableChoice choice_;
  bool softContacts_, forceLaws_;  ///< the method tells them
  std::map<std::string, NpyArray, std::less<>> arrays_;
  std::uint64_t contacts_ = 0;  ///< of all steps so far
  Result<void> outcome_;
};

}  // namespace slipstick::assets
