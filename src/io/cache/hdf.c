/* Laying out an HDF5 file. The same layout gives the same bytes with the same libhdf5: no times are kept, and space is given in the order
 * asked for.
 *
 * The library writes to memory. It would write to a file as well; but once a file could not be written, libhdf5 1.10 cannot close it, and
 * brings the program down when it ends.
 *
 * No function of libhdf5 tells the place of a number that is to be patched. So the head is made twice, with different numbers: the bytes that differ
 * are these numbers, and no other byte may differ. */
#include "io/cache/hdf.h"

#include <stdlib.h>
#include <string.h>

#ifndef PLIANT_HDF5

bool pliant__hdf_make(pliant__hdf_layout *layout, pliant__bytes *head, pliant_error *error)
{
    (void)layout;
    (void)head;
    return pliant__fail(error, PLIANT_ERROR_UNAVAILABLE,
                        "this copy was built without HDF5, which .vtkhdf needs: install libhdf5-dev and build again");
}

#else

#include "io/cache/hdf5_late.h"

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

/* The number of steps in the head. */
typedef struct numbers {
    int64_t attribute;
    hsize_t length;
} numbers;

static const numbers first = {1, 1}, other = {2, 3};

/* One chunk with all the times: HDF5 lets an array grow where it has chunks. */
static hsize_t chunk_of(const pliant__hdf_steps *s) { return s->most > other.length ? s->most : other.length; }

static bool write_times(hid_t set, const pliant__hdf_steps *s)
{
    const hsize_t at = 0;
    char         *chunk = calloc((size_t)chunk_of(s), 8);
    if (chunk) memcpy(chunk, s->data, (size_t)s->most * 8);
    bool ok = chunk && H5Dwrite_chunk(set, H5P_DEFAULT, 0, &at, (size_t)chunk_of(s) * 8, chunk) >= 0;
    free(chunk);
    return ok;
}

static bool make_times(hid_t file, const pliant__hdf_steps *s, hsize_t length)
{
    const hsize_t unlimited = H5S_UNLIMITED, chunk = chunk_of(s);
    hid_t group = H5Gopen2(file, s->group, H5P_DEFAULT), list = array_properties(), space = H5Screate_simple(1, &length, &unlimited);
    bool  ok = group >= 0 && list >= 0 && space >= 0 && H5Pset_chunk(list, 1, &chunk) >= 0;
    hid_t set = ok ? H5Dcreate2(group, s->array, H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT) : -1;
    ok = set >= 0 && write_times(set, s);
    if (set >= 0) ok &= H5Dclose(set) >= 0;
    if (space >= 0) H5Sclose(space);
    if (list >= 0) H5Pclose(list);
    if (group >= 0) ok &= H5Gclose(group) >= 0;
    return ok;
}

static bool fill_file(hid_t file, pliant__hdf_layout *l, const numbers *n)
{
    bool ok = true;
    for (size_t i = 0; ok && l->groups[i]; i++) ok = make_group(file, l->groups[i]);
    ok = ok && put_integers(file, l->root, "Version", l->version, 2) &&
         put_integers(file, l->steps.group, l->steps.attribute, &n->attribute, 1) && make_times(file, &l->steps, n->length);
    for (size_t i = 0; ok && i < l->array_count; i++) ok = make_array(file, &l->arrays[i]);
    for (size_t i = 0; ok && l->texts[i].of; i++) ok = put_text(file, &l->texts[i]);
    return ok;
}

/* ---- a file in memory ---- */

/* Its bytes are ours: libhdf5 asks for more, and gives them back when it closes the file. */
static void *resize(void *bytes, size_t size, H5FD_file_image_op_t op, void *context)
{
    pliant__bytes *b = context;
    (void)op;
    (void)bytes;
    if (size > b->count && !array_extend(NULL, b, size - b->count)) return NULL;
    b->count = size;
    return b->data;
}

static void *allocate(size_t size, H5FD_file_image_op_t op, void *context) { return resize(NULL, size, op, context); }

static herr_t keep(void *bytes, H5FD_file_image_op_t op, void *context)
{
    (void)bytes;
    (void)op;
    (void)context;
    return 0;
}

static void *same_context(void *context) { return context; }

static herr_t keep_context(void *context)
{
    (void)context;
    return 0;
}

