/* Laying out an HDF5 file. The same layout gives the same bytes with the same libhdf5: no times are kept, space is given in the order asked
 * for, and what is not written is a hole.
 *
 * Where a number lies that is to be patched, no function of libhdf5 tells. So it is asked to change it, and the file before is compared
 * with the file after: what differs is the number, and nothing else may. */
#include "io/hdf.h"

#include "io/holes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#ifndef PLIANT_HDF5

bool pliant__hdf_make(const char *path, pliant__hdf_layout *layout, pliant_error *error)
{
    (void)path;
    (void)layout;
    return pliant__fail(error, PLIANT_ERROR_UNAVAILABLE,
                        "this copy was built without HDF5, which .vtkhdf needs: install libhdf5-dev and build again");
}

#else

#include <hdf5.h>

static hid_t file_type(pliant__hdf_type type)
{
    switch (type) {
    case PLIANT__HDF_INT32: return H5T_STD_I32LE;
    case PLIANT__HDF_INT64: return H5T_STD_I64LE;
    case PLIANT__HDF_FLOAT32: return H5T_IEEE_F32LE;
    default: return H5T_IEEE_F64LE;
    }
}

static uint64_t size_of(const pliant__hdf_array *a)
{
    uint64_t size = a->type == PLIANT__HDF_INT32 || a->type == PLIANT__HDF_FLOAT32 ? 4 : 8;
    for (uint32_t i = 0; i < a->rank; i++) size *= a->size[i];
    return size;
}

/* Space at once, nothing in it, and no times. */
static hid_t array_properties(void)
{
    hid_t list = H5Pcreate(H5P_DATASET_CREATE);
    if (list >= 0 && H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY) >= 0 && H5Pset_fill_time(list, H5D_FILL_TIME_NEVER) >= 0 &&
        H5Pset_obj_track_times(list, false) >= 0)
        return list;
    if (list >= 0) H5Pclose(list);
    return -1;
}

/* Each of these opens something, and closes it before it ends. */

static bool make_group(hid_t file, const char *path)
{
    hid_t group = H5Gcreate2(file, path, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return group >= 0 && H5Gclose(group) >= 0;
}

static bool put_attribute(hid_t file, const char *of, const char *name, hid_t type, hid_t space, const void *value)
{
    hid_t object = H5Oopen(file, of, H5P_DEFAULT);
    hid_t attribute = object >= 0 ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    bool  ok = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0) ok &= H5Aclose(attribute) >= 0;
    if (object >= 0) ok &= H5Oclose(object) >= 0;
    return ok;
}

static bool put_text(hid_t file, const pliant__hdf_text *text)
{
    hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    bool  ok = space >= 0 && type >= 0 && H5Tset_size(type, strlen(text->value)) >= 0 && H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
              put_attribute(file, text->of, text->name, type, space, text->value);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    return ok;
}

static bool put_integers(hid_t file, const char *of, const char *name, const int64_t *values, hsize_t count)
{
    hid_t space = count > 1 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR), object = H5Oopen(file, of, H5P_DEFAULT);
    hid_t attribute = space >= 0 && object >= 0 ? H5Acreate2(object, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT) : -1;
    bool  ok = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT64, values) >= 0;
    if (attribute >= 0) ok &= H5Aclose(attribute) >= 0;
    if (object >= 0) ok &= H5Oclose(object) >= 0;
    if (space >= 0) H5Sclose(space);
    return ok;
}

