/* An XDMF file, NAME.xmf, that says where ParaView finds the frames of NAME.vtkhdf. */
#ifndef PLIANT_IO_CACHE_XDMF_H
#define PLIANT_IO_CACHE_XDMF_H

#include "io/cache/format.h"

typedef struct pliant__xdmf {
    const char *file; /* "NAME.vtkhdf", in the same folder */
    uint64_t    points, frames;
    uint64_t    cells, topology_size; /* of /XDMF/Topology, with numbers of `topology_bytes` each */
    uint32_t    topology_bytes;
    bool        reshapes; /* there is a topology per frame, one behind the other */
    uint32_t    first_frame, every;
    double      rate;             /* frames' numbers per second */
    uint64_t    places_at, place; /* set: where the first frame's place begins, and how large every one is */
} pliant__xdmf;

/* The whole text piece by piece: its head, into empty bytes; the places of all frames in their order, with the frame or free; and its tail. Each
 * false if out of memory. */
bool pliant__xdmf_begin(pliant__bytes *to, pliant__xdmf *xdmf);
bool pliant__xdmf_put_place(pliant__bytes *to, const pliant__xdmf *xdmf, uint64_t frame, bool shown);
bool pliant__xdmf_end(pliant__bytes *to);

/* Appends the text in the place of a frame. False if out of memory. */
bool pliant__xdmf_put_frame(pliant__bytes *to, const pliant__xdmf *xdmf, uint64_t frame);

/* How many bytes the text has. False if out of memory. */
bool pliant__xdmf_size(pliant__xdmf *xdmf, uint64_t *bytes);

#endif
