// Whether memory is a GPU's, so that neither we nor the kernel may copy it, only an MPI library
// that was built for it: such messages are packed and unpacked by the library, piece by piece, as
// those of types with gaps. That is each rank's own affair; the others need not know.
//
// Asked of CUDA's driver interface when the process has it loaded; nothing is linked or loaded for
// it. Other makers' memory is not recognised.
#pragma once

namespace artel::coll {

// Looks whether the process has a driver interface by now. At every set-up; any thread.
void look_for_devices() noexcept;

// Costs one look at a word where no device was found. Any thread.
bool on_device(const void* address) noexcept;

}  // namespace artel::coll
