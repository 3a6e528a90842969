/* See gltf.h. */
#include "io/files/gltf.h"

#include "io/files/bytes.h"
#include "io/files/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 12, CHUNK = 8 };
enum { JSON_CHUNK = 0x4e4f534a, BIN_CHUNK = 0x004e4942 };
enum { BYTE = 5120, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, UNSIGNED_INT = 5125, FLOAT };

bool pliant__gltf_fail(const pliant__gltf *g, const pliant__node *node, const char *format, ...)
{
    char    place[96], what[256];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (node) pliant__node_place(node, place, sizeof place);
    return pliant__fail_at(g->error, PLIANT_ERROR_INPUT, g->path, 0, "%s%s%s", node ? place : "", node && *place ? ": " : "", what);
}

/* ---- the tree ---- */

static const pliant__node *list_of(const pliant__gltf *g, const char *name)
{
    const pliant__node *list = pliant__node_get(g->root, name);
    return list && list->type == PLIANT__NODE_LIST ? list : NULL;
}

uint32_t pliant__gltf_count(const pliant__gltf *g, const char *name)
{
    const pliant__node *list = list_of(g, name);
    return list ? list->count : 0;
}

static const char *const list_names[PLIANT__GLTF_LISTS] = {"accessors", "bufferViews", "nodes", "meshes", "skins"};

static bool index_lists(pliant__gltf *g)
{
    for (int i = 0; i < PLIANT__GLTF_LISTS; i++) {
        const pliant__node  *list = list_of(g, list_names[i]);
        const pliant__node **to = pliant__tree_alloc(&g->tree, (list ? list->count : 0) * sizeof *to + 1);
        if (!to) return pliant__fail_memory(g->error, list ? list->count * sizeof *to : 1, "a list");
        g->lists[i] = to;
        for (const pliant__node *n = list ? list->first : NULL; n; n = n->next) *to++ = n;
    }
    return true;
}

const pliant__node *pliant__gltf_at(const pliant__gltf *g, const char *name, uint32_t index, const pliant__node *from)
{
    const pliant__node *n = NULL;
    for (int i = 0; i < PLIANT__GLTF_LISTS; i++)
        if (strcmp(name, list_names[i]) == 0 && index < pliant__gltf_count(g, name)) n = g->lists[i][index];
    if (!n) return pliant__gltf_fail(g, from, "there is no number %u of %s", index, name), NULL;
    if (n->type != PLIANT__NODE_MAP) return pliant__gltf_fail(g, n, "must be an object"), NULL;
    return n;
}

bool pliant__gltf_index(const pliant__gltf *g, const pliant__node *map, const char *key, uint64_t limit, uint64_t *out)
{
    const pliant__node *n = pliant__node_get(map, key);
    if (!n) return true;
    if (n->type != PLIANT__NODE_NUMBER || !(n->number >= 0 && n->number < 0x1p53) || (double)(uint64_t)n->number < n->number)
        return pliant__gltf_fail(g, n, "must be a whole number from 0 on");
    if ((uint64_t)n->number >= limit)
        return pliant__gltf_fail(g, n, "%.0f is too large: there are %llu", n->number, (unsigned long long)limit);
    *out = (uint64_t)n->number;
    return true;
}

bool pliant__gltf_numbers(const pliant__gltf *g, const pliant__node *map, const char *key, uint32_t count, double *out)
{
    const pliant__node *list = pliant__node_get(map, key);
    if (!list) return true;
    if (list->type != PLIANT__NODE_LIST || list->count != count) return pliant__gltf_fail(g, list, "must be a list of %u numbers", count);
    for (const pliant__node *n = list->first; n; n = n->next) {
        if (n->type != PLIANT__NODE_NUMBER || !(n->number - n->number == 0)) return pliant__gltf_fail(g, n, "must be a number");
        *out++ = n->number;
    }
    return true;
}

/* ---- accessors ---- */

static uint32_t size_of_component(uint32_t component)
{
    static const unsigned char sizes[] = {1, 1, 2, 2, 0, 4, 4};
    return component >= BYTE && component <= FLOAT ? sizes[component - BYTE] : 0;
}

