/* A library that stands for Node's, node.dll, so that Alembic's own library can be asked what an archive says.
 *
 * The npm package `alembic` is that library, built for Windows, behind functions for JavaScript: load, get_mesh and so on. They call what
 * they need of V8 by its C++ names, which are in alembic_host.def. Here these are functions of C that do as much as those functions need: values
 * are made, kept and never freed. `run` calls the functions for every frame and prints what they give as JSON, a line per object.
 *
 * How C++ comes down to this, with the compiler that built the package: `this` is the first argument; what returns an object gets a place for it,
 * behind `this`; a Local is a pointer to a slot, and a slot has the address of a value, plus one. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { OBJECT, ARRAY, NUMBER, STRING, BUFFER, FLOATS, INTS, FUNCTION } kind;

typedef struct value value;
typedef struct member {
    const char *name;
    value      *is;
} member;

/* `map` comes first: the package looks there whether a value is a string. */
struct value {
    uintptr_t   map;
    kind        kind;
    double      number;
    const char *text;
    void       *bytes; /* of a buffer, or of the buffer that floats and ints are in */
    size_t      count;
    member     *members;
    size_t      member_count;
    void       *function;
};

typedef uintptr_t *local;

static unsigned char map_of_strings[32], map_of_others[32];
static unsigned char isolate[1 << 16];

static void *must(void *memory)
{
    if (!memory) exit(5);
    return memory;
}

static value *make(kind k)
{
    value *v = must(calloc(1, sizeof *v));
    memset(map_of_others, 0xc0, sizeof map_of_others);
    v->kind = k;
    v->map = (uintptr_t)(k == STRING ? map_of_strings : map_of_others) + 1;
    return v;
}

static value *make_text(const char *text)
{
    value *v = make(STRING);
    v->text = must(strdup(text));
    return v;
}

static value *make_number(double number)
{
    value *v = make(NUMBER);
    v->number = number;
    return v;
}

static local local_of(value *v)
{
    local slot = must(malloc(sizeof *slot));
    *slot = (uintptr_t)v + 1;
    return slot;
}

static value *value_of(local slot) { return (value *)(*slot - 1); }

static local *give(local *place, value *v)
{
    *place = local_of(v);
    return place;
}

static int add(value *to, const char *name, value *is)
{
    to->members = must(realloc(to->members, (to->member_count + 1) * sizeof *to->members));
    to->members[to->member_count++] = (member){name, is};
    return 1;
}

/* ---- what the package calls, in the order of alembic_host.def ---- */

local *value_to_string(local self, local *place)
{
    *place = self;
    return place;
}

local *buffer_new(local *place, void *of, size_t size)
{
    (void)of;
    value *v = make(BUFFER);
    v->bytes = must(calloc(1, size + 1));
    v->count = size;
    return give(place, v);
}

typedef struct contents {
    void  *bytes;
    size_t size;
} contents;

contents *buffer_contents(local self, contents *place)
{
    *place = (contents){value_of(self)->bytes, value_of(self)->count};
    return place;
}

void *isolate_current(void) { return isolate; }

local *isolate_throw(void *self, local *place, local what)
{
    (void)self;
    fprintf(stderr, "thrown: %s\n", value_of(what)->text ? value_of(what)->text : "");
    *place = what;
    return place;
}

void function_set_name(local self, local name) { value_of(self)->text = value_of(name)->text; }

local *integer_new(local *place, void *of, int number)
{
    (void)of;
    return give(place, make_number(number));
}

int object_set_index(local self, uint32_t index, local is)
{
    (void)index; /* they come in order */
    return add(value_of(self), "", value_of(is));
}

int object_set(local self, local name, local is) { return add(value_of(self), value_of(name)->text, value_of(is)); }

local *object_new(local *place, void *of)
{
    (void)of;
    return give(place, make(OBJECT));
}

local *number_new(local *place, void *of, double number)
{
    (void)of;
    return give(place, make_number(number));
}

void *scope_begin(void *self, void *of)
{
    (void)of;
    return self;
}

void scope_end(void *self) { (void)self; }

local *array_new(local *place, void *of, int count)
{
    (void)of, (void)count;
    return give(place, make(ARRAY));
}

static local *give_numbers(local *place, kind k, local buffer, size_t offset, size_t count)
{
    value *v = make(k);
    v->bytes = (char *)value_of(buffer)->bytes + offset;
    v->count = count;
    return give(place, v);
}

local *floats_new(local *place, local buffer, size_t offset, size_t count) { return give_numbers(place, FLOATS, buffer, offset, count); }

local *string_new(local *place, void *of, const char *text, int type, int length)
{
    (void)of, (void)type;
    value *v = make_text(text);
    if (length >= 0) ((char *)v->text)[length] = 0;
    return give(place, v);
}

