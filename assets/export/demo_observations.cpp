#include "assets/export/demo_observations.h"

#include <fnmatch.h>

#include <algorithm>

#include "engine/foundation/nearest_name.h"
#include "engine/foundation/number_text.h"

namespace slipstick::assets {
namespace {

/// HDF5 takes a name with a slash for two.
std::string nameInFile(std::string name) {
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

std::string keyOf(const std::string& group, const std::string& name) {
  return group + "/" + nameInFile(name);
}

/// "60 mm"
std::string millimetres(double metres) {
  return significant(1000 * metres) + " mm";
}

void append(const Vec3& v, std::vector<double>& row) {
  row.insert(row.end(), v.begin(), v.end());
}

void append(const Pose& X, std::vector<double>& row) {
  append(X.p, row);
  const Quat q(X.R);
  row.insert(row.end(), {q.w(), q.x(), q.y(), q.z()});
}

}  // namespace

Pose effectorPose(const Model& model, std::size_t effector, const Snapshot& snapshot) {
  const multibody::Chain& chain = model.effectors[effector].chain;
  return snapshot.X_WB[static_cast<std::size_t>(chain.body)] * chain.X_BE;
}

Result<DemoObservations> DemoObservations::of(std::shared_ptr<const Model> model,
                                              const std::vector<std::string>& patterns, bool tactile) {
  DemoObservations all(std::move(model));
  all.addJoints();
  all.addEffectors();
  all.addBodies();
  all.addDeformables();
  Result<DemoObservations> chosen = all.fitting(patterns);
  if (chosen && tactile && !chosen->addTactile())
    return Error{ErrorCode::Unsupported, "no effector has a gripper with pads", "--tactile",
                 "leave it out, or give the scene's effectors fingers"};
  return chosen;
}

Result<DemoObservations> DemoObservations::fitting(const std::vector<std::string>& patterns) const {
  if (patterns.empty()) return *this;
  DemoObservations chosen(model_);
  std::vector<char> isChosen(fields_.size(), 0);
  for (const std::string& pattern : patterns) {
    bool fits = false;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < fields_.size(); ++i) {
      names.push_back(fields_[i].name);
      if (fnmatch(pattern.c_str(), names.back().c_str(), FNM_NOESCAPE) != 0) continue;
      fits = true;
      isChosen[i] = 1;
    }
    if (!fits)
      return Error{ErrorCode::UnknownName, "no observation fits this pattern", "--observations " + pattern,
                   suggestName(pattern, names)};
  }
  for (std::size_t i = 0; i < fields_.size(); ++i)
    if (isChosen[i] != 0) chosen.add(fields_[i], reads_[i]);
  return chosen;
}

void DemoObservations::add(hdf5::Field field, Read read) {
  fields_.push_back(std::move(field));
  reads_.push_back(std::move(read));
}

/// Joints with one degree of freedom, in the order of the model.
void DemoObservations::addJoints() {
  std::vector<int> q, v;
  std::string names;
  for (const multibody::Joint& joint : model_->tree.joints) {
    if (multibody::velocityCount(joint.type) != 1) continue;
    q.push_back(joint.qStart);
    v.push_back(joint.vStart);
    names += (names.empty() ? "" : ", ") + joint.name;
  }
  if (q.empty()) return;
  const auto joints = [&](const char* key, const char* unit, const VecX StepFacts::*values,
                          const std::vector<int>& places) {
    add({key, hdf5::Number::F64, {places.size()}, unit, names},
        [values, places](const Snapshot& s, std::vector<double>& row) {
          for (const int place : places) row.push_back((s.*values)[place]);
        });
  };
  joints("joint_positions", "rad, m", &StepFacts::q, q);
  joints("joint_velocities", "rad/s, m/s", &StepFacts::v, v);
  joints("joint_torques", "N m, N", &StepFacts::tau, v);
}

void DemoObservations::addEffectors() {
  for (std::size_t i = 0; i < model_->effectors.size(); ++i)
    add({keyOf("effector_pose", model_->effectors[i].name),
         hdf5::Number::F64,
         {7},
         "m, 1",
         "x, y, z, qw, qx, qy, qz of the tool frame in the world"},
        [i, model = model_.get()](const Snapshot& s, std::vector<double>& row) {
          append(effectorPose(*model, i, s), row);
        });
}

/// Forces on whatever can be touched, poses of what lies around.
void DemoObservations::addBodies() {
  for (std::size_t body = 1; body < model_->tree.bodies.size(); ++body) {
    const multibody::Body& facts = model_->tree.bodies[body];
    if (facts.joint < 0 ||
        model_->tree.joints[static_cast<std::size_t>(facts.joint)].type != multibody::JointType::Floating)
      continue;
    add({keyOf("object_pose", facts.name),
         hdf5::Number::F64,
         {7},
         "m, 1",
         "x, y, z, qw, qx, qy, qz in the world"},
        [body](const Snapshot& s, std::vector<double>& row) { append(s.X_WB[body], row); });
  }
  for (std::size_t body = 1; body < model_->tree.bodies.size(); ++body) {
    const auto isIts = [body](const Geometry& geometry) {
      return static_cast<std::size_t>(geometry.body) == body;
    };
    if (std::none_of(model_->geometries.begin(), model_->geometries.end(), isIts)) continue;
    add({keyOf("contact_force", model_->tree.bodies[body].name),
         hdf5::Number::F64,
         {3},
         "N",
         "all contact forces on it, in the world"},
        [body](const Snapshot& s, std::vector<double>& row) { append(s.contactWrench[body].force, row); });
  }
}

void DemoObservations::addDeformables() {
  for (std::size_t i = 0; i < model_->deformables.size(); ++i)
    add({keyOf("deformable", model_->deformables[i].name),
         hdf5::Number::F64,
         {9},
         "m",
         "centre of mass, lower and upper corner of its box, in the world"},
        [i](const Snapshot& s, std::vector<double>& row) {
          append(s.deformables[i].center, row);
          append(s.deformables[i].lower, row);
          append(s.deformables[i].upper, row);
        });
}

/// @return whether there is a pad
bool DemoObservations::addTactile() {
  const std::size_t before = fields_.size();
  constexpr auto kSide = static_cast<std::size_t>(TactileImage::kSide);
  for (const Effector& effector : model_->effectors)
    for (const TactilePad& pad : tactilePads(*model_, effector))
      add({tactileKey(effector, pad),
           hdf5::Number::F32,
           {kSide, kSide, 3},
           "N",
           "contact forces on a pad of " + millimetres(pad.width) + " x " + millimetres(pad.height) +
               ", each where it acts: into the pad, along the columns, up the rows"},
          [pad](const Snapshot& s, std::vector<double>& row) {
            for (const auto& cells : tactileImage(pad, s.contacts, s.X_WB).cells)
              for (const Vec3& force : cells) append(force, row);
          });
  return fields_.size() > before;
}

/// By the link alone, "gripper.left_finger"'s second word, where no other robot has one of that name.
std::string DemoObservations::tactileKey(const Effector& effector, const TactilePad& pad) const {
  const std::string& body = model_->tree.bodies[static_cast<std::size_t>(pad.body)].name;
  const auto keyFor = [&](const std::string& finger) {
    return nameInFile(effector.name + "_" + finger + "_tactile");
  };
  const std::string key = keyFor(body.substr(body.find('.') + 1));
  const bool isTaken = std::any_of(fields_.begin(), fields_.end(),
                                   [&](const hdf5::Field& field) { return field.name == key; });
  return isTaken ? keyFor(body) : key;
}

void DemoObservations::put(const Snapshot& snapshot, hdf5::Table& table) const {
  std::vector<double> row;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    row.clear();
    reads_[i](snapshot, row);
    if (fields_[i].number == hdf5::Number::F32) {
      const std::vector<float> floats(row.begin(), row.end());
      table.put(i, floats.data(), floats.size());
    } else {
      table.put(i, row.data(), row.size());
    }
  }
}

}  // namespace slipstick::assets
