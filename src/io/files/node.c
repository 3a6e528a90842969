/* libyaml's events become a tree. libyaml takes JSON as the YAML that it is (nearly: it is stricter about nothing and laxer about much),
 * and says line and column of everything. YAML that a scene has no use for is refused here: anchors and aliases (a few lines of them can stand for
 * gigabytes), tags, several documents, keys that are not plain words, and the same key twice. */
#include "io/files/node.h"

#include "io/files/number.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

/* ---- memory ---- */

#define BLOCK_SIZE (256u * 1024u)
#define BLOCK_HEAD 64u

void *pliant__tree_alloc(pliant__tree *tree, size_t bytes)
{
    if (bytes > SIZE_MAX / 2) return NULL;
    bytes = (bytes + 15) & ~(size_t)15;
    if (bytes > tree->room - tree->used) {
        size_t size = bytes > BLOCK_SIZE ? bytes : BLOCK_SIZE;
        void **block = pliant__alloc(&tree->allocator, size + BLOCK_HEAD);
        if (!block) return NULL;
        *block = tree->blocks;
        tree->blocks = block;
        tree->used = 0;
        tree->room = size;
    }
    void *memory = (char *)tree->blocks + BLOCK_HEAD + tree->used;
    tree->used += bytes;
    return memory;
}

void pliant__tree_free(pliant__tree *tree)
{
    for (void *block = tree->blocks; block;) {
        void *next = *(void **)block;
        pliant__free(&tree->allocator, block);
        block = next;
    }
    tree->blocks = NULL;
    tree->root = NULL;
    tree->used = tree->room = tree->node_count = 0;
}

/* ---- looking ---- */

const pliant__node *pliant__node_get(const pliant__node *map, const char *key)
{
    if (!map || map->type != PLIANT__NODE_MAP) return NULL;
    for (const pliant__node *n = map->first; n; n = n->next)
        if (strcmp(n->key, key) == 0) return n;
    return NULL;
}

const char *pliant__node_kind(const pliant__node *node)
{
    static const char *const kinds[] = {"nothing", "true or false", "a number", "text", "a list", "an object"};
    return kinds[node->type];
}

void pliant__node_place(const pliant__node *node, char *out, size_t size)
{
    const pliant__node *chain[PLIANT__MAX_DEPTH + 2];
    int                 depth = 0;
    for (; node && node->parent && depth < PLIANT__MAX_DEPTH + 2; node = node->parent) chain[depth++] = node;
    size_t length = 0;
    out[0] = 0;
    while (depth-- && length < size) {
        const pliant__node *n = chain[depth];
        int                 more;
        if (n->key)
            more = snprintf(out + length, size - length, "%s%.64s", length ? "." : "", n->key);
        else
            more = snprintf(out + length, size - length, "[%u]", n->index);
        if (more < 0) break;
        length += (size_t)more;
    }
}

bool pliant__node_fail(const pliant__tree *tree, const pliant__node *node, pliant_error *error, const char *format, ...)
{
    char    place[256], what[384];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    for (char *c = what; *c; c++) /* one line, whatever a file's text had in it */
        if ((unsigned char)*c < 32) *c = '?';
    pliant__node_place(node, place, sizeof place);
    for (char *c = place; *c; c++)
        if ((unsigned char)*c < 32) *c = '?';
    return pliant__fail_at(error, PLIANT_ERROR_INPUT, tree->name, node->line, "%s%s%s", place, *place ? ": " : "", what);
}

/* ---- building ---- */

typedef struct builder {
    pliant__tree *tree;
    pliant__node *open[PLIANT__MAX_DEPTH]; /* lists and maps that are not closed yet */
    int           depth;
    const char   *key; /* said, its value not yet */
    int           key_line;
    bool          done;
    pliant_error *error;
} builder;