static uint32_t width_of(const pliant__node *type)
{
    static const struct {
        const char *name;
        uint32_t    width;
    } types[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    for (size_t i = 0; type && type->type == PLIANT__NODE_TEXT && i < sizeof types / sizeof *types; i++)
        if (strcmp(type->text, types[i].name) == 0) return types[i].width;
    return 0;
}

/* Bytes of a view from `offset` on; *stride: the view's own, else `size` of an element. Where `count` elements do not lie in it, an error. */
static bool open_view(const pliant__gltf *g, const pliant__node *from, uint64_t count, uint64_t size, uint64_t *stride,
                      const unsigned char **data)
{
    uint64_t number = 0, offset = 0, buffer = 0, begins = 0, length = 0, step = size;
    if (!pliant__node_get(from, "bufferView")) return pliant__gltf_fail(g, from, "needs a bufferView");
    if (!pliant__gltf_index(g, from, "bufferView", pliant__gltf_count(g, "bufferViews"), &number) ||
        !pliant__gltf_index(g, from, "byteOffset", UINT64_MAX, &offset))
        return false;
    const pliant__node *view = pliant__gltf_at(g, "bufferViews", (uint32_t)number, from);
    if (!view || !pliant__gltf_index(g, view, "buffer", g->buffer_count, &buffer) ||
        !pliant__gltf_index(g, view, "byteOffset", UINT64_MAX, &begins) ||
        !pliant__gltf_index(g, view, "byteLength", UINT64_MAX, &length) ||
        (stride && !pliant__gltf_index(g, view, "byteStride", 65536, &step)))
        return false;
    if (buffer >= g->buffer_count) return pliant__gltf_fail(g, view, "there is no buffer");
    const pliant__gltf_buffer *b = &g->buffers[buffer];
    if (begins > b->size || length > b->size - begins)
        return pliant__gltf_fail(g, view, "it goes on behind the end of its buffer, which has %llu bytes: cut off, or damaged",
                                 (unsigned long long)b->size);
    if (step < size) return pliant__gltf_fail(g, view, "its byteStride is less than an element");
    if (offset > length || (count && (length - offset < size || (count - 1) > (length - offset - size) / step)))
        return pliant__gltf_fail(g, from, "it goes on behind the end of its bufferView");
    if (stride) *stride = step;
    *data = b->data + begins + offset;
    return true;
}

static bool open_sparse(const pliant__gltf *g, const pliant__node *sparse, uint64_t size, pliant__gltf_accessor *out)
{
    const pliant__node *indices = pliant__node_get(sparse, "indices"), *values = pliant__node_get(sparse, "values");
    uint64_t            component = 0, stride;
    if (!indices || !values || indices->type != PLIANT__NODE_MAP || values->type != PLIANT__NODE_MAP)
        return pliant__gltf_fail(g, sparse, "needs indices and values");
    if (!pliant__gltf_index(g, sparse, "count", out->count + 1, &out->sparse_count) ||
        !pliant__gltf_index(g, indices, "componentType", FLOAT, &component))
        return false;
    out->sparse_component = (uint32_t)component;
    if (component != UNSIGNED_BYTE && component != UNSIGNED_SHORT && component != UNSIGNED_INT)
        return pliant__gltf_fail(g, indices, "its componentType is none of indices");
    if (!open_view(g, indices, out->sparse_count, size_of_component(out->sparse_component), NULL, &out->sparse_index) ||
        !open_view(g, values, out->sparse_count, size, &stride, &out->sparse_data))
        return false;
    return stride == size || pliant__gltf_fail(g, values, "values of a sparse accessor have no byteStride");
}

static uint32_t whole_at(const unsigned char *at, uint32_t component)
{
    if (component == UNSIGNED_BYTE) return at[0];
    if (component == UNSIGNED_SHORT) return (uint32_t)at[0] | (uint32_t)at[1] << 8;
    return component == UNSIGNED_INT ? pliant__get_u32(at) : 0;
}

static uint32_t sparse_at(const pliant__gltf_accessor *a, uint64_t k)
{
    return whole_at(a->sparse_index + k * size_of_component(a->sparse_component), a->sparse_component);
}

static bool check_sparse(const pliant__gltf *g, const pliant__node *node, const pliant__gltf_accessor *a)
{
    for (uint64_t k = 0; k < a->sparse_count; k++)
        if (sparse_at(a, k) >= a->count || (k && sparse_at(a, k) <= sparse_at(a, k - 1)))
            return pliant__gltf_fail(g, node, "the indices of its sparse elements do not ascend, or are too large");
    return true;
}

bool pliant__gltf_accessor_open(const pliant__gltf *g, uint32_t index, const pliant__node *from, uint32_t width, pliant__gltf_accessor *out)
{
    const pliant__node *node = pliant__gltf_at(g, "accessors", index, from);
    uint64_t            component = 0;
    *out = (pliant__gltf_accessor){.width = width};
    if (!node || !pliant__gltf_index(g, node, "componentType", FLOAT + 1, &component) ||
        !pliant__gltf_index(g, node, "count", (uint64_t)1 << 53, &out->count))
        return false;
    const pliant__node *normalized = pliant__node_get(node, "normalized"), *sparse = pliant__node_get(node, "sparse");
    out->component = (uint32_t)component;
    out->normalized = normalized && normalized->type == PLIANT__NODE_BOOL && normalized->truth;
    const uint64_t size = (uint64_t)width * size_of_component(out->component);
    if (width_of(pliant__node_get(node, "type")) != width || !size)
        return pliant__gltf_fail(g, node, "is not of the type that is needed here, %u numbers", width);
    out->stride = size;
    if (pliant__node_get(node, "bufferView") && !open_view(g, node, out->count, size, &out->stride, &out->data)) return false;
    if (!sparse || sparse->type != PLIANT__NODE_MAP) return true;
    return open_sparse(g, sparse, size, out) && check_sparse(g, node, out);
}

/* Where an element lies; NULL: it is 0. */
static const unsigned char *find(const pliant__gltf_accessor *a, uint64_t element)
{
    uint64_t low = 0, high = a->sparse_count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (sparse_at(a, middle) < element)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < a->sparse_count && sparse_at(a, low) == element) return a->sparse_data + low * a->width * size_of_component(a->component);
    return a->data ? a->data + element * a->stride : NULL;
}