typedef struct utf8 {
    const char *text;
    int         length;
} utf8;

utf8 *utf8_begin(utf8 *self, local of)
{
    const char *text = value_of(of)->text;
    *self = (utf8){text ? text : "", text ? (int)strlen(text) : 0};
    return self;
}

void utf8_end(utf8 *self) { (void)self; }

local *type_error(local *place, local text)
{
    *place = text;
    return place;
}

local *ints_new(local *place, local buffer, size_t offset, size_t count) { return give_numbers(place, INTS, buffer, offset, count); }

local *template_new(local *place, void *of, void *function)
{
    (void)of;
    value *v = make(FUNCTION);
    v->function = function;
    return give(place, v);
}

local *template_function(local self, local *place)
{
    *place = self;
    return place;
}

double value_number(local self) { return value_of(self)->number; }

typedef struct module {
    int         version;
    unsigned    flags;
    void       *library;
    const char *file;
    void (*begin)(local exports, local module, void *own);
    void       *begin_in_context;
    const char *name;
    void       *own;
} module;

static module *registered;

void node_module_register(module *m) { registered = m; }

void node_at_exit(void *function, void *argument) { (void)function, (void)argument; }

/* ---- calling it ---- */

static value *exported;

/* What a function gets: of the first numbers the second is where V8 is, and the fourth takes the result; arguments go downwards. */
typedef struct call_info {
    uintptr_t *implicit, *arguments;
    int        count;
    bool       construct;
} call_info;

static value *call(const char *name, value *first, value *second)
{
    uintptr_t implicit[8] = {0, (uintptr_t)isolate}, arguments[2] = {(uintptr_t)second + 1, (uintptr_t)first + 1};
    call_info info = {implicit, arguments + 1, second ? 2 : 1, false};
    for (size_t i = 0; i < exported->member_count; i++)
        if (strcmp(exported->members[i].name, name) == 0) {
            void (*function)(call_info *);
            memcpy(&function, &exported->members[i].is->function, sizeof function);
            function(&info);
            return implicit[3] ? (value *)(implicit[3] - 1) : NULL;
        }
    fprintf(stderr, "the package has no %s\n", name);
    exit(1);
}

static void print(const value *v)
{
    const char *between = "";
    bool        list = v && (v->kind == ARRAY || v->kind == FLOATS || v->kind == INTS);
    if (!v || v->kind == BUFFER || v->kind == FUNCTION)
        printf("null");
    else if (v->kind == NUMBER)
        printf("%.9g", v->number);
    else if (v->kind == STRING)
        printf("\"%s\"", v->text);
    else
        printf(list ? "[" : "{");
    for (size_t i = 0; v && i < v->member_count; i++, between = ", ") {
        printf(list ? "%s" : "%s\"%s\": ", between, v->members[i].name);
        print(v->members[i].is);
    }
    for (size_t i = 0; list && v->kind != ARRAY && i < v->count; i++, between = ", ")
        if (v->kind == FLOATS)
            printf("%s%.9g", between, (double)((const float *)v->bytes)[i]);
        else
            printf("%s%d", between, ((const int *)v->bytes)[i]);
    if (list || (v && v->kind == OBJECT)) printf(list ? "]" : "}");
}

static void print_line(const char *kind, const char *path, int frame, const value *v)
{
    printf("{\"kind\": \"%s\", \"path\": \"%s\", \"frame\": %d, \"is\": ", kind, path, frame);
    print(v);
    printf("}\n");
    fflush(stdout);
}

/* All meshes, curves, points and transforms of an archive, `frames` times, `interval` milliseconds apart. The time is set twice, since the
 * package moves meshes first and takes the time then. */
int run(const char *path, int frames, double interval)
{
    static const char *const kinds[] = {"mesh", "curve", "point", "xform"};
    exported = make(OBJECT);
    value *file = make_text(path);
    if (!registered) return 1;
    registered->begin(local_of(exported), local_of(make(OBJECT)), registered->own);
    call("load", file, NULL);
    print_line("times", "", 0, call("get_total_time", file, NULL));
    for (int f = 0; f < frames; f++) {
        for (int twice = 0; twice < 2; twice++) call("set_time", file, make_number((f + 0.25) * interval));
        for (int k = 0; k < 4; k++) {
            char list[32], get[32];
            snprintf(list, sizeof list, "get_%s_path_list", kinds[k]);
            snprintf(get, sizeof get, "get_%s", kinds[k]);
            value *paths = call(list, file, NULL);
            for (size_t i = 0; paths && i < paths->member_count; i++)
                print_line(kinds[k], paths->members[i].is->text, f, call(get, file, paths->members[i].is));
        }
    }
    return 0;
}