static bool refuse(builder *b, const yaml_event_t *event, const char *what)
{
    pliant__node at = {.line = (int)event->start_mark.line + 1};
    if (b->depth) at.parent = b->open[b->depth - 1], at.index = at.parent->count, at.key = b->key;
    if (b->depth && at.parent->type == PLIANT__NODE_MAP && !at.key) at = *at.parent, at.line = (int)event->start_mark.line + 1;
    return pliant__node_fail(b->tree, &at, b->error, "%s", what);
}

static const char *copy_text(builder *b, const yaml_event_t *event)
{
    size_t length = event->data.scalar.length;
    char  *text = pliant__tree_alloc(b->tree, length + 1);
    if (text)
        memcpy(text, event->data.scalar.value, length);
    else
        pliant__fail_memory(b->error, length, "a text of the scene file");
    return text;
}

/* A key of the open map; remembered until its value comes. */
static bool take_key(builder *b, const yaml_event_t *event)
{
    const pliant__node *map = b->open[b->depth - 1];
    if (event->type != YAML_SCALAR_EVENT) return refuse(b, event, "a key must be a word");
    if (strlen((const char *)event->data.scalar.value) != event->data.scalar.length) return refuse(b, event, "a key with a zero byte");
    b->key = copy_text(b, event);
    if (!b->key) return false;
    b->key_line = (int)event->start_mark.line + 1;
    if (map->count >= PLIANT__MAX_KEYS) return refuse(b, event, "more than 1024 keys in one object");
    if (pliant__node_get(map, b->key)) return refuse(b, event, "the same key twice");
    return true;
}

static pliant__node *add_node(builder *b, const yaml_event_t *event, pliant__node_type type)
{
    if (b->tree->node_count++ >= PLIANT__MAX_NODES) {
        refuse(b, event, "the file is too large; put meshes into files of their own");
        return NULL;
    }
    pliant__node *node = pliant__tree_alloc(b->tree, sizeof *node);
    if (!node) {
        pliant__fail_memory(b->error, sizeof *node, "the scene file");
        return NULL;
    }
    node->type = (uint8_t)type;
    node->line = (int)event->start_mark.line + 1;
    if (b->depth == 0) {
        b->tree->root = node;
        return node;
    }
    pliant__node *parent = b->open[b->depth - 1];
    node->parent = parent;
    node->index = parent->count++;
    if (b->key) node->line = b->key_line;
    node->key = b->key;
    b->key = NULL;
    if (parent->last)
        parent->last->next = node;
    else
        parent->first = node;
    parent->last = node;
    return node;
}

/* Words that YAML, JavaScript or C write for values that no scene can use. */
static bool is_not_finite(const char *text)
{
    static const char *const words[] = {"nan", ".nan", "inf", ".inf", "infinity"};
    char                     lower[16];
    if (*text == '-' || *text == '+') text++;
    size_t length = strlen(text);
    if (length >= sizeof lower) return false;
    for (size_t i = 0; i <= length; i++) lower[i] = (char)(text[i] >= 'A' && text[i] <= 'Z' ? text[i] + 32 : text[i]);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(lower, words[i]) == 0) return true;
    return false;
}

static bool take_scalar(builder *b, const yaml_event_t *event)
{
    const char *text = copy_text(b, event);
    if (!text) return false;
    if (strlen(text) != event->data.scalar.length) return refuse(b, event, "text with a zero byte");
    pliant__node *node = add_node(b, event, PLIANT__NODE_TEXT);
    if (!node) return false;
    node->text = text;
    node->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    if (node->quoted) return true;
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) {
        node->type = PLIANT__NODE_BOOL;
        node->truth = text[0] == 't';
    } else if (strcmp(text, "null") == 0 || strcmp(text, "~") == 0 || !*text) {
        node->type = PLIANT__NODE_NULL;
    } else if (is_not_finite(text)) {
        return pliant__node_fail(b->tree, node, b->error, "%.20s is not a finite number", text);
    } else {
        pliant__number_status status = pliant__parse_number(text, event->data.scalar.length, &node->number);
        if (status == PLIANT__NUMBER_HUGE) return pliant__node_fail(b->tree, node, b->error, "%.40s is too large for a number", text);
        if (status == PLIANT__NUMBER_OK) node->type = PLIANT__NODE_NUMBER;
    }
    return true;
}

