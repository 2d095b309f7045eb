// The table of the format: the reader, the JSON Schema and scene_format.md say the same.
#include "assets/scene_schema.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "assets/scene_format.h"
#include "assets/scene_writer.h"
#include "assets/yaml_tree.h"
#include "engine/foundation/number_text.h"
#include "engine/model/parameters.h"
#include "tests/assets/scene_facts.h"
#include "tests/assets/scene_page.h"
#include "tests/assets/scene_text.h"
#include "tests/assets/schema_check.h"
#include "tests/support/sdf_needed.h"
#include "tests/support/stepping.h"

namespace slipstick {
namespace {

namespace fs = std::filesystem;
using assets::FormatKey;
using assets::YamlNode;
using assets::YamlTree;
using testing::Json;

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

YamlTree treeOf(const std::string& text) {
  const Result<YamlTree> tree = assets::parseYaml(text, "test.yaml");
  EXPECT_TRUE(tree) << tree.error().message();
  return tree ? *tree : nullptr;
}

/// Every key of the format at least once.
const std::string kEverything = R"(slipstick: 1
title: all keys
gravity: [0, 0, -9.8]
time: {dt_ms: 5, duration: 2, substeps: auto, cfl: 0.5}
grid: {spacing: 0.05}
solver:
  {method: async, contact: quasi_newton, relative_tolerance: 0.1, absolute_tolerance: 1e-10, max_iterations: 50, lag_iterations: 1,
   geometry: frozen, on_failure: pause, rigid: {potential: sap, stiction_speed: 1e-3, stiction_softness: 1e-6, relaxation_time: 0.2, friction_rule: mean,
   relative_tolerance: 1e-5, max_iterations: 40, lag_iterations: 1}}
contact:
  {friction: 0.4, restitution: 0.2, stiffness: 100, dissipation: 2, enabled: true, stiction_speed: 0.01, stiction_softness: 1e-5, rigid: {enabled: true, representation: point, modulus: 1e6,
   stiffness: 1e5, dissipation: 3}}
view: {ground: false, ground_height: -1, opening: all}
defaults:
  {materials: {}, deformables: {}, bodies: {}, shapes: {}, robots: {}, boundaries: {}, paths: {}, controllers: {}, sensors: {}, cameras: {}}
frames:
  shelf: {attach_to: world, position: [0, 0, 1], rpy_deg: [0, 0, 90]}
  other: {rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1]}
  image: {mirror: {of: shelf, normal: x, point: [1, 0, 0]}}
materials:
  foam: {model: hencky, E: 1e5, nu: 0.3, density: 500}
  dough: {model: hencky_von_mises, E: 1e5, nu: 0.3, density: 500, yield_stress: 1000}
  sand: {model: drucker_prager, E: 1e5, nu: 0.3, density: 500, friction_angle_deg: 30}
  hard: {model: drucker_prager, E: 1e5, nu: 0.3, density: 500, hardening_deg: [35, 9, 0.2, 10]}
  snow: {model: snow, E: 1e5, nu: 0.3, density: 500, critical_compression: 0.02, critical_stretch: 0.01, hardening: 9}
  oil: {model: liquid, density: 900, bulk_modulus: 1e5, exponent: 6, viscosity: 0.1, tension: true}
  silk: {model: cloth, E: 1e5, nu: 0.3, density: 500, thickness: 1e-3, normal_stiffness: 1e4, shear_stiffness: 1, layer_friction: 0.1, bending_stiffness: 1e-6}
deformables:
  lump: {material: foam, shape: box, size: [0.1, 0.1, 0.1], position: [0, 0, 3], rpy_deg: [0, 0, 9], in: other, velocity: [0, 0, 1],
    angular_velocity: [1, 0, 0], apic_damping: 0.5, color: [1, 0, 0], visible: false, draw: surface,
    sampling: {kind: lattice, count: [3, 3, 3]}, replicate: {count: 2, offset: [1, 0, 0], rpy_deg: [0, 0, 5], first: 1}}
  cloud: {material: foam, shape: sphere, radius: 0.1, position: [5, 0, 3], rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], sampling: {kind: poisson, spacing: 0.03, seed: 5}}
  pill: {material: foam, shape: capsule, radius: 0.1, length: 0.1, position: [6, 0, 3], sampling: {particles_per_cell: 5}}
  egg: {material: foam, shape: ellipsoid, radii: [0.1, 0.1, 0.2], position: [7, 0, 3]}
  gem: {material: foam, shape: mesh, file: MESH, scale: 1, position: [8, 0, 3]}
  flag: {material: silk, shape: sheet, size: [0.1, 0.1], count: [3, 3], position: [9, 0, 3]}
  twin: {mirror: {of: egg, normal: y, point: [0, 1, 0]}}