static bool make_array(hid_t file, pliant__hdf_array *a)
{
    const hsize_t size[2] = {a->size[0], a->size[1]};
    hid_t         list = array_properties(), space = H5Screate_simple((int)a->rank, size, NULL);
    hid_t         set = list >= 0 && space >= 0 ? H5Dcreate2(file, a->path, file_type(a->type), space, H5P_DEFAULT, list, H5P_DEFAULT) : -1;
    bool          ok = set >= 0;
    if (ok && a->data && size_of(a)) ok = H5Dwrite(set, file_type(a->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, a->data) >= 0;
    a->offset = ok && size_of(a) ? H5Dget_offset(set) : 0;
    ok = ok && a->offset != HADDR_UNDEF;
    if (set >= 0) ok &= H5Dclose(set) >= 0;
    if (space >= 0) H5Sclose(space);
    if (list >= 0) H5Pclose(list);
    return ok;
}

/* One chunk with all the times, of an array that has one: HDF5 lets an array grow and shrink where it has chunks. There is room for three at
 * least, for find_numbers. */
static hsize_t chunk_of(const pliant__hdf_steps *s) { return s->most > 3 ? s->most : 3; }

static bool write_times(hid_t set, const pliant__hdf_steps *s)
{
    const hsize_t at = 0;
    char         *chunk = calloc((size_t)chunk_of(s), 8);
    if (chunk) memcpy(chunk, s->data, (size_t)s->most * 8);
    bool ok = chunk && H5Dwrite_chunk(set, H5P_DEFAULT, 0, &at, (size_t)chunk_of(s) * 8, chunk) >= 0;
    free(chunk);
    return ok;
}

static bool make_times(hid_t file, const pliant__hdf_steps *s)
{
    const hsize_t one = 1, unlimited = H5S_UNLIMITED, chunk = chunk_of(s);
    hid_t         group = H5Gopen2(file, s->group, H5P_DEFAULT), list = array_properties(), space = H5Screate_simple(1, &one, &unlimited);
    bool          ok = group >= 0 && list >= 0 && space >= 0 && H5Pset_chunk(list, 1, &chunk) >= 0;
    hid_t         set = ok ? H5Dcreate2(group, s->array, H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT) : -1;
    ok = set >= 0 && write_times(set, s);
    if (set >= 0) ok &= H5Dclose(set) >= 0;
    if (space >= 0) H5Sclose(space);
    if (list >= 0) H5Pclose(list);
    if (group >= 0) ok &= H5Gclose(group) >= 0;
    return ok;
}

static bool fill_file(hid_t file, pliant__hdf_layout *l)
{
    const int64_t one = 1;
    bool          ok = true;
    for (size_t i = 0; ok && l->groups[i]; i++) ok = make_group(file, l->groups[i]);
    ok = ok && put_integers(file, l->root, "Version", l->version, 2) && put_integers(file, l->steps.group, l->steps.attribute, &one, 1) &&
         make_times(file, &l->steps);
    for (size_t i = 0; ok && i < l->array_count; i++) ok = make_array(file, &l->arrays[i]);
    for (size_t i = 0; ok && l->texts[i].of; i++) ok = put_text(file, &l->texts[i]);
    return ok;
}

static bool make_file(const char *path, pliant__hdf_layout *l)
{
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    bool  ok = file >= 0 && fill_file(file, l);
    if (file >= 0) ok &= H5Fclose(file) >= 0;
    return ok;
}

/* ---- where the numbers lie ---- */

enum { ATTRIBUTE = 2, LENGTH = 3 }; /* what they are changed to */

static bool change_numbers(const char *path, const pliant__hdf_steps *s)
{
    const int64_t attribute_value = ATTRIBUTE;
    const hsize_t length = LENGTH;
    hid_t         file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t         group = file >= 0 ? H5Gopen2(file, s->group, H5P_DEFAULT) : -1;
    hid_t         attribute = group >= 0 ? H5Aopen(group, s->attribute, H5P_DEFAULT) : -1;
    hid_t         set = group >= 0 ? H5Dopen2(group, s->array, H5P_DEFAULT) : -1;
    bool          ok =
        attribute >= 0 && set >= 0 && H5Awrite(attribute, H5T_NATIVE_INT64, &attribute_value) >= 0 && H5Dset_extent(set, &length) >= 0;
    if (set >= 0) ok &= H5Dclose(set) >= 0;
    if (attribute >= 0) ok &= H5Aclose(attribute) >= 0;
    if (group >= 0) ok &= H5Gclose(group) >= 0;
    if (file >= 0) ok &= H5Fclose(file) >= 0;
    return ok;
}

/* Two bytes have changed, from 1, and the first of a little-endian number each. */
static bool compare(const pliant__bytes *before, const pliant__bytes *after, const pliant__hole *holes, size_t hole_count,
                    pliant__hdf_steps *s)
{
    size_t seen[256] = {0}, changed = 0;
    for (size_t i = 0; before->count == after->count && i < before->count; i++) {
        if (before->data[i] == after->data[i]) continue;
        uint64_t at = pliant__holes_offset(holes, hole_count, i);
        if (after->data[i] == ATTRIBUTE) s->attribute_at = at;
        if (after->data[i] == LENGTH) s->length_at = at;
        seen[(unsigned char)after->data[i]]++;
        changed += before->data[i] == 1 ? 1 : 3;
    }
    return changed == 2 && seen[ATTRIBUTE] == 1 && seen[LENGTH] == 1;
}

static bool load_rest(const char *path, const pliant__hole *holes, size_t count, pliant__bytes *to, pliant_error *error)
{
    pliant__source file;
    bool           ok = pliant__source_open(&file, path, error) && pliant__holes_load(&file, holes, count, file.size, to, error);
    pliant__source_close(&file);
    return ok;
}

static bool find_numbers(const char *path, pliant__hdf_layout *l, const pliant__hole *holes, size_t count, pliant_error *error)
{
    pliant__bytes before = {0}, after = {0};
    bool          ok = load_rest(path, holes, count, &before, error);
    bool          changed = ok && change_numbers(path, &l->steps);
    ok = ok && load_rest(path, holes, count, &after, error);
    if (ok && !(changed && compare(&before, &after, holes, count, &l->steps)))
        ok = pliant__fail_at(error, PLIANT_ERROR_UNAVAILABLE, path, 0,
                             "libhdf5 %u.%u.%u lays out a file in a way that frames cannot be added to; another version may do",
                             H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
    array_free(NULL, &before);
    array_free(NULL, &after);
    return ok;
}

/* Arrays without data: they are all of one layout that is large. */
static size_t find_holes(const pliant__hdf_layout *l, pliant__hole *holes, size_t room)
{
    size_t count = 0;
    for (size_t i = 0; i < l->array_count && count < room; i++)
        if (!l->arrays[i].data && size_of(&l->arrays[i])) holes[count++] = (pliant__hole){l->arrays[i].offset, size_of(&l->arrays[i])};
    return count;
}

static bool make(const char *path, pliant__hdf_layout *l, pliant_error *error)
{
    enum { MOST = 8 };
    pliant__hole holes[MOST];
    errno = 0;
    if (!make_file(path, l)) {
        const int number = errno;
        return pliant__fail_at(error, PLIANT_ERROR_IO, path, 0, "%s", number ? strerror(number) : "libhdf5 could not make this file");
    }
    size_t count = find_holes(l, holes, MOST);
    if (!pliant__holes_sort(holes, count, UINT64_MAX))
        return pliant__fail_at(error, PLIANT_ERROR_UNAVAILABLE, path, 0, "libhdf5 has laid two arrays in one place");
    return find_numbers(path, l, holes, count, error);
}

/* libhdf5 prints what went wrong, unless it is told not to; and whoever has this library in a program may want it printed. */
bool pliant__hdf_make(const char *path, pliant__hdf_layout *layout, pliant_error *error)
{
    H5E_auto2_t print;
    void       *context;
    bool        known = H5Eget_auto2(H5E_DEFAULT, &print, &context) >= 0;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    bool ok = make(path, layout, error);
    if (known) H5Eset_auto2(H5E_DEFAULT, print, context);
    return ok;
}

#endif