static bool open_node(builder *b, const yaml_event_t *event, pliant__node_type type)
{
    if (b->depth >= PLIANT__MAX_DEPTH) return refuse(b, event, "more than 64 lists and objects inside each other");
    pliant__node *node = add_node(b, event, type);
    if (!node) return false;
    b->open[b->depth++] = node;
    return true;
}

static bool has_extras(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT: return event->data.scalar.anchor || event->data.scalar.tag;
    case YAML_SEQUENCE_START_EVENT: return event->data.sequence_start.anchor || event->data.sequence_start.tag;
    case YAML_MAPPING_START_EVENT: return event->data.mapping_start.anchor || event->data.mapping_start.tag;
    default: return event->type == YAML_ALIAS_EVENT;
    }
}

static bool take_event(builder *b, const yaml_event_t *event)
{
    if (has_extras(event)) return refuse(b, event, "anchors, aliases and tags are not taken");
    bool in_map = b->depth && b->open[b->depth - 1]->type == PLIANT__NODE_MAP;
    bool starts = event->type == YAML_SCALAR_EVENT || event->type == YAML_SEQUENCE_START_EVENT || event->type == YAML_MAPPING_START_EVENT;
    if (starts && in_map && !b->key) return take_key(b, event);
    switch (event->type) {
    case YAML_SCALAR_EVENT: return take_scalar(b, event);
    case YAML_SEQUENCE_START_EVENT: return open_node(b, event, PLIANT__NODE_LIST);
    case YAML_MAPPING_START_EVENT: return open_node(b, event, PLIANT__NODE_MAP);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: b->depth--; return true;
    case YAML_DOCUMENT_START_EVENT:
        if (b->tree->root) return refuse(b, event, "one document is enough");
        return true;
    case YAML_STREAM_END_EVENT: b->done = true; return true;
    default: return true;
    }
}

/* Where libyaml gave up. Its reader knows a byte, its scanner and parser a line. */
static bool fail_syntax(builder *b, const yaml_parser_t *parser, const char *text, size_t length)
{
    if (parser->error == YAML_MEMORY_ERROR) return pliant__fail_memory(b->error, length, "the scene file");
    size_t line = parser->problem_mark.line + 1;
    if (parser->error == YAML_READER_ERROR) {
        line = 1;
        for (size_t i = 0; i < parser->problem_offset && i < length; i++) line += text[i] == '\n';
    }
    size_t lines = 1; /* a text that ends too early is noticed behind the last line */
    for (size_t i = 0; i + 1 < length; i++) lines += text[i] == '\n';
    if (line > lines) line = lines;
    const char *context = parser->context ? parser->context : "";
    return pliant__fail_at(b->error, PLIANT_ERROR_INPUT, b->tree->name, (int)line, "not valid JSON or YAML: %s%s%s", context,
                           *context ? ", " : "", parser->problem ? parser->problem : "unreadable");
}

bool pliant__tree_parse(pliant__tree *tree, const char *text, size_t length, const char *name, const pliant_allocator *allocator,
                        pliant_error *error)
{
    *tree = (pliant__tree){.name = name};
    if (allocator) tree->allocator = *allocator;
    builder       b = {.tree = tree, .error = error};
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return pliant__fail_memory(error, sizeof parser, "the parser");
    yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
    bool ok = true;
    while (ok && !b.done) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            ok = fail_syntax(&b, &parser, text, length);
            break;
        }
        ok = take_event(&b, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    if (ok && !tree->root) ok = pliant__fail_at(error, PLIANT_ERROR_INPUT, name, 1, "the file is empty");
    if (!ok) pliant__tree_free(tree);
    return ok;
}
