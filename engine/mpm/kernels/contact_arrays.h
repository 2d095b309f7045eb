// The contact problem as the loops of its solver want it: plain arrays, and a table of functions over them.
// Nothing here has code; see kernel_table.h.
//
// How a number flows. Vectors of nodes lie as quads (x y z 0), sixteen nodes a group; quantities of contacts lie
// in columns, sixteen contacts a group. One iteration of the solver:
//   gather     nodes → contacts, u = J v − v_body. Contacts of one cell share their 27 nodes (a stencil): these
//              are loaded once for all of them.
//   linearize  sixteen contacts in lanes: energy, impulse and curvature; each contact's impulse and 3×3 block
//              then go into one row of sixteen reals.
//   nodeStep   contacts → nodes, Jᵀ: a node adds up the rows of its contacts times its weights, a row in one
//              register where there are such registers. Sixteen rows are turned into lanes, and in lanes the
//              nodes find their gradients, residuals and block steps.
//   push, combine: whole quads and columns in lanes, no matter what they mean.
// Each loop takes a range, so that threads can share out the chunks of a problem (ContactLayout). Sums that decide
// anything are added up in double, chunk by chunk: how many threads there are makes no difference.
#pragma once

namespace slipstick::mpm {

/// Nodes and contacts come in whole groups; what fills up the last one has no effect.
inline constexpr int kContactGroup = 16;

/// Contacts [begin, end) of the layout's order that have the same 27 nodes.
struct Stencil {
  int begin = 0;
  int end = 0;
  int node[27] = {};
};

/// What a contact hands to its nodes, and a node's sum of it.
struct RowField {
  enum : int {
    Impulse = 0,  ///< γ; Jᵀγ of a node, 3 [N s]
    Block = 4,    ///< of the curvature, 6: xx yy zz xy xz yz [kg]
    Used = 10,
    Count = 16
  };
};

template <class Real>
struct ContactArrays {
  Real dt;  ///< δt [s]
  // Columns of contacts:
  const Real *normal[3], *vBody[3];
  const Real *f0, *stiffness, *dissipation, *frictionBound, *epsilon;
  const Stencil* stencils;
  const Real* weights;  ///< of stencil s: weights[27 begin + j·(end−begin) + (contact − begin)]
  // Per node, the contacts that touch it: shares [firstShare[i], firstShare[i + 1]).
  const int* firstShare;
  const int* shareContact;
  const Real* shareWeight;
  const Real* mass;   ///< quads (m m m m) [kg]
  const Real* vStar;  ///< quads [m/s]
};

/// Which curvature the rows carry.
enum class RowKind : int {
  Lumped,  ///< of the majorant, for Σ_p w_ip Ĝ_p: Ĝ_t = μn₀/s, Ĝ_n = boost · the largest normal curvature ahead
  Diagonal  ///< G, for the block diagonal Σ_p w_ip² G_p of JᵀGJ
};

/// Contacts at one relative velocity, in columns but for the rows.
template <class Real>
struct Linearization {
  Real *gamma[3], *slip[3], *tangential, *normal, *stickFraction;
  Real* rows;  ///< RowField::Count per contact
};

struct EnergySums {
  double value;  ///< [J]
  double size;   ///< sum of the absolute values of its terms
};

template <class Real>
struct NodeStep {
  const Real* rows;  ///< of contacts
  const Real* v;     ///< quads
  RowKind kind;
  const Real* free;  ///< per node: 1, or 0 where boundaries act and its residual is the caller's affair
  Real* nodeRows;    ///< RowField::Count per node
  Real* gradient;    ///< ∇ℓ = M (v − v*) − Jᵀγ, quads
  Real* step;        ///< −(m I + block)⁻¹ ∇ℓ, quads
};

struct ResidualSums {
  double gradient, momentum, impulse;  ///< Σ |∇ℓ|²/m of free nodes, Σ m |v|², Σ |Jᵀγ|²/m
};

inline constexpr int kAndersonDepth = 5;

/// d = present − last, last = present, for residuals f and values g; and products with stored differences.
template <class Real>
struct AndersonPush {
  const Real *mass, *f, *g;
  Real *lastF, *lastG, *differenceF, *differenceG;
  const Real* stored[kAndersonDepth];  ///< differences of f, the new one among them
  int count;
};
struct AndersonProducts {
  double gram[kAndersonDepth];   ///< ⟨new difference, stored⟩_M
  double theta[kAndersonDepth];  ///< ⟨f, stored⟩_M
};

/// out = base − Σ factor[j] · term[j]
template <class Real>
struct Combination {
  const Real* base;
  const Real* term[kAndersonDepth];
  Real factor[kAndersonDepth];
  int count;
  Real* out;
};

/// Ranges [begin, end) of stencils, of contacts or nodes in whole groups, or of reals in whole groups.
template <class Real>
struct ContactLoops {
  /// u = J v, minus v_body if asked for. @param v quads   @param u three columns
  /// @param moved  per node; if given, only contacts that some moved node touches
  void (*gather)(const ContactArrays<Real>&, int begin, int end, const Real* v, const char* moved,
                 Real* const* u, bool subtractBody);
  EnergySums (*energy)(const ContactArrays<Real>&, int begin, int end, const Real* const* u);
  /// Energy too. @param boost  of RowKind::Lumped
  EnergySums (*linearize)(const ContactArrays<Real>&, int begin, int end, const Real* const* u, RowKind kind,
                          Real boost, const Linearization<Real>& out);
  /// Σ m |v − v*|²
  double (*kinetic)(const ContactArrays<Real>&, int begin, int end, const Real* v);
  ResidualSums (*nodeStep)(const ContactArrays<Real>&, int begin, int end, const NodeStep<Real>&);
  AndersonProducts (*push)(const AndersonPush<Real>&, int begin, int end);
  void (*combine)(const Combination<Real>&, int begin, int end);
};

}  // namespace slipstick::mpm
