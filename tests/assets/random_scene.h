// Scenes drawn from everything that the reader of scenes accepts: the table of the format says which keys there are and
// what they take, so that a new key is drawn by itself. What no table says (which keys go together, what a name refers to)
// stands in random_scene.cpp.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace slipstick::testing {

class RandomScene {
 public:
  using Json = nlohmann::ordered_json;
  /// Puts the files that scenes name into a folder.
  RandomScene(unsigned seed, const std::filesystem::path& folder);

  /// From now on with nothing soft, and with numbers that a simulation can take.
  void beSmall() { isSmall_ = true; }
  /// A scene; JSON is YAML, too. Most of them the reader takes.
  Json draw();
  /// Every key of every block that a scene can have, as "block.key".
  static std::set<std::string> allKeys();
  /// The keys that the scene drawn last has.
  std::set<std::string> keys() const;
  /// The scene drawn last with another value of one of its keys, or without it.
  /// @param wanted  such a key rather than another
  /// @return the scene, and the key; empty where there is none
  std::pair<Json, std::string> changed(const std::set<std::string>& wanted);

 private:
  using Place = Json::json_pointer;
  struct Leaf {
    std::string key;  ///< "body.mass"
    std::string type;
    Place place;
  };
  struct Draw {
    std::string_view block;
    std::string_view key;
    Place place;
  };

  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(random_); }
  bool chance(double p) { return std::bernoulli_distribution(p)(random_); }
  template <class List>
  auto oneOf(const List& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

  Json block(std::string_view name, const Place& place);
  Json value(const Draw& draw, std::string_view type);
  Json alternative(const Draw& draw, std::string_view type);
  Json named(const Draw& draw, std::string_view type);
  Json number(std::string_view range);
  Json whole(const Draw& draw, std::string_view range);
  Json color();
  Json rotation();
  Json word(const Draw& draw);
  std::string reference(const Draw& draw);
  std::vector<std::string> namesFor(const Draw& draw);
  std::string linkName();
  std::string freeText();

  // What goes together, block by block.
  void settle(std::string_view name, Json& block, const Place& place);
  void keep(Json& block, const std::vector<std::string>& keys);
  void keepOne(Json& block, const std::vector<std::string>& keys);
  void need(Json& block, std::string_view name, const std::string& key, const Place& place);
  void settleShape(std::string_view name, Json& block, const Place& place);
  void settleBase(Json& block);
  void settleBody(Json& block, const Place& place);
  void settleRobot(Json& block, const Place& place);
  void settleMaterial(Json& block, const Place& place);
  void settlePath(Json& block, const Place& place);
  void settleController(Json& block, const Place& place);
  void settleTask(std::string_view name, Json& block, const Place& place);
  void settleScene(Json& block);

  std::mt19937 random_;
  std::map<std::string, std::vector<std::string>> names_;  ///< of a scene's things, by their block
  std::vector<Leaf> leaves_;
  Json scene_;
  bool isWild_ = false;   ///< numbers of any size
  bool isSmall_ = false;  ///< see beSmall()
};

}  // namespace slipstick::testing
