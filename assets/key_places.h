// Where each key of a scene's file is written, for errors that are only found when everything is put together.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

namespace slipstick::assets {

class KeyPlaces {
 public:
  /// @param label  what stands for the file
  explicit KeyPlaces(std::string label = {}) : label_(std::move(label)) {}

  const std::string& label() const { return label_; }
  /// @param path   "bodies.table.shapes.0": entries of lists by their index
  /// @param label  of the file that it is written in, which may be another one; or "--set a.b=1"
  /// @param line   from 1; 0: of no line
  void add(const std::string& path, std::shared_ptr<const std::string> label, int line) {
    places_.insert_or_assign(path, Place{std::move(label), line});
  }

  /// "dough.yaml:12", or "--set a.b=1". Of a key that is not written: where that is written which it lies in; ""
  /// is the whole file. A loop is looked for among the welds, too.
  std::string of(std::string key) const;

 private:
  struct Place {
    std::shared_ptr<const std::string> label;
    int line = 0;
  };
  std::string label_;
  std::map<std::string, Place> places_;
};

}  // namespace slipstick::assets
