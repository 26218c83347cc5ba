// Whether memory is a GPU's, so that neither we nor the kernel may copy it, only an MPI library
// that was built for it. The library then packs and unpacks such messages, piece by piece, as those
// of types with gaps. Each rank decides this for itself; the others need not know.
//
// Asks CUDA's driver interface if the process has loaded it; nothing is linked or loaded for it.
// Memory of other vendors' devices is not recognised.
#pragma once

namespace artel::coll {

// Checks whether the process has loaded a driver interface. At every set-up; any thread.
void look_for_devices() noexcept;

// Costs one load where no device was found. Any thread.
bool on_device(const void* address) noexcept;

}  // namespace artel::coll