bodies:
  box: {base: free, mass: 2, position: [0, 2, 3], rpy_deg: [0, 0, 9], velocity: [1, 0, 0], angular_velocity: [0, 1, 0], in: other, color: "#112233",
    visible: true, contact: {stiffness_factor: 2}, replicate: {count: [1, 2, 1], offset: [1, 1, 1]},
    shapes: [{name: all, shape: box, size: [0.1, 0.1, 0.1], position: [0, 0, 0], rpy_deg: [0, 0, 9], color: "#445566", roughness: 0.2, metallic: 1,
      contact: {friction: 1}, visible: true, collides: true}]}
  ball: {base: free, density: 200, contact: {restitution: 0.5, stiffness: 5, dissipation: 1, enabled: true, rigid: {enabled: true}}, rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1], position: [0, 5, 3], shapes: [{shape: sphere, radius: 0.1, rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1]}]}
  pin: {attach_to: box_1, shapes: [{shape: capsule, radius: 0.01, length: 0.1, collides: false}]}
  mover: {path: way, shapes: [{shape: ellipsoid, radii: [0.1, 0.1, 0.1]}]}
  bar: {position: [0, 9, 9], shapes: [{shape: mesh, file: MESH, scale: [1, 1, 1], convex_parts: 4}]}
  decal: {position: [0, 8, 9], shapes: [{shape: mesh, file: MESH, texture: TEXTURE}]}
  mate: {mirror: {of: ball, normal: z, point: [0, 0, 1]}}
boundaries:
  wall: {kind: slip, shape: plane, position: [0, 0, -5], rpy_deg: [0, 0, 9], in: other, from: 0.1, until: 1, friction: 0.3, color: "#111111", visible: true,
    replicate: {count: 2, offset: [0, 0, 1]}}
  clamp: {kind: sticky, shape: box, size: [0.1, 0.1, 0.1], path: way}
  dome: {kind: sticky, shape: sphere, radius: 0.1, rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1]}
  back: {mirror: {of: dome, normal: x}}
robots:
  arm: {urdf: pendulum, position: [20, 0, 0], rpy_deg: [0, 0, 9], in: other, joints: {hinge: 0.5}, velocities: {hinge: 0.1}, damping: {hinge: 1},
    dry_friction: {hinge: 1}, stiffness: {hinge: 1}, spring_reference: {hinge: 1}, armature: {hinge: 0.1},
    limits: {hinge: {lower: -1, upper: 1, velocity: 2, effort: 50}}, links: {rod: {contact: {friction: 0.3}, color: "#222222", visible: true, mass: 1,
    com: [0, 0, 0.01], inertia: [1, 1, 1, 0, 0, 0], convex_parts: 0}}, hold: true, convex_parts: 3, contact: {friction: 0.2}, color: "#333333", visible: true, replicate: {count: 1}}
  swing: {urdf: pendulum, base: fixed, attach_to: world, position: [30, 0, 0], rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1]}
  free: {urdf: pendulum, base: free, position: [40, 0, 0], velocity: [0, 0, 1], angular_velocity: [0, 0, 1]}
  guided: {urdf: pendulum, path: way}
  glass: {mirror: {of: swing, normal: y, point: [0, 1, 0]}}
  second: {sdf: SDF, position: [50, 0, 0]}
welds: {w: {link_a: ball, pose_a: {position: [0, 0, 1], rpy_deg: [0, 0, 9]}, link_b: mate, pose_b: {rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1]}}}
loops: {l: {kind: distance, link_a: ball, pose_a: {}, link_b: world, pose_b: {}, distance: 5}}
pair_rules: [{a: ball, b: lump_1, enabled: true, friction: 0.1}, {a: ball, b: box_1, restitution: 0.3}]
paths:
  way: {in: other, interpolation: smooth, keys: [{t: 0, position: [0, 0, 9], rpy_deg: [0, 0, 9]}, {t: 1, quaternion: [1, 0, 0, 0]}, {t: 2, rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1]}]}
  trip: {start: {position: [0, 0, 9]}, moves: [{from: 0, to: 1, velocity: [1, 0, 0]}, {from: 1, to: 2, displacement: [1, 0, 0], rotation_deg: [0, 0, 9]}]}
  back: {mirror: {of: trip, normal: x}}
