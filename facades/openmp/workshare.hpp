// Worksharing constructs: loops, sections, single, ordered, copyprivate. Owned by the engineer of the worksharing part.
#pragma once

namespace artel::openmp {
struct worksharing_position {};
struct worksharing_state {};
}  // namespace artel::openmp