double pliant__gltf_get(const pliant__gltf_accessor *a, uint64_t element, uint32_t k)
{
    static const double  most[] = {127, 255, 32767, 65535};
    const unsigned char *at = find(a, element);
    double               value;
    if (!at) return 0;
    at += (size_t)k * size_of_component(a->component);
    if (a->component == FLOAT) return (double)pliant__get_float(at);
    const uint32_t whole = whole_at(at, a->component);
    if (a->component == BYTE)
        value = at[0] < 128 ? at[0] : (double)at[0] - 256;
    else if (a->component == SHORT)
        value = at[1] < 128 ? at[0] + 256.0 * at[1] : at[0] + 256.0 * at[1] - 65536;
    else
        value = whole;
    if (!a->normalized || a->component > UNSIGNED_SHORT) return value;
    value /= most[a->component - BYTE];
    return value < -1 ? -1 : value;
}

uint32_t pliant__gltf_get_whole(const pliant__gltf_accessor *a, uint64_t element, uint32_t k)
{
    const unsigned char *at = find(a, element);
    return at ? whole_at(at + (size_t)k * size_of_component(a->component), a->component) : 0;
}

static bool is_odd(const pliant__gltf_accessor *a, uint64_t element)
{
    for (uint32_t k = 0; k < a->width; k++) {
        const double value = pliant__gltf_get(a, element, k);
        if (!(value - value == 0)) return true;
    }
    return false;
}

uint64_t pliant__gltf_odd(const pliant__gltf_accessor *a, uint64_t from, uint64_t to)
{
    if (a->component != FLOAT) return to;
    for (uint64_t k = 0; !a->data && k < a->sparse_count; k++) /* the rest is 0, however much of it there is */
        if (sparse_at(a, k) >= from && sparse_at(a, k) < to && is_odd(a, sparse_at(a, k))) return sparse_at(a, k);
    for (uint64_t i = from; a->data && i < to; i++)
        if (is_odd(a, i)) return i;
    return to;
}

/* ---- buffers ---- */