controllers:
  - {kind: joint_path, robot: arm_0, joints: [hinge], kp: [5], kd: 6, interpolation: spline, keys: [{t: 0, q: [0]}, {t: 1, q_deg: [5]}]}
  - {kind: end_effector_path, robot: arm_0, link: rod, path: trip, position: [0, 0, 0], rpy_deg: [0, 0, 9]}
  - {kind: end_effector_path, robot: arm_0, link: rod, path: trip, rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1]}
  - {kind: joint_effort, robot: swing, joint: hinge, effort: 1, from: 0.5}
  - {kind: joint_velocity, robot: swing, joint: hinge, velocity: 1, kd: 5, from: 0.5}
  - {kind: gripper, robot: swing, joints: [hinge], effort: 5, kp: 7, keys: [{t: 0, opening: 0.1}]}
  - {kind: force, link: ball, point: [0, 0, 0.1], keys: [{t: 0, force: [1, 0, 0], torque: [0, 0, 1]}]}
teleop:
  hand: {robot: arm_0, link: rod, position: [0, 0, 0.1], rpy_deg: [0, 0, 9], speed: 0.2, acceleration: 1, turn_speed: 1, turn_acceleration: 5,
    workspace: {lower: [-9, -9, -9], upper: [99, 9, 9]}, gripper: {robot: swing, joints: [hinge], open: 0.1, closed: [0], effort: 5, closing_time: 1}}
  tip: {robot: swing, link: rod, rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1]}
cameras: {eye: {position: [5, 5, 5], target: [0, 0, 1], up: [0, 1, 0], fov_deg: 50, body: ball}}
sensors:
  wrist: {kind: force_torque, joint: arm_0.hinge, position: [0, 0, 0.1], rpy_deg: [0, 0, 9]}
  touch: {kind: contact, link: ball, other: lump_1, rotation: [1, 0, 0, 0, 1, 0, 0, 0, 1]}
task:
  text: do it
  time_limit: 9
  reset: [{name: ball, position: {x: [-1, 1], y: [0, 1], z: [0, 1]}, yaw_deg: [-9, 9]}, {name: swing, joints: {hinge: [-0.1, 0.1]}}]
  success: [{observable: ball.z, above: 1, below: 2, for: 0.1}, {observable: ball.x, between: [0, 1]}]
  failure: [{observable: ball.z, below: -9}]
  seed: 7
)";

