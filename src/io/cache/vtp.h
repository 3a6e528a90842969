/* One .vtp file, a VTK PolyData: a body at one time. */
#ifndef PLIANT_IO_CACHE_VTP_H
#define PLIANT_IO_CACHE_VTP_H

#include "io/cache/folder.h"

/* The functions that pliant__folder_write, _open and _read take. */
bool            pliant__vtp_put(pliant_writer *writer, const pliant_body_info *body, const pliant_state *state);
pliant__verdict pliant__vtp_take(pliant_cache *cache, const char *path, uint32_t body, pliant_error *error);
uint64_t        pliant__vtp_largest(const pliant_body_info *body);

/* The bytes that a file of a body takes, and whether a file with this head is one. False if out of memory. */
bool pliant__vtp_size(const pliant_body_info *body, uint64_t *bytes);
bool pliant__vtp_own(const char *head, size_t size);

#endif
