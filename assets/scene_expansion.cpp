#include "assets/scene_expansion.h"

#include "assets/overrides.h"
#include "assets/scene_copies.h"
#include "assets/scene_includes.h"
#include "assets/scene_old_keys.h"

namespace slipstick::assets {
namespace {

/// The assignments of one scene, in their order; each changes the first stage of the document that its path reaches.
class Overriding {
 public:
  Result<void> parse(const ExpansionOptions& options, const std::filesystem::path& folder,
                     std::vector<Notice>& notices) {
    for (const std::string& assignment : options.overrides) {
      Result<Override> parsed = Override::parse(assignment, folder, options.methods.get(), notices);
      if (!parsed) return parsed.error();
      overrides_.push_back(std::move(*parsed));
    }
    return {};
  }

  /// Only those that `fits` says belong here, which are then done.
  template <class Fits>
  Result<YamlTree> appliedTo(YamlTree tree, const Fits& fits) {
    std::vector<Override> left;
    for (Override& change : overrides_) {
      if (!fits(change, tree)) {
        left.push_back(std::move(change));
        continue;
      }
      Result<YamlTree> changed = change.appliedTo(tree);
      if (!changed) return changed;
      tree = std::move(*changed);
    }
    overrides_ = std::move(left);
    return tree;
  }

 private:
  std::vector<Override> overrides_;
};

}  // namespace

Result<SceneTrees> expandScene(const YamlTree& scene, const ExpansionOptions& options) {
  SceneTrees trees;
  Overriding overriding;
  Result<void> parsed = overriding.parse(options, scene->source->folder, trees.notices);
  if (!parsed) return parsed.error();
  Result<YamlTree> own = withTodaysKeys(scene, trees.notices);
  if (own)
    own = overriding.appliedTo(*own, [](const Override& change, const YamlTree&) {
      return change.block() == "include" || change.block() == "defaults";
    });
  if (!own) return own.error();
  Result<YamlTree> whole = withIncludes(*own, options.file, options.packagePaths, trees.notices);
  if (whole)
    whole = overriding.appliedTo(
        *whole, [](const Override& change, const YamlTree& tree) { return change.reaches(tree); });
  if (!whole) return whole.error();
  Result<YamlTree> unfolded = withCopies(*whole);
  if (unfolded)
    unfolded = overriding.appliedTo(*unfolded, [](const Override&, const YamlTree&) { return true; });
  if (!unfolded) return unfolded.error();
  trees.whole = std::move(*whole);
  trees.unfolded = std::move(*unfolded);
  return trees;
}

}  // namespace slipstick::assets
