/* XDMF: a collection in time of grids, each with its slab of the arrays in an HDF5 file. All frames that there will be have their place from
 * the start: XML does not mind blanks, so a frame is added by writing over some of them, and no other byte moves. A place is a
 * power of two, and begins at a multiple of it: it lies in one page, and is written at once. One that is free begins with a comment, since
 * XML readers do mind ten megabytes of blanks in one piece.
 *
 * ParaView's XDMF reader takes a grid for the one before if the first thing in their geometries' DataItem is the same. It is a comment, with
 * the frame's number. */
#include "io/cache/xdmf.h"

#include "io/files/number.h"

#include <string.h>

#ifdef PLIANT_DOUBLE
static const char real[] = "NumberType=\"Float\" Precision=\"8\"";
#else
static const char real[] = "NumberType=\"Float\" Precision=\"4\"";
#endif
static const char int32[] = "NumberType=\"Int\" Precision=\"4\"";
static const char int64[] = "NumberType=\"Int\" Precision=\"8\"";

static const char head[] = "<?xml version=\"1.0\"?>\n<Xdmf Version=\"3.0\">\n  <Domain>\n    <Grid GridType=\"Collection\" "
                           "CollectionType=\"Temporal\">\n";
static const char tail[] = "    </Grid>\n  </Domain>\n</Xdmf>\n";

static bool put_blanks(pliant__bytes *to, size_t count)
{
    if (!count) return true;
    char *at = array_extend(NULL, to, count);
    if (!at) return false;
    memset(at, ' ', count);
    at[count - 1] = '\n';
    return true;
}

/* An array of the HDF5 file, of rows of one or three. */
static bool put_array(pliant__bytes *to, const pliant__xdmf *x, const char *type, uint64_t rows, int columns, const char *path)
{
    return pliant__put_text(to, "<DataItem Format=\"HDF\" ") && pliant__put_text(to, type) && pliant__put_text(to, " Dimensions=\"") &&
           pliant__put_count(to, rows, columns == 3 ? ' ' : '"') && pliant__put_text(to, columns == 3 ? "3\">" : ">") &&
           pliant__put_xml(to, x->file) && pliant__put_text(to, ":/") && pliant__put_text(to, path) && pliant__put_text(to, "</DataItem>");
}

/* A frame of an array that has the numbers of all topologies. */
static bool put_topology(pliant__bytes *to, const pliant__xdmf *x, uint64_t frame)
{
    const char *type = x->topology_bytes == 4 ? int32 : int64;
    if (!x->reshapes) return put_array(to, x, type, x->topology_size, 1, "XDMF/Topology");
    return pliant__put_text(to, "<DataItem ItemType=\"HyperSlab\" ") && pliant__put_text(to, type) &&
           pliant__put_text(to, " Dimensions=\"") && pliant__put_count(to, x->topology_size, '"') && pliant__put_text(to, "><!--") &&
           pliant__put_count(to, frame, '-') && pliant__put_text(to, "-><DataItem Dimensions=\"3 1\" NumberType=\"Int\" Format=\"XML\">") &&
           pliant__put_count(to, frame * x->topology_size, ' ') && pliant__put_text(to, "1 ") &&
           pliant__put_count(to, x->topology_size, '<') && pliant__put_text(to, "/DataItem>") &&
           put_array(to, x, type, x->frames * x->topology_size, 1, "XDMF/Topology") && pliant__put_text(to, "</DataItem>");
}

/* A frame of an array that has a vector per point and frame. */
static bool put_slab(pliant__bytes *to, const pliant__xdmf *x, uint64_t frame, const char *path)
{
    return pliant__put_text(to, "<DataItem ItemType=\"HyperSlab\" Dimensions=\"") && pliant__put_count(to, x->points, ' ') &&
           pliant__put_text(to, "3\"><!--") && pliant__put_count(to, frame, '-') &&
           pliant__put_text(to, "-><DataItem Dimensions=\"3 2\" NumberType=\"Int\" Format=\"XML\">") &&
           pliant__put_count(to, frame * x->points, ' ') && pliant__put_text(to, "0 1 1 ") && pliant__put_count(to, x->points, ' ') &&
           pliant__put_text(to, "3</DataItem>") && put_array(to, x, real, x->frames * x->points, 3, path) &&
           pliant__put_text(to, "</DataItem>");
}