/* All small parts come first, in one block, so that nothing behind it has to be kept in memory. */
static hid_t memory_properties(pliant__bytes *to)
{
    enum { GROW = 1 << 16, BLOCK = 1 << 16 };
    H5FD_file_image_callbacks_t calls = {allocate, NULL, resize, keep, same_context, keep_context, to};
    hid_t                       list = H5Pcreate(H5P_FILE_ACCESS);
    if (list >= 0 && H5Pset_fapl_core(list, GROW, false) >= 0 && H5Pset_file_image_callbacks(list, &calls) >= 0 &&
        H5Pset_meta_block_size(list, BLOCK) >= 0)
        return list;
    if (list >= 0) H5Pclose(list);
    return -1;
}

static bool make_file(pliant__hdf_layout *l, const numbers *n, pliant__bytes *to)
{
    hsize_t size = 0;
    hid_t   list = memory_properties(to);
    hid_t   file = list >= 0 ? H5Fcreate("in memory", H5F_ACC_TRUNC, H5P_DEFAULT, list) : -1;
    bool    ok = file >= 0 && fill_file(file, l, n) && H5Fget_filesize(file, &size) >= 0;
    if (file >= 0) ok &= H5Fclose(file) >= 0;
    if (list >= 0) H5Pclose(list);
    l->size = size;
    return ok;
}

/* Where the first array begins that is filled in later, or the file ends. */
static uint64_t head_size(const pliant__hdf_layout *l)
{
    uint64_t size = l->size;
    for (size_t i = 0; i < l->array_count; i++)
        if (!l->arrays[i].data && size_of(&l->arrays[i]) && l->arrays[i].offset < size) size = l->arrays[i].offset;
    return size;
}

/* Leaves the bytes before `size`. False if there are bytes behind it, or bytes are missing. */
static bool trim(pliant__bytes *head, uint64_t size)
{
    if (size > head->count) return false;
    for (size_t i = (size_t)size; i < head->count; i++)
        if (head->data[i]) return false;
    head->count = (size_t)size;
    return true;
}

/* Two bytes differ, each the first of a little-endian number. */
static bool find_numbers(const pliant__bytes *a, const pliant__bytes *b, pliant__hdf_steps *s)
{
    size_t changed = 0, attributes = 0, lengths = 0;
    for (size_t i = 0; a->count == b->count && i < a->count; i++) {
        if (a->data[i] == b->data[i]) continue;
        const bool attribute = a->data[i] == first.attribute && b->data[i] == other.attribute;
        const bool length = a->data[i] == (char)first.length && b->data[i] == (char)other.length;
        if (attribute) s->attribute_at = i;
        if (length) s->length_at = i;
        attributes += attribute;
        lengths += length;
        changed++;
    }
    return changed == 2 && attributes == 1 && lengths == 1;
}

static bool make(pliant__hdf_layout *l, pliant__bytes *head, pliant__bytes *second, pliant_error *error)
{
    if (!make_file(l, &other, second) || !make_file(l, &first, head)) return pliant__fail_memory(error, head->count, "an HDF5 file");
    if (trim(head, head_size(l)) && trim(second, head_size(l)) && find_numbers(head, second, &l->steps)) return true;
    return pliant__fail(error, PLIANT_ERROR_UNAVAILABLE,
                        "libhdf5 %u.%u.%u lays out a file in a way that frames cannot be added to; another version may do", H5_VERS_MAJOR,
                        H5_VERS_MINOR, H5_VERS_RELEASE);
}

/* libhdf5 prints its errors, unless it is told not to; and a program that uses libhdf5 itself may want them printed. */
bool pliant__hdf_make(pliant__hdf_layout *layout, pliant__bytes *head, pliant_error *error)
{
    H5E_auto2_t   print;
    void         *context;
    pliant__bytes second = {0};
    char          why[200];
    if (!open_hdf5(why, sizeof why))
        return pliant__fail(error, PLIANT_ERROR_UNAVAILABLE,
                            "libhdf5, which .vtkhdf needs, is not found (%s): install it, or write another format", why);
    bool known = H5Eget_auto2(H5E_DEFAULT, &print, &context) >= 0;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    bool ok = make(layout, head, &second, error);
    if (known) H5Eset_auto2(H5E_DEFAULT, print, context);
    array_free(NULL, &second);
    return ok;
}

#endif
