// Where each key of a scene's file is written, for errors that are only found when everything is put together.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace slipstick::assets {

class KeyPlaces {
 public:
  /// @param label  what stands for the file
  explicit KeyPlaces(std::string label = {}) : label_(std::move(label)) {}

  const std::string& label() const { return label_; }
  /// @param path  "bodies.table.shapes.0": entries of lists by their index
  /// @param line  from 1
  void add(const std::string& path, int line) { lines_.insert_or_assign(path, line); }
  /// A key, and all below it, that an assignment of the command line has put there.
  void override(std::string path, std::string assignment) {
    overrides_.push_back({std::move(path), std::move(assignment)});
  }

  /// "dough.yaml:12", or "--set a.b=1". Of a key that is not written: where that is written which it lies in; ""
  /// is the whole file. A loop is looked for among the welds, too.
  std::string of(std::string key) const;

 private:
  struct Override {
    std::string path, assignment;
  };
  std::string label_;
  std::map<std::string, int> lines_;
  std::vector<Override> overrides_;
};

}  // namespace slipstick::assets