static bool put_vector(pliant__bytes *to, const pliant__xdmf *x, uint64_t frame, const char *name, const char *path)
{
    return pliant__put_text(to, "<Attribute Name=\"") && pliant__put_text(to, name) &&
           pliant__put_text(to, "\" AttributeType=\"Vector\" Center=\"Node\">") && put_slab(to, x, frame, path) &&
           pliant__put_text(to, "</Attribute>");
}

static bool put_grid(pliant__bytes *to, const pliant__xdmf *x, uint64_t frame)
{
    char           time[PLIANT__NUMBER_SIZE];
    const uint64_t number = x->first_frame + frame * x->every;
    size_t         length = pliant__format_shortest(time, (double)number / x->rate);
    return pliant__put_text(to, "<Grid Name=\"frame ") && pliant__put_count(to, number, '"') &&
           pliant__put_text(to, " GridType=\"Uniform\"><Time Value=\"") && pliant__put(to, time, length) &&
           pliant__put_text(to, "\"/><Topology TopologyType=\"Mixed\" NumberOfElements=\"") && pliant__put_count(to, x->cells, '"') &&
           pliant__put_text(to, ">") && put_topology(to, x, frame) && pliant__put_text(to, "</Topology><Geometry GeometryType=\"XYZ\">") &&
           put_slab(to, x, frame, "VTKHDF/Points") && pliant__put_text(to, "</Geometry>") &&
           put_vector(to, x, frame, "Normals", "VTKHDF/PointData/Normals") &&
           put_vector(to, x, frame, "Velocity", "VTKHDF/PointData/Velocity") &&
           pliant__put_text(to, "<Attribute Name=\"body\" AttributeType=\"Scalar\" Center=\"Node\">") &&
           put_array(to, x, int32, x->points, 1, "VTKHDF/PointData/body") && pliant__put_text(to, "</Attribute></Grid>");
}

static bool put_free(pliant__bytes *to, const pliant__xdmf *x)
{
    static const char comment[] = "<!---->";
    return pliant__put_text(to, comment) && put_blanks(to, (size_t)x->place - (sizeof comment - 1));
}

/* The last frame has the longest numbers, but for its time. */
static bool measure_place(pliant__bytes *to, pliant__xdmf *x)
{
    const size_t before = to->count;
    bool         ok = put_grid(to, x, x->frames);
    const size_t longest = to->count - before + PLIANT__NUMBER_SIZE;
    to->count = before;
    for (x->place = 1024; x->place <= longest;) x->place *= 2;
    return ok;
}

bool pliant__xdmf_put_frame(pliant__bytes *to, const pliant__xdmf *x, uint64_t frame)
{
    const size_t before = to->count;
    return put_grid(to, x, frame) && put_blanks(to, (size_t)x->place - (to->count - before));
}

bool pliant__xdmf_begin(pliant__bytes *to, pliant__xdmf *x)
{
    bool ok = measure_place(to, x) && pliant__put_text(to, head) && put_blanks(to, (size_t)(x->place - to->count % x->place));
    x->places_at = to->count;
    return ok;
}

bool pliant__xdmf_put_place(pliant__bytes *to, const pliant__xdmf *x, uint64_t frame, bool shown)
{
    return shown ? pliant__xdmf_put_frame(to, x, frame) : put_free(to, x);
}

bool pliant__xdmf_end(pliant__bytes *to) { return pliant__put_text(to, tail); }

bool pliant__xdmf_size(pliant__xdmf *x, uint64_t *bytes)
{
    pliant__bytes text = {0};
    bool          ok = measure_place(&text, x);
    array_free(NULL, &text);
    *bytes = ((sizeof head - 1) / x->place + 1 + x->frames) * x->place + sizeof tail - 1;
    return ok;
}

bool pliant__xdmf_own(const pliant__place *place, uint32_t i, const char *text, size_t size, const pliant__source *file)
{
    (void)place, (void)i, (void)file;
    return pliant__begins(text, size, head);
}