std::string everything() {
  const fs::path sdf =
      testing::writeFile("one.sdf", "<sdf version='1.7'><model name='m'><link name='l'/></model></sdf>");
  const fs::path common = testing::writeFile("common.yaml", "title: common\n");
  const fs::path mesh = testing::writeFile(
      "tetra.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  std::string text = testing::varied("SDF,", sdf.string() + ",", kEverything);
  text = testing::varied(", texture: TEXTURE", "", text);  // an image needs a mesh with coordinates for it
  for (int i = 0; i < 3; ++i) text = testing::varied("MESH", mesh.string(), text);
  return "include: " + common.string() + "\n" + text;
}

/// Calls with each key of a document that the table knows: its block, its row, and the way to its value.
using Visit =
    std::function<void(std::string_view block, const FormatKey& key, const std::vector<std::string>& path)>;

class Walk {
 public:
  explicit Walk(Visit visit) : visit_(std::move(visit)) {}

  void block(const YamlTree& map, std::string_view name, const std::vector<std::string>& path) const {
    for (const YamlNode::Entry& entry : map->entries)
      for (const FormatKey& key : assets::allKeysOf(name)) {
        if (key.key != entry.key) continue;
        std::vector<std::string> below = path;
        below.push_back(entry.key);
        visit_(name, key, below);
        value(entry.value, key.type, below);
      }
  }

 private:
  static bool isBlock(std::string_view name) {
    const auto& blocks = assets::formatBlocks();
    return std::any_of(blocks.begin(), blocks.end(), [&](const auto& b) { return b.name == name; });
  }
  void value(const YamlTree& tree, std::string_view type, const std::vector<std::string>& path) const {
    for (const std::string_view alternative : assets::alternativesOf(type))
      for (const std::string_view kind : {"block ", "list ", "names "}) {
        if (!alternative.starts_with(kind) || !isBlock(alternative.substr(kind.size()))) continue;
        const std::string_view name = alternative.substr(kind.size());
        if (kind == "block ") {
          if (tree->isMap()) block(tree, name, path);
          continue;
        }
        for (std::size_t i = 0; i < tree->entries.size(); ++i) {
          std::vector<std::string> below = path;
          below.push_back(tree->isList() ? std::to_string(i) : tree->entries[i].key);
          if (tree->entries[i].value->isMap()) block(tree->entries[i].value, name, below);
        }
      }
  }
  Visit visit_;
};

/// The document with another value, or another key beside it.
YamlTree changed(const YamlTree& tree, const std::vector<std::string>& path, const YamlTree& value,
                 std::size_t at = 0) {
  if (at == path.size()) return value;
  if (tree->isMap() && !hasKey(tree, path[at])) return withKey(tree, path[at], value);
  for (std::size_t i = 0; i < tree->entries.size(); ++i)
    if (tree->isMap() ? tree->entries[i].key == path[at] : std::to_string(i) == path[at])
      return withEntry(tree, i, changed(tree->entries[i].value, path, value, at + 1));
  ADD_FAILURE() << path[at];
  return tree;
}

std::string dotted(const std::vector<std::string>& path) {
  std::string text;
  for (const std::string& name : path) text += (text.empty() ? "" : ".") + name;
  return text;
}

/// What the program says to a document, or "".
std::string refusal(const YamlTree& tree) {
  const Result<assets::LoadedScene> loaded =
      assets::parseScene(inOneLine(tree), testing::sourceDir() / "assets" / "scenes", "test.yaml");
  return loaded ? "" : loaded.error().message();
}

/// As much of a document as one of its values stands on, without the files of others: quick to read.
YamlTree around(const YamlTree& all, const std::vector<std::string>& path) {
  std::vector<YamlNode::Entry> blocks;
  for (const YamlNode::Entry& block : all->entries) {
    const bool isNeeded =
        block.key == path[0] || block.key == "frames" || (block.key == "robots" && path[0] == "sensors");
    if (!isNeeded) continue;
    std::vector<YamlNode::Entry> entries;
    for (const YamlNode::Entry& entry : block.value->entries) {
      const std::string text = inOneLine(entry.value);
      const bool readsFile =
          text.find("file: ") != std::string::npos || text.find("sdf: ") != std::string::npos;
      if (!readsFile || (path.size() > 1 && path[1] == entry.key)) entries.push_back(entry);
    }
    blocks.push_back({block.key, block.value->entries.empty()
                                     ? block.value
                                     : withEntries(block.value, std::move(entries))});
  }
  return withEntries(all, std::move(blocks));
}

TEST(SceneSchema, ShipsAsTheTableSaysIt) {
  EXPECT_EQ(read(testing::sourceDir() / "assets" / "scene.schema.json"),
            assets::sceneSchema(testing::stepping().table().get()))
      << "write it again: slipstick scenes --schema > assets/scene.schema.json";
}

TEST(SceneSchema, TakesEveryShippedSceneAndEveryKey) {
  SLIPSTICK_REQUIRE_SDF();
  const testing::SchemaCheck check(Json::parse(assets::sceneSchema()));
  for (const assets::ShippedScene& shipped : assets::shippedScenes())
    EXPECT_EQ(check.fault(testing::jsonOf(treeOf(read(shipped.file)))), "") << shipped.name;
  const YamlTree all = treeOf(everything());
  EXPECT_EQ(check.fault(testing::jsonOf(all)), "");
  EXPECT_EQ(refusal(all), "");
  std::set<std::string> used;
  Walk([&](std::string_view block, const FormatKey& key, const auto&) {
    used.insert(std::string(block) + "." + std::string(key.key));
  }).block(all, "scene", {});
  // What no scene of this kind can have: they exclude each other, or another key of the same type stands for them.
  const std::set<std::string> others = {"element.texture", "scene_contact.stiffness_factor",
                                        "boundary.length", "boundary.radii",
                                        "boundary.file",   "boundary.scale",
                                        "robot.mjcf",      "robot.srdf"};
  std::set<std::string> reachable;
  for (const std::string& name : used) reachable.insert(name.substr(0, name.find('.')));
  for (const std::string& block : reachable)
    for (const std::string& key : assets::keyNamesOf(block))
      EXPECT_NE(used.contains(block + "." + key), others.contains(block + "." + key)) << block << "." << key;
}

TEST(SceneSchema, WhatItRefusesTheProgramRefusesAndUnknownKeysAndTypesAlsoTheOtherWayRound) {
  SLIPSTICK_REQUIRE_SDF();
  const testing::SchemaCheck check(Json::parse(assets::sceneSchema()));
  const YamlTree all = treeOf(everything());
  const YamlTree word = treeOf("{v: nonsense}")->entries[0].value, map = treeOf("{nonsense: 1}");
  int refused = 0, mutations = 0;
  std::set<std::string> done;
  Walk([&](std::string_view block, const FormatKey& key, const std::vector<std::string>& path) {
    if (!done.insert(std::string(block) + "." + std::string(key.key)).second) return;
    const YamlTree part = around(all, path);
    std::vector<std::string> beside = path;
    beside.back() = "nonsense";
    std::vector<std::pair<YamlTree, bool>> documents = {{changed(part, beside, word), true}};
    const bool isText = key.type.find("text") != std::string_view::npos;
    if (!isText) documents.emplace_back(changed(part, path, word), true);
    if (key.type.find("block") == std::string_view::npos && key.type.find("names") == std::string_view::npos)
      documents.emplace_back(changed(part, path, map), true);
    for (const char* number : {"-1", "0", "1e9"})
      documents.emplace_back(changed(part, path, scalarLike(*all, number)), false);
    for (const auto& [document, isFault] : documents) {
      const bool fits = check.fault(testing::jsonOf(document)).empty();
      const std::string message = refusal(document);
      ++mutations;
      refused += fits ? 0 : 1;
      EXPECT_TRUE(fits || !message.empty()) << "only the schema refuses " << dotted(path) << " of " << block;
      const bool isForBoth = isFault || message.find("out of range") != std::string::npos;
      EXPECT_FALSE(fits && isForBoth)
          << "only the program refuses " << dotted(path) << " of " << block << ": " << message;
    }
  }).block(all, "scene", {});
  EXPECT_GT(refused, mutations / 3) << mutations;
}

TEST(SceneFormatTable, HasTheKeysAndRangesOfTheTableOfParameters) {
  const auto keyIn = [](const std::string& block, std::string_view name) {
    for (const FormatKey& key : assets::allKeysOf(block))
      if (key.key == name) return key;
    ADD_FAILURE() << block << "." << name;
    return FormatKey{};
  };
  for (const std::string& key : keysOf(ParameterBlock::Material)) {
    const FormatKey row = keyIn("material", key);
    const Range range = rangeOf(ParameterBlock::Material, key);
    const bool isOpen = range.openLower && std::isfinite(range.lower);
    EXPECT_EQ(row.type.find("> ") != std::string_view::npos, isOpen) << key;
  }
  for (const std::string& key : keysOf(ParameterBlock::Joint)) keyIn("robot", key);
  for (std::string key : keysOf(ParameterBlock::Contact))
    keyIn(key.starts_with("rigid.") ? "rigid_contact" : "contact", key.substr(key.rfind('.') + 1));
}

/// Rows of the tables of scene_format.md: the headings that they stand under, their keys, units and defaults.
struct Row {
  std::string section, key, unit, fallback;
};

std::vector<Row> rowsOfThePage() {
  std::vector<Row> rows;
  std::istringstream page(read(testing::sourceDir() / "assets" / "scene_format.md"));
  std::string section;
  std::vector<std::string> columns;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("#")) section = line.substr(line.find(' ') + 1);
    if (!line.starts_with("|")) columns.clear();
    if (!line.starts_with("|") || line.starts_with("|--")) continue;
    std::vector<std::string> cells;
    std::istringstream in(std::regex_replace(line.substr(1), std::regex(R"(\\\|)"), "\x01"));
    for (std::string cell; std::getline(in, cell, '|');)
      cells.push_back(std::regex_replace(cell, std::regex("^ +| +$"), ""));
    if (columns.empty()) {
      columns = cells;
      continue;
    }
    if (columns.size() < 4 || columns[0] != "Key" || columns[1] != "Unit") continue;
    const std::regex word("`([^`]+)`");
    std::vector<std::string> keys;
    for (std::sregex_iterator it(cells[0].begin(), cells[0].end(), word), end; it != end; ++it)
      keys.push_back((*it)[1]);
    const auto partOf = [&](std::string cell, std::size_t i) {
      const std::size_t comma = cell.find(", ");
      if (keys.size() == 2 && comma != std::string::npos && cell[0] != '`')
        cell = i == 0 ? cell.substr(0, comma) : cell.substr(comma + 2);
      return std::regex_replace(cell, std::regex("`"), "");
    };
    for (std::size_t i = 0; i < keys.size(); ++i)
      rows.push_back(
          {section, keys[i], partOf(cells[1], i), columns[2] == "Default" ? partOf(cells[2], i) : ""});
  }
  return rows;
}

