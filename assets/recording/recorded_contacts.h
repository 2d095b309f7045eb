// Contacts in a recording, and what the sides of each pair exert on each other: the tables "contacts" and "pairs".
#pragma once

#include <cstdint>
#include <vector>

#include "assets/recording/hdf5_file.h"
#include "assets/recording/recording_format.h"
#include "engine/foundation/result.h"
#include "engine/model/contact.h"
#include "engine/runtime/columns.h"

namespace slipstick::assets::recording {

/// Requires contacts that the columns can tell.
void putContacts(const std::vector<Contact>& contacts, const ContactColumns& columns, hdf5::Table& table);
void putPairs(const std::vector<PairRow>& rows, const ContactColumns& columns, hdf5::Table& table);

/// The rows [from, to), whose sides may be of what no scene has. Errors: the file cannot be read any more, a law that there is
/// not.
Result<std::vector<Contact>> readContacts(const hdf5::TableReader& table, std::uint64_t from,
                                          std::uint64_t to);
/// Of the rows [from, to).
Result<std::vector<ContactPair>> readPairs(const hdf5::TableReader& table, std::uint64_t from,
                                           std::uint64_t to);

}  // namespace slipstick::assets::recording