static int sextet(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* RFC 4648, section 4. */
static bool decode_base64(const pliant__gltf *g, const pliant__node *node, const char *text, pliant__gltf_buffer *b)
{
    size_t length = strlen(text);
    while (length && text[length - 1] == '=') length--;
    b->own = malloc(length / 4 * 3 + 3);
    if (!b->own) return pliant__fail_memory(g->error, length, "a buffer");
    uint32_t bits = 0;
    for (size_t i = 0; i < length; i++) {
        const int six = sextet(text[i]);
        if (six < 0) return pliant__gltf_fail(g, node, "its data URI is not base64");
        bits = (bits & 0x3ffff) << 6 | (uint32_t)six;
        if (i % 4) b->own[b->size++] = (unsigned char)(bits >> (6 - 2 * (i % 4)));
    }
    b->data = b->own;
    return true;
}

static int hex_of(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *const found = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* A path beside the file: "my%20mesh.bin" is "my mesh.bin". From malloc, NULL if there is no memory. */
static char *path_beside(const char *path, const char *uri)
{
    const char *const slash = strrchr(path, '/');
    const size_t      folder = slash ? (size_t)(slash - path) + 1 : 0;
    char *const       out = malloc(folder + strlen(uri) + 1);
    if (!out) return NULL;
    memcpy(out, path, folder);
    char *to = out + folder;
    for (const char *c = uri; *c; c++) {
        const int high = *c == '%' ? hex_of(c[1]) : -1, low = high < 0 ? -1 : hex_of(c[2]), code = 16 * high + low;
        *to++ = low >= 0 && code ? (char)code : *c;
        if (low >= 0 && code) c += 2;
    }
    *to = 0;
    return out;
}

static bool read_beside(const pliant__gltf *g, const pliant__node *node, const char *uri, const pliant__gltf_beside *beside,
                        pliant__gltf_buffer *b)
{
    size_t size = 0;
    if (!beside || !beside->may_read) return pliant__gltf_fail(g, node, "names a file, and none is read here");
    char *path = path_beside(g->path, uri);
    if (!path) return pliant__fail_memory(g->error, strlen(uri), "a path");
    if (beside->may_read(beside->context, path)) b->own = (unsigned char *)pliant__file_read(path, &size, g->error);
    free(path);
    b->data = b->own;
    b->size = size;
    return b->own != NULL;
}

static bool open_buffer(pliant__gltf *g, const pliant__node *node, pliant__gltf_buffer binary, const pliant__gltf_beside *beside,
                        pliant__gltf_buffer *b)
{
    const pliant__node *uri = pliant__node_get(node, "uri");
    const char         *comma = uri && uri->text ? strchr(uri->text, ',') : NULL;
    uint64_t            length = 0;
    if (node->type != PLIANT__NODE_MAP) return pliant__gltf_fail(g, node, "must be an object");
    if (!pliant__gltf_index(g, node, "byteLength", UINT64_MAX, &length)) return false;
    if (!uri)
        *b = binary;
    else if (uri->type != PLIANT__NODE_TEXT)
        return pliant__gltf_fail(g, uri, "must be text");
    else if (strncmp(uri->text, "data:", 5) != 0) {
        if (!read_beside(g, uri, uri->text, beside, b)) return false;
    } else if (!comma || comma - uri->text < 7 || strncmp(comma - 7, ";base64", 7) != 0)
        return pliant__gltf_fail(g, node, "its data URI is not base64");
    else if (!decode_base64(g, node, comma + 1, b))
        return false;
    if (length > b->size)
        return pliant__gltf_fail(g, node, "%llu bytes where its byteLength is %llu: cut off, or damaged", (unsigned long long)b->size,
                                 (unsigned long long)length);
    return true;
}

static bool open_buffers(pliant__gltf *g, pliant__gltf_buffer binary, const pliant__gltf_beside *beside)
{
    const pliant__node *list = list_of(g, "buffers");
    if (!list || !list->count) return true;
    g->buffers = calloc(list->count, sizeof *g->buffers);
    if (!g->buffers) return pliant__fail_memory(g->error, list->count * sizeof *g->buffers, "buffers");
    g->buffer_count = list->count;
    for (const pliant__node *n = list->first; n; n = n->next) {
        if (!open_buffer(g, n, binary, beside, &g->buffers[n->index])) return false;
        binary = (pliant__gltf_buffer){0}; /* the first one's only */
    }
    return true;
}

/* ---- the file ---- */

static bool fail_byte(const pliant__gltf *g, uint64_t byte, const char *what)
{
    return pliant__fail_at(g->error, PLIANT_ERROR_INPUT, g->path, 0, "byte %llu: %s", (unsigned long long)byte, what);
}

static bool open_chunks(const pliant__gltf *g, const unsigned char *at, size_t size, const char **text, size_t *length,
                        pliant__gltf_buffer *binary)
{
    if (size < HEADER + CHUNK) return fail_byte(g, size, "it ends here: not a .glb, or cut off");
    if (pliant__get_u32(at + 4) != 2) return fail_byte(g, 4, "not of version 2");
    if (pliant__get_u32(at + 8) > size) return fail_byte(g, size, "it ends here, but its header says that it is longer: it is cut off");
    if (pliant__get_u32(at + 16) != JSON_CHUNK) return fail_byte(g, 16, "the first chunk is not JSON");
    *length = pliant__get_u32(at + 12);
    if (*length > size - HEADER - CHUNK) return fail_byte(g, 12, "the JSON goes on behind the end: cut off, or damaged");
    *text = (const char *)at + HEADER + CHUNK;
    const size_t next = HEADER + CHUNK + *length;
    if (size - next < CHUNK || pliant__get_u32(at + next + 4) != BIN_CHUNK) return true;
    *binary = (pliant__gltf_buffer){at + next + CHUNK, pliant__get_u32(at + next), NULL};
    return binary->size <= size - next - CHUNK || fail_byte(g, next, "the binary chunk goes on behind the end: cut off, or damaged");
}

/* Extensions that are read, or that leave positions as they are. */
static bool is_harmless(const char *name)
{
    static const char *const begins[] = {"KHR_mesh_quantization", "KHR_materials_", "KHR_texture_", "KHR_lights_",      "KHR_xmp",
                                         "EXT_materials_",        "EXT_texture_",   "EXT_lights_",  "ADOBE_materials_", "MSFT_texture_"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(name, begins[i], strlen(begins[i])) == 0) return true;
    return false;
}

static bool check_extensions(const pliant__gltf *g)
{
    static const char *const unknown[] = {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"};
    const pliant__node      *list = list_of(g, "extensionsRequired");
    for (const pliant__node *n = list ? list->first : NULL; n; n = n->next)
        for (size_t i = 0; n->type == PLIANT__NODE_TEXT && i < sizeof unknown / sizeof *unknown; i++)
            if (strcmp(n->text, unknown[i]) == 0) return pliant__gltf_fail(g, n, "%s is not read; export without compression", unknown[i]);
    for (const pliant__node *n = list ? list->first : NULL; n; n = n->next)
        if (n->type != PLIANT__NODE_TEXT || !is_harmless(n->text))
            return pliant__gltf_fail(g, n, "\"%.60s\" is required, and not known: export without it", n->text ? n->text : "");
    return true;
}

static bool check_version(const pliant__gltf *g)
{
    const pliant__node *asset = pliant__node_get(g->root, "asset"),
                       *version = asset && asset->type == PLIANT__NODE_MAP ? pliant__node_get(asset, "version") : NULL;
    if (!version || !version->text) return pliant__gltf_fail(g, NULL, "not a glTF: its asset has no version");
    return strncmp(version->text, "2.", 2) == 0 || pliant__gltf_fail(g, version, "version %.20s is not read; 2.0 is", version->text);
}

bool pliant__gltf_open(pliant__gltf *g, const char *path, const void *bytes, size_t size, const pliant__gltf_beside *beside,
                       pliant_error *error)
{
    const char         *text = bytes;
    size_t              length = size;
    pliant__gltf_buffer binary = {0};
    *g = (pliant__gltf){.path = path, .error = error};
    if (size >= 4 && memcmp(bytes, "glTF", 4) == 0 && !open_chunks(g, bytes, size, &text, &length, &binary)) return false;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3, length -= 3;
    if (!pliant__tree_parse(&g->tree, text, length, path, NULL, error)) return false;
    g->root = g->tree.root;
    if (g->root->type != PLIANT__NODE_MAP) return pliant__gltf_fail(g, NULL, "not a glTF: no object");
    return check_version(g) && check_extensions(g) && index_lists(g) && open_buffers(g, binary, beside);
}

void pliant__gltf_close(pliant__gltf *g)
{
    for (uint32_t i = 0; i < g->buffer_count; i++) free(g->buffers[i].own);
    free(g->buffers);
    g->buffers = NULL;
    g->buffer_count = 0;
    pliant__tree_free(&g->tree);
}