/// Where the keys of a block stand in the page: its heading, and what stands before them.
const std::vector<std::tuple<std::string, std::string, std::string>> kPlaces = {
    {"time", "Settings", "time."},
    {"grid", "Settings", "grid."},
    {"view", "Settings", "view."},
    {"solver", "Settings", "solver."},
    {"rigid_solver", "`solver.rigid`", ""},
    {"contact", "`contact`", ""},
    {"rigid_contact", "`contact`", "rigid."},
    {"pair_rule", "`pair_rules`", ""},
    {"deformable", "`deformables`", ""},
    {"sampling", "`deformables`", "sampling."},
    {"body", "`bodies`", ""},
    {"boundary", "`boundaries`", ""},
    {"loop", "`loops`", ""},
    {"replicate", "`replicate`", ""},
    {"mirror", "`mirror`", ""},
    {"frame", "`frames`", ""},
    {"task", "`task`", ""},
    {"reset", "`task`", "reset."},
};

TEST(SceneFormatTable, AndThePageSayTheSame) {
  const std::vector<Row> rows = rowsOfThePage();
  ASSERT_GT(rows.size(), 80u);
  for (const auto& [block, section, prefix] : kPlaces)
    for (const FormatKey& key : assets::formatBlock(block).keys) {
      const auto row =
          std::find_if(rows.begin(), rows.end(), [&, &section = section, &prefix = prefix](const Row& r) {
            return r.section == section && r.key == prefix + std::string(key.key);
          });
      if (key.type.starts_with("block ")) continue;  // has rows of its own
      ASSERT_NE(row, rows.end()) << section << " of scene_format.md has no row for " << key.key;
      EXPECT_EQ(row->unit, key.unit) << block << "." << key.key;
      EXPECT_EQ(row->fallback, key.fallback) << block << "." << key.key;
    }
  for (const Row& row : rows) {
    bool isKnown = false;
    for (const auto& [block, section, prefix] : kPlaces)
      for (const std::string& key : assets::keyNamesOf(block))
        isKnown |= row.section == section && row.key == prefix + key;
    for (const std::string& key : assets::keyNamesOf("scene"))
      isKnown |= row.section == "Settings" && row.key == key;
    isKnown |= row.key == "solver.rigid.…" || row.key == "contact.…" || row.key == "contact.stiction_speed" ||
               row.key == "contact.stiction_softness";
    EXPECT_TRUE(isKnown) << row.section << ": " << row.key << " is not in the table of the format";
  }
}

