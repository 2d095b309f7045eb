// HDF5's way to the disk for files that are read whatever ended them: what is on the disk is always all that was written up to
// some moment.
#pragma once

#include <hdf5.h>

namespace slipstick::assets::hdf5 {

/// After the first write that fails nothing is written any more. HDF5 goes on: it would still write over what stands in the
/// file, so that tables name rows that found no room. By hdf5::begin() first.
/// @param access  of H5P_FILE_ACCESS
bool writeInOrderOrNotAtAll(hid_t access);

}  // namespace slipstick::assets::hdf5