TEST(SceneFormatTable, WritesItsLinesOfThePage) {
  const std::string page = read(testing::sourceDir() / "assets" / "scene_format.md");
  const std::string today = testing::withPageLines(page);
  EXPECT_EQ(page, today) << "write it again: cp " << testing::writeFile("scene_format.md", today).string()
                         << " assets/scene_format.md";
}

TEST(SceneFormatTable, PutsTheLineOfANewKeyAfterThatOfTheKeyBeforeIt) {
  const std::string page = read(testing::sourceDir() / "assets" / "scene_format.md");
  for (const std::string key : {"`slipstick`", "`time.cfl`", "`from`, `until`", "`rigid.dissipation`"}) {
    const std::size_t at = page.find("\n| " + key + " |");
    ASSERT_NE(at, std::string::npos) << key;
    const std::size_t end = page.find('\n', at + 1);
    std::string without = page, other = page;
    without.erase(at, end - at);
    other.replace(end - 2, 1, "?");
    EXPECT_EQ(testing::withPageLines(without), page) << key;
    EXPECT_EQ(testing::withPageLines(other), page) << key;
  }
}

TEST(SceneFormatTable, EveryKeyIsOnThePage) {
  const std::string page = read(testing::sourceDir() / "assets" / "scene_format.md");
  for (const assets::FormatBlock& block : assets::formatBlocks())
    for (const FormatKey& key : block.keys) {
      const std::regex named("[`.{, ]" + std::string(key.key) + "[`:,.} ]");
      EXPECT_TRUE(std::regex_search(page, named)) << block.name << "." << key.key;
    }
}

}  // namespace
}  // namespace slipstick
