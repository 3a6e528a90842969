/* See scene_draw.h. Every key of a scene file is a row of `rows`: how often it is said, and what it is then. What two keys are to each other (this one
 * goes without that one) stands in the functions behind the table, and is let be now and then, so that refusals are drawn too. */
#include "scene_draw.h"

#include "pliant/constraints.h"
#include "pliant/methods.h"
#include "trial.h"

enum { MOST = 4 }; /* bodies, and colliders */

typedef struct drawn {
    char     name[64]; /* empty: it has none */
    uint32_t vertices;
} drawn;

typedef struct drawer {
    uint64_t         seed;
    enum scene_theme theme;
    drawn            body[MOST], collider[MOST];
    uint32_t         bodies, colliders, materials;
    uint32_t         vertices; /* of the body that is being drawn */
    bool             close;    /* bodies lie on each other, unturned */
} drawer;

enum draw_kind { NUMBER, LOG, COUNT, BOOL, WORD, VECTOR, OBJECT, LIST, CALL };

/* low, high: of numbers and of each coordinate; how many a list has. LOG: as often between 1 and 10 as between 10 and 100. */
typedef struct draw_row {
    const char    *object, *key;
    double         share; /* how often it is said */
    enum draw_kind kind;
    double         low, high;
    const char    *words; /* that it may be; of OBJECT and LIST: the object */
    json (*call)(drawer *d);
} draw_row;

static json draw_object(drawer *d, const char *object);
static void draw_rows(drawer *d, json *into, const char *object);
static void drop_keys(json *object, const char *keys);
static void without(drawer *d, json *object, const char *key, const char *others);
static void mend_law(drawer *d, json *law);

/* ---- numbers ---- */

static double part(drawer *d) { return chance(&d->seed); }
static bool   often(drawer *d, double share) { return part(d) < share; }

static uint32_t below(drawer *d, uint32_t count) { return (uint32_t)(part(d) * count); }

/* To three digits, so that a scene can be read. */
static double rounded(double value)
{
    const double size = fabs(value);
    double       unit = 1e-3;
    if (size == 0) return 0;
    while (unit > size * 1e-2) unit /= 10;
    while (unit < size * 1e-3) unit *= 10;
    return floor(value / unit + 0.5) * unit;
}

static double between(drawer *d, double low, double high) { return rounded(low + (high - low) * part(d)); }
static double scaled(drawer *d, double low, double high) { return rounded(low * pow(high / low, part(d))); }

static json vector(double x, double y, double z)
{
    const double c[3] = {x, y, z};
    return json_of_numbers(c, 3);
}

static json draw_vector(drawer *d, double low, double high)
{
    const double x = between(d, low, high), y = between(d, low, high);
    return vector(x, y, between(d, low, high));
}

/* One of the words between spaces. */
static json draw_word(drawer *d, const char *words)
{
    char        word[64];
    uint32_t    count = 1;
    const char *at = words;
    for (const char *c = words; *c; c++) count += *c == ' ';
    for (uint32_t i = below(d, count); i > 0; i--) at = strchr(at, ' ') + 1;
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
    return json_of_text(word);
}

/* ---- values that are more than a number or a word ---- */

static json draw_rotation(drawer *d)
{
    json turn = json_empty(JSON_OBJECT);
    if (often(d, 0.4)) {
        json q = draw_vector(d, -1, 1);
        json_add(&q, json_of_number(between(d, 0.1, 1)));
        return q;
    }
    json_put(&turn, "axis", draw_vector(d, 0.1, 1));
    json_put(&turn, "angle", json_of_number(between(d, -180, 180)));
    return turn;
}

static json draw_scale(drawer *d)
{
    if (often(d, 0.5)) return json_of_number(between(d, 0.5, 1.5));
    json scale = draw_vector(d, 0.5, 1.5);
    if (often(d, 0.2)) scale.items[0].number *= -1;
    return scale;
}

static json draw_friction(drawer *d) { return often(d, 0.6) ? json_of_number(between(d, 0, 1)) : draw_object(d, "friction"); }
static json draw_area(drawer *d) { return often(d, 0.6) ? json_of_bool(often(d, 0.7)) : draw_object(d, "law"); }
static json draw_soft(drawer *d) { return often(d, 0.5) ? json_of_bool(often(d, 0.7)) : draw_object(d, "law"); }
static json draw_weld(drawer *d) { return often(d, 0.6) ? json_of_bool(often(d, 0.5)) : json_of_number(scaled(d, 1e-6, 1e-3)); }
static json draw_units(drawer *d) { return often(d, 0.6) ? draw_word(d, "m m m in cm mm") : json_of_number(between(d, 0.5, 1.5)); }

static json draw_bend(drawer *d)
{
    return often(d, 0.5) ? draw_word(d, "angle distance distance none none isometric") : draw_object(d, "bend");
}

/* One number, or those of warp and weft. */
static json draw_rigidity(drawer *d)
{
    json both = json_empty(JSON_LIST);
    if (often(d, 0.7)) return json_of_number(pow(10, between(d, -6, -2)));
    json_add(&both, json_of_number(pow(10, between(d, -6, -2))));
    json_add(&both, json_of_number(pow(10, between(d, -6, -2))));
    return both;
}

static json draw_threads(drawer *d)
{
    json both = json_empty(JSON_LIST);
    if (often(d, 0.3)) return json_of_number(scaled(d, 10, 1e4));
    json_add(&both, json_of_number(scaled(d, 10, 1e4)));
    json_add(&both, json_of_number(scaled(d, 10, 1e4)));
    return both;
}

static json draw_material(drawer *d)
{
    char name[32];
    if (d->materials && often(d, 0.3)) {
        snprintf(name, sizeof name, "m%u", below(d, d->materials));
        return json_of_text(name);
    }
    if (often(d, 0.3)) return draw_object(d, "material");
    return draw_word(d, "cotton silk denim rubber_sheet jelly rubber rope steel_cable legacy_jelly legacy_rubber legacy_cotton");
}

static json draw_materials(drawer *d)
{
    json materials = json_empty(JSON_OBJECT);
    char name[32];
    for (uint32_t i = 0, count = 1 + below(d, 2); i < count; i++) {
        snprintf(name, sizeof name, "m%u", i);
        json_put(&materials, name, draw_object(d, "material"));
        d->materials++;
    }
    return materials;
}

static drawer aside_of(const drawer *d, uint64_t salt);
static json   draw_values(drawer *d, double low, double high);

static json draw_masses(drawer *d)
{
    json masses = json_empty(JSON_LIST);
    for (uint32_t i = 0; i < d->vertices; i++) json_add(&masses, json_of_number(scaled(d, 0.001, 0.1)));
    drawer own = aside_of(d, 2);
    if (!often(&own, 0.2)) return masses;
    json_clear(&masses);
    return draw_values(&own, 0.001, 0.1);
}

static json draw_particles(drawer *d)
{
    json list = json_empty(JSON_LIST);
    for (uint32_t i = 0, count = 1 + below(d, 12); i < count; i++) json_add(&list, draw_object(d, "particle"));
    return list;
}

static json draw_points(drawer *d, uint32_t count, double low, double high)
{
    json list = json_empty(JSON_LIST);
    for (uint32_t i = 0; i < count; i++) json_add(&list, draw_vector(d, low, high));
    return list;
}

static json draw_polyline(drawer *d)
{
    const uint32_t count = 2 + below(d, 6);
    return draw_points(d, count, -0.4, 0.4);
}

static json draw_hull_points(drawer *d)
{
    const uint32_t count = 4 + below(d, 6);
    return draw_points(d, count, -0.3, 0.3);
}

static json draw_counts(drawer *d, uint32_t count, uint32_t least, uint32_t many)
{
    json list = json_empty(JSON_LIST);
    for (uint32_t i = 0; i < count; i++) json_add(&list, json_of_number(least + below(d, many)));
    return list;
}

static json draw_triangles(drawer *d)
{
    json list = json_empty(JSON_LIST);
    for (uint32_t i = 0, count = 2 + below(d, 4); i < count; i++) {
        const uint32_t a = below(d, 4);
        const double   corner[3] = {a, (a + 1) % 4, (a + 2) % 4};
        json_add(&list, json_of_numbers(corner, 3));
    }
    return list;
}

static json draw_heights(drawer *d)
{
    json           list = json_empty(JSON_LIST);
    const uint32_t columns = 2 + below(d, 4);
    for (uint32_t i = 0, count = 2 + below(d, 4); i < count; i++) {
        json row = json_empty(JSON_LIST);
        for (uint32_t k = 0; k < columns; k++) json_add(&row, json_of_number(between(d, -0.1, 0.1)));
        json_add(&list, row);
    }
    return list;
}

/* Bodies are small as a rule, so that many can be drawn; one in a dozen has tiles, parts and work for threads. */
static bool draw_large(drawer *d) { return often(d, 0.08); }

static json draw_cloth_cells(drawer *d) { return draw_large(d) ? draw_counts(d, 2, 12, 24) : draw_counts(d, 2, 1, 7); }
static json draw_soft_cells(drawer *d) { return draw_large(d) ? draw_counts(d, 3, 4, 6) : draw_counts(d, 3, 1, 3); }
static json draw_segments(drawer *d) { return json_of_number(1 + below(d, draw_large(d) ? 300 : 16)); }

static json draw_sheet_size(drawer *d)
{
    json size = draw_vector(d, 0.2, 0.8);
    json_drop(&size, 2);
    return size;
}

static json draw_lattice_size(drawer *d) { return draw_vector(d, 0.1, 0.4); }

/* ---- names and numbers of what there is ---- */

static json draw_reference(drawer *d, const drawn *of, uint32_t count)
{
    const uint32_t i = below(d, count);
    return of[i].name[0] && often(d, 0.7) ? json_of_text(of[i].name) : json_of_number(i);
}

static json draw_body_reference(drawer *d) { return draw_reference(d, d->body, d->bodies); }
static json draw_collider_reference(drawer *d) { return draw_reference(d, d->collider, d->colliders ? d->colliders : 1); }

static json draw_name(drawer *d)
{
    static const char *const beginnings[] = {"a", "cape", "x y", "Ball-", "tuch_ä", "the longest name that there may be, or nearly so: "};
    char                     name[64];
    snprintf(name, sizeof name, "%s%u", beginnings[below(d, 6)], d->bodies + 10 * d->colliders);
    return json_of_text(name);
}

/* ---- choosing vertices ---- */

/* So many different vertices, from `first` on. */
static json draw_vertices(drawer *d, uint32_t count, uint32_t first)
{
    json           list = json_empty(JSON_LIST);
    const uint32_t room = d->vertices - first, from = below(d, room);
    for (uint32_t i = 0; i < count && i < room; i++) json_add(&list, json_of_number(first + (from + i) % room));
    return list;
}

static json draw_corners(const double low[3], const double high[3])
{
    json box = json_empty(JSON_LIST);
    json_add(&box, json_of_numbers(low, 3));
    json_add(&box, json_of_numbers(high, 3));
    return box;
}

static json draw_wide_box(drawer *d)
{
    const double low[3] = {-9, -9, -9}, high[3] = {9, between(d, 0, 3), 9};
    return draw_corners(low, high);
}

/* What came later is drawn aside, from a row of numbers of its own: so scenes without it stay what they were. */
static drawer aside_of(const drawer *d, uint64_t salt)
{
    drawer own = *d;
    own.seed = d->seed * 6364136223846793005u + salt;
    part(&own);
    return own;
}

/* Ways that came later. The meshes that there are have the group "left", and a red half. */
static void draw_later_selection(drawer *d, json *into)
{
    static const char *const colors[] = {"#ff0000", "#0000ff", "#f00808"};
    const double             way = part(d);
    json                     color = json_empty(JSON_OBJECT);
    if (way < 0.2) {
        json_put(into, "sphere", draw_object(d, "ball"));
    } else if (way < 0.3) {
        json_put(into, "group", json_of_text("left"));
    } else if (way < 0.65) {
        json_put(into, "color", json_of_text(colors[below(d, 3)]));
    } else {
        if (way < 0.8) {
            json_put(&color, "like", json_of_text(colors[below(d, 3)]));
            json_put(&color, "tolerance", json_of_number(between(d, 0, 0.3)));
        } else {
            json_put(&color, "channel", draw_word(d, "red green blue alpha"));
            json_put(&color, "least", json_of_number(between(d, 0, 0.6)));
            json_put(&color, "most", json_of_number(between(d, 0.6, 1)));
        }
        json_put(into, "color", color);
        return;
    }
    json_clear(&color);
}

/* Numbers of vertices that selections choose. */
static json draw_values(drawer *d, double low, double high)
{
    json list = json_empty(JSON_LIST);
    for (uint32_t i = 0, count = 1 + below(d, 2); i < count; i++) {
        json value = json_empty(JSON_OBJECT);
        if (often(d, 0.3))
            json_put(&value, "side", draw_word(d, "+y -x +z"));
        else if (often(d, 0.2))
            json_put(&value, "nearest", draw_vector(d, -1, 2));
        else if (often(d, 0.2))
            json_put(&value, "all", json_of_bool(true));
        else if (often(d, 0.2))
            json_put(&value, "box", draw_wide_box(d));
        else if (often(d, 0.5))
            json_put(&value, "vertices", draw_vertices(d, 1 + below(d, 4), 0));
        else
            draw_later_selection(d, &value);
        json_put(&value, "value", json_of_number(scaled(d, low, high)));
        json_add(&list, value);
    }
    return list;
}

/* Puts one way of choosing into a selection. Numbers are from `first` on: what is pinned is then not attached. */
static void draw_selection(drawer *d, json *into, uint32_t first)
{
    const double low[3] = {-9, -9, -9}, high[3] = {9, between(d, 0, 3), 9}, way = part(d);
    if (way < 0.5) {
        json_put(into, "vertices", draw_vertices(d, 1 + below(d, 4), first));
    } else if (way < 0.6) {
        json_put(into, "box", draw_corners(low, high));
    } else if (way < 0.75) {
        json_put(into, "nearest", draw_vector(d, -1, 2));
    } else if (way < 0.95) {
        json_put(into, "side", draw_word(d, "+y -y +x -x +z -z -x-z +x+z -x+y"));
    } else {
        json_put(into, "all", json_of_bool(often(d, 0.9)));
    }
    drawer own = aside_of(d, 1);
    if (!often(&own, 0.09)) return;
    drop_keys(into, "vertices box nearest side all");
    draw_later_selection(&own, into);
}

static json draw_pin(drawer *d)
{
    json pin = json_empty(JSON_OBJECT);
    draw_selection(d, &pin, 0);
    draw_rows(d, &pin, "pin");
    return pin;
}

static json draw_pins(drawer *d)
{
    json list = json_empty(JSON_LIST);
    if (often(d, 0.4)) return draw_pin(d);
    for (uint32_t i = 0, count = 1 + below(d, 3); i < count; i++)
        json_add(&list, often(d, 0.7) ? json_of_number(below(d, (d->vertices + 1) / 2)) : draw_pin(d));
    return list;
}

/* Where `count` targets are, from time 0 on; 0: not said one by one. */
static json draw_target_keys(drawer *d, uint32_t count)
{
    json   list = json_empty(JSON_LIST);
    double time = often(d, 0.8) ? 0 : between(d, -0.1, 0.1);
    for (uint32_t i = 0, keys = 1 + below(d, 3); i < keys; i++, time += between(d, 0.01, 0.1)) {
        json key = json_empty(JSON_OBJECT);
        json_put(&key, "time", json_of_number(time));
        if (count && often(d, 0.4))
            json_put(&key, "positions", draw_points(d, count, -0.5, 1.5));
        else
            json_put(&key, "translate", draw_vector(d, -0.2, 0.2));
        json_add(&list, key);
    }
    return list;
}

static json draw_map(drawer *d)
{
    const uint32_t count = d->vertices < 8 ? d->vertices : 1 + below(d, 4);
    return often(d, 0.7) ? json_of_text("nearest") : draw_counts(d, count, 0, 18);
}

static json draw_cache_vertices(drawer *d)
{
    const uint32_t count = 4 + below(d, 4);
    return often(d, 0.5) ? json_of_text("all") : draw_counts(d, count, 0, 18);
}

static json draw_targets_keys_of(drawer *d, const json *selection)
{
    const json *vertices = json_find(selection, "vertices");
    return often(d, 0.3) ? draw_object(d, "baked_targets") : draw_target_keys(d, vertices ? (uint32_t)vertices->count : 0);
}

static json draw_attachment(drawer *d)
{
    json attachment = json_empty(JSON_OBJECT);
    draw_selection(d, &attachment, d->vertices / 2);
    draw_rows(d, &attachment, "attachment");
    const json *vertices = json_find(&attachment, "vertices"), *soft = json_find(&attachment, "soft");
    if (vertices && (soft || often(d, 0.02)) && often(d, 0.3))
        json_put(&attachment, "targets", draw_points(d, (uint32_t)vertices->count, -0.5, 1.5));
    if (often(d, 0.5)) json_put(&attachment, "keys", draw_targets_keys_of(d, &attachment));
    return attachment;
}

static json draw_attach(drawer *d)
{
    json list = json_empty(JSON_LIST);
    json_add(&list, draw_attachment(d));
    return list;
}

/* ---- garments and frames ---- */

/* One number, or one of each of `count`. */
static json draw_each(drawer *d, uint32_t count, double low, double high)
{
    json list = json_empty(JSON_LIST);
    if (often(d, 0.5)) return json_of_number(between(d, low, high));
    for (uint32_t i = 0; i < count; i++) json_add(&list, json_of_number(between(d, low, high)));
    drawer own = aside_of(d, 3);
    if (!often(&own, 0.1)) return list;
    json_clear(&list);
    return draw_values(&own, 0.001, high);
}

static json draw_skin(drawer *d)
{
    json     skin = json_empty(JSON_OBJECT);
    uint32_t count = d->vertices;
    if (often(d, 0.4)) {
        draw_selection(d, &skin, d->vertices / 2);
        const json *vertices = json_find(&skin, "vertices");
        count = vertices ? (uint32_t)vertices->count : 1;
    }
    const bool behind = often(d, 0.5);
    if (!behind || often(d, 0.5)) json_put(&skin, "max_distance", draw_each(d, count, 0, 0.1));
    if (behind) {
        json backstop = json_empty(JSON_OBJECT);
        json_put(&backstop, "radius", draw_each(d, count, 0, 0.3));
        if (often(d, 0.5)) json_put(&backstop, "offset", draw_each(d, count, 0, 0.05));
        json_put(&skin, "backstop", backstop);
    }
    if (often(d, 0.5)) json_put(&skin, "keys", draw_targets_keys_of(d, &skin));
    return skin;
}

static json draw_group(drawer *d, const pliant_group_info *info)
{
    const bool gas = info->kind == PLIANT_GROUP_GAS;
    if (often(d, 0.3)) return json_of_number(gas ? between(d, 0, 5000) : between(d, 0.8, 1.3));
    json         group = draw_object(d, info->name);
    const double low = gas ? 0 : 0.8, high = gas ? 5000 : 1.3;
    if (often(d, 0.4)) {
        json   list = json_empty(JSON_LIST);
        double time = 0;
        for (uint32_t i = 0, keys = 1 + below(d, 3); i < keys; i++, time += between(d, 0.01, 0.1)) {
            json key = json_empty(JSON_OBJECT);
            json_put(&key, "time", json_of_number(time));
            json_put(&key, info->numbers[0].name, json_of_number(between(d, low, high)));
            json_add(&list, key);
        }
        json_put(&group, "keys", list);
    } else if (often(d, 0.8))
        json_put(&group, info->numbers[0].name, json_of_number(between(d, low, high)));
    return group;
}

/* Of a side, which has whole faces, or of any vertices. */
static json draw_mouth(drawer *d)
{
    json mouth = json_empty(JSON_OBJECT);
    if (often(d, 0.5))
        json_put(&mouth, "side", draw_word(d, "+y -x +z"));
    else if (often(d, 0.2))
        json_put(&mouth, "all", json_of_bool(true)); /* which is refused */
    else if (often(d, 0.5))
        draw_later_selection(d, &mouth);
    else
        draw_selection(d, &mouth, 0);
    draw_rows(d, &mouth, "mouth");
    return mouth;
}

static json draw_pressure(drawer *d)
{
    drawer                   own = aside_of(d, 10);
    const pliant_group_info *info = pliant_group_describe(below(d, 2) ? PLIANT_GROUP_VOLUME : PLIANT_GROUP_GAS);
    json                     pressure = json_empty(JSON_OBJECT);
    json_put(&pressure, info->name, draw_group(d, info));
    if (often(&own, info->kind == PLIANT_GROUP_GAS ? 0.4 : 0.02)) json_put(&pressure, "mouth", draw_mouth(&own));
    return pressure;
}

static json draw_weak(drawer *d)
{
    json list = json_empty(JSON_LIST);
    for (uint32_t i = 0, count = 1 + below(d, 2); i < count; i++) {
        json weak = json_empty(JSON_OBJECT);
        draw_selection(d, &weak, 0);
        json_put(&weak, "strength", json_of_number(between(d, 0.9, 1.2)));
        if (count == 1) return weak; /* which is not in a list */
        json_add(&list, weak);
    }
    return list;
}

static json draw_tear(drawer *d) { return draw_object(d, "tear"); }

static json draw_pose_keys(drawer *d)
{
    json   list = json_empty(JSON_LIST);
    double time = often(d, 0.8) ? 0 : between(d, -0.1, 0.1);
    if (often(d, 0.25)) return draw_object(d, "baked_pose");
    for (uint32_t i = 0, keys = 1 + below(d, 3); i < keys; i++, time += between(d, 0.01, 0.1)) {
        json key = json_empty(JSON_OBJECT);
        json_put(&key, "time", json_of_number(time));
        draw_rows(d, &key, "pose_key");
        json_add(&list, key);
    }
    return list;
}

static json draw_box(drawer *d)
{
    json         box = json_empty(JSON_LIST);
    const double low[3] = {between(d, -1, 0), between(d, -1, 0), between(d, -1, 0)},
                 high[3] = {between(d, 0, 1), between(d, 0, 1), between(d, 0, 1)};
    json_add(&box, json_of_numbers(low, 3));
    json_add(&box, json_of_numbers(high, 3));
    return box;
}

static json draw_keys_of(drawer *d, const char *object)
{
    json   list = json_empty(JSON_LIST);
    double time = often(d, 0.8) ? 0 : between(d, -0.1, 0.1);
    for (uint32_t i = 0, keys = 1 + below(d, 3); i < keys; i++, time += between(d, 0.01, 0.1)) {
        json key = json_empty(JSON_OBJECT);
        json_put(&key, "time", json_of_number(time));
        draw_rows(d, &key, object);
        json_add(&list, key);
    }
    return list;
}

static json draw_force_keys(drawer *d) { return draw_keys_of(d, "force_key"); }
static json draw_wind_keys(drawer *d) { return draw_keys_of(d, "wind_key"); }

/* ---- constraints: kinds and numbers are those of the table in pliant/constraints.h ---- */

static const pliant_constraint_info *draw_kind_of(drawer *d, json *into)
{
    const pliant_constraint_info *info = pliant_constraint_describe((pliant_constraint_kind)below(d, PLIANT_CONSTRAINT_COUNT));
    json_put(into, "kind", json_of_text(info->name));
    const bool says = often(d, info->flags & PLIANT_ROW_SHAPED || info->kind == PLIANT_CONSTRAINT_TET_VOLUME ? 0.9 : 0.3);
    for (uint32_t i = 0; says && i < info->parameter_count; i++) {
        const pliant_parameter_info *p = &info->parameters[i];
        json_put(into, p->name, json_of_number(between(d, p->low < -1 ? -1 : p->low, p->high > 1 ? 1 : p->high)));
    }
    for (uint32_t i = 0; i < info->number_count; i++) { /* numbers of its law */
        const pliant_parameter_info *p = &info->parameters[info->parameter_count + i];
        if (often(d, 0.5)) json_put(into, p->name, json_of_number(between(d, p->low, p->high)));
    }
    json law = draw_object(d, "law");
    if (info->rows > 1 && !often(d, 0.05)) drop_keys(&law, "limit range");
    if (!(info->flags & PLIANT_ROW_RATIO) && json_find(&law, "range") && !often(d, 0.05)) drop_keys(&law, "limit range");
    if (!(info->flags & PLIANT_ROW_PLASTIC) && !often(d, 0.4)) drop_keys(&law, "yield creep hardening most");
    if (often(d, 0.1)) {
        json_put(&law, "limit", draw_word(d, "equal at_most at_least range"));
        mend_law(d, &law);
    }
    for (size_t i = 0; i < law.count; i++) json_put(into, law.keys[i], json_copy(&law.items[i]));
    json_clear(&law);
    drawer own = aside_of(d, 8);
    if (info->kind == PLIANT_CONSTRAINT_ATTACHMENT && often(&own, 0.03)) json_put(into, "creep", json_of_number(1));
    if (often(&own, info->flags & (PLIANT_ROW_LENGTH | PLIANT_ROW_LINK) ? 0.05 : 0.01))
        json_put(into, "break", json_of_number(scaled(&own, 1, 1e3)));
    return info;
}

/* Instead of numbers: selections of one vertex each, or two selections in pairs. `body`: the reference to one, between bodies. */
static void draw_later_constraint(drawer *d, json *c, const pliant_constraint_info *info, const char *list, const drawn *bodies)
{
    json *ids = (json *)(void *)json_find(c, list);
    if (info->slots != 2 || often(d, 0.4)) {
        json one = json_empty(JSON_OBJECT);
        json_put(&one, "nearest", draw_vector(d, -1, 2));
        json *at = bodies ? &ids->items[0].items[1] : &ids->items[0];
        json_clear(at);
        *at = one;
        return;
    }
    drop_keys(c, "target keys");
    drop_keys(c, list);
    for (uint32_t i = 0; i < 2; i++) {
        json           of = json_empty(JSON_OBJECT);
        const uint32_t body = bodies ? i % d->bodies : 0;
        if (bodies) {
            json_put(&of, "body", bodies[body].name[0] && often(d, 0.5) ? json_of_text(bodies[body].name) : json_of_number(body));
            d->vertices = bodies[body].vertices;
        }
        draw_selection(d, &of, 0);
        if (bodies && often(d, 0.1)) {
            drop_keys(&of, "vertices box nearest side all group color");
            json_put(&of, "sphere", draw_object(d, "ball"));
        }
        drawer later = aside_of(d, 11);
        if (bodies && often(&later, 0.03)) {
            drop_keys(&of, "vertices box nearest side all group color sphere");
            json_put(&of, "group", json_of_text("left"));
        }
        json_put(c, i ? "b" : "a", of);
    }
    json_put(c, "pair", draw_word(d, "nearest nearest order"));
}

static json draw_constraints(drawer *d)
{
    json list = json_empty(JSON_LIST);
    for (uint32_t i = 0, count = 1 + below(d, 3); i < count; i++) {
        json                          c = json_empty(JSON_OBJECT);
        const pliant_constraint_info *info = draw_kind_of(d, &c);
        const bool                    tied = info->kind == PLIANT_CONSTRAINT_ATTACHMENT && often(d, 0.7);
        json_put(&c, "ids", draw_vertices(d, tied ? 1 : info->slots, 0));
        if (tied || often(d, 0.02)) json_put(&c, "target", draw_vector(d, -0.5, 1.5));
        if ((tied && often(d, 0.5)) || often(d, 0.02)) json_put(&c, "keys", draw_target_keys(d, 1));
        drawer own = aside_of(d, 4);
        if (often(&own, 0.1)) draw_later_constraint(&own, &c, info, "ids", NULL);
        json_add(&list, c);
    }
    return list;
}

static json draw_constraints_between(drawer *d)
{
    json list = json_empty(JSON_LIST);
    for (uint32_t i = 0, count = 1 + below(d, 3); i < count; i++) {
        json                          c = json_empty(JSON_OBJECT), particles = json_empty(JSON_LIST);
        const pliant_constraint_info *info = draw_kind_of(d, &c);
        for (uint32_t k = 0; k < info->slots; k++) {
            const uint32_t body = (i + k) % d->bodies, vertex = k / d->bodies % d->body[body].vertices;
            json           pair = json_empty(JSON_LIST);
            json_add(&pair, d->body[body].name[0] && often(d, 0.5) ? json_of_text(d->body[body].name) : json_of_number(body));
            json_add(&pair, json_of_number(vertex));
            json_add(&particles, pair);
        }
        json_put(&c, "particles", particles);
        drawer own = aside_of(d, 5);
        if (often(&own, 0.1)) draw_later_constraint(&own, &c, info, "particles", own.body);
        json_add(&list, c);
    }
    return list;
}

/* ---- lists of the scene ---- */

static json draw_body(drawer *d);
static json draw_collider(drawer *d);

static json draw_bodies(drawer *d)
{
    json list = json_empty(JSON_LIST);
    for (uint32_t i = 0, count = 1 + below(d, 3); i < count; i++) json_add(&list, draw_body(d));
    return list;
}

static json draw_colliders(drawer *d)
{
    json list = json_empty(JSON_LIST);
    for (uint32_t i = 0, count = 1 + below(d, 3); i < count; i++) json_add(&list, draw_collider(d));
    return list;
}

static json draw_forces(drawer *d)
{
    static const char *const types[] = {"acceleration", "body", "wind"}, *const objects[] = {"acceleration", "body_force", "wind"};
    json list = json_empty(JSON_LIST);
    for (uint32_t i = 0, count = 1 + below(d, 2); i < count; i++) {
        const uint32_t type = below(d, 3);
        json           force = json_empty(JSON_OBJECT);
        json_put(&force, "type", json_of_text(types[type]));
        draw_rows(d, &force, objects[type]);
        without(d, &force, "box", "sphere");
        if (!json_find(&force, "box") && !json_find(&force, "sphere")) json_drop_key(&force, "falloff");
        json_add(&list, force);
    }
    return list;
}

/* Either where the eye is or from which side all is shown. */
static json draw_camera(drawer *d)
{
    json camera = json_empty(JSON_OBJECT);
    draw_rows(d, &camera, "camera");
    if (json_find(&camera, "target")) json_drop_key(&camera, "from");
    if (json_find(&camera, "eye") && !json_find(&camera, "target")) json_drop_key(&camera, "eye");
    if (json_find(&camera, "target") && !json_find(&camera, "eye")) json_drop_key(&camera, "target");
    if (!json_find(&camera, "eye")) json_drop_key(&camera, "fov");
    if (often(d, 0.3)) json_put(&camera, "follow", draw_body_reference(d));
    return camera;
}

static json draw_contact_pairs(drawer *d)
{
    json list = json_empty(JSON_LIST), pair = json_empty(JSON_OBJECT);
    json_put(&pair, "a", draw_body_reference(d));
    if (d->colliders && often(d, 0.5))
        json_put(&pair, "collider", draw_collider_reference(d));
    else
        json_put(&pair, "b", draw_body_reference(d));
    draw_rows(d, &pair, "contact_pair");
    if (json_find(&pair, "ignore") && often(d, 0.9)) {
        json_drop_key(&pair, "friction");
        json_drop_key(&pair, "restitution");
        json_drop_key(&pair, "adhesion");
    }
    if (pair.count < 3 && !often(d, 0.05)) json_put(&pair, "adhesion", json_of_number(scaled(d, 1e-3, 1)));
    json_add(&list, pair);
    return list;
}

/* A side of a seam: so many vertices of a body; 0: all of them. */
static json draw_seam_side(drawer *d, uint32_t body, uint32_t count)
{
    json side = json_empty(JSON_OBJECT);
    json_put(&side, "body", json_of_number(body));
    d->vertices = d->body[body].vertices;
    if (count)
        json_put(&side, "vertices", draw_vertices(d, count, 0));
    else
        json_put(&side, "all", json_of_bool(true));
    return side;
}

static json draw_stitches(drawer *d)
{
    json list = json_empty(JSON_LIST), seam = json_empty(JSON_OBJECT);
    draw_rows(d, &seam, "stitches");
    const json    *pair = json_find(&seam, "pair");
    const uint32_t a = below(d, d->bodies), b = often(d, 0.2) ? a : d->bodies - 1 - a, count = 2 + below(d, 2);
    json_put(&seam, "a", draw_seam_side(d, a, count));
    json_put(&seam, "b", draw_seam_side(d, b, pair && pair->text[0] == 's' ? 0 : count));
    json_add(&list, seam);
    return list;
}

/* Points about the bodies, each apart from the others. */
static json draw_blade(drawer *d, uint32_t count)
{
    json points = json_empty(JSON_LIST);
    for (uint32_t i = 0; i < count; i++) json_add(&points, draw_vector(d, -1, 1));
    return points;
}

static json draw_cut_keys(drawer *d)
{
    json   list = json_empty(JSON_LIST);
    double time = often(d, 0.7) ? 0 : between(d, 0, 0.05);
    for (uint32_t i = 0, count = 2 + below(d, 3); i < count; i++) {
        json key = json_empty(JSON_OBJECT);
        json_put(&key, "time", json_of_number(time));
        json_put(&key, "edge", draw_blade(d, 2));
        json_add(&list, key);
        time += between(d, 0.01, 0.1);
    }
    return list;
}

/* Blades for all bodies that tear. */
static json draw_cuts(drawer *d)
{
    json list = json_empty(JSON_LIST);
    for (uint32_t i = 0, count = 1 + below(d, 3); i < count; i++) {
        json cut = json_empty(JSON_OBJECT);
        if (often(d, 0.5))
            json_put(&cut, "keys", draw_cut_keys(d));
        else {
            json_put(&cut, "corners", draw_blade(d, 3 + below(d, 2)));
            if (often(d, 0.7)) json_put(&cut, "time", json_of_number(between(d, 0, 0.1)));
        }
        json_add(&list, cut);
    }
    return list;
}

/* ---- the table ---- */

#define PRESETS                                                                                                                       \
    "cotton silk denim rubber_sheet jelly rubber rope steel_cable legacy_jelly legacy_rubber legacy_cotton legacy_silk legacy_denim " \
    "legacy_rubber_sheet"

static const draw_row rows[] = {
    {"scene", "$schema", 0.1, WORD, 0, 0, "scene.schema.json", NULL},
    {"scene", "name", 0.2, WORD, 0, 0, "drawn", NULL},
    {"scene", "description", 0.1, WORD, 0, 0, "drawn", NULL},
    {"scene", "frames", 1, COUNT, 3, 9, NULL, NULL},
    {"scene", "fps", 0.6, NUMBER, 24, 240, NULL, NULL},
    {"scene", "solver", 0.95, OBJECT, 0, 0, "solver", NULL},
    {"scene", "materials", 0.4, CALL, 0, 0, NULL, draw_materials},
    {"scene", "bodies", 1, CALL, 0, 0, NULL, draw_bodies},
    {"scene", "constraints", 0.2, CALL, 0, 0, NULL, draw_constraints_between},
    {"scene", "colliders", 0.6, CALL, 0, 0, NULL, draw_colliders},
    {"scene", "contact_pairs", 0.2, CALL, 0, 0, NULL, draw_contact_pairs},
    {"scene", "forces", 0.35, CALL, 0, 0, NULL, draw_forces},
    {"scene", "camera", 0.25, CALL, 0, 0, NULL, draw_camera},
    {"scene", "stitches", 0.05, CALL, 0, 0, NULL, draw_stitches},

    {"solver", "substeps", 0.6, COUNT, 1, 12, NULL, NULL},
    {"solver", "substep", 0.15, LOG, 1e-3, 2e-2, NULL, NULL},
    {"solver", "substep_rest", 0.5, WORD, 0, 0, "spread carry", NULL},
    {"solver", "iterations", 0.4, COUNT, 1, 4, NULL, NULL},
    {"solver", "gravity", 0.25, VECTOR, -10, 10, NULL, NULL},
    {"solver", "order", 0.2, WORD, 0, 0, "colour given", NULL},
    {"solver", "method", 0.6, WORD, 0, 0, "gauss_seidel gauss_seidel jacobi chebyshev hierarchical newton multigrid", NULL},
    {"solver", "averaging", 0.4, WORD, 0, 0, "row classic", NULL},
    {"solver", "relaxation", 0.3, NUMBER, 0.4, 1.3, NULL, NULL},
    {"solver", "base", 0.6, WORD, 0, 0, "gauss_seidel jacobi", NULL},
    {"solver", "spectral_radius", 0.5, NUMBER, 0, 0.95, NULL, NULL},
    {"solver", "gradients", 0.5, WORD, 0, 0, "start predicted implicit", NULL},
    {"solver", "linear", 0.4, WORD, 0, 0, "auto tree sparse", NULL},
    {"solver", "tolerance", 0.4, LOG, 1e-6, 1e-2, NULL, NULL},
    {"solver", "fallback", 0.4, WORD, 0, 0, "implicit none", NULL},
    {"solver", "system", 0.6, WORD, 0, 0, "displacements multipliers", NULL},
    {"solver", "cycles", 0.6, COUNT, 1, 30, NULL, NULL},
    {"solver", "levels", 0.5, COUNT, 0, 4, NULL, NULL},
    {"solver", "coarse_iterations", 0.5, COUNT, 1, 3, NULL, NULL},
    {"solver", "integration", 0.2, WORD, 0, 0, "first_order bdf2", NULL},
    {"solver", "damping", 0.15, NUMBER, 0, 2, NULL, NULL},
    {"solver", "drag", 0.15, NUMBER, 0, 1, NULL, NULL},
    {"solver", "max_speed", 0.1, LOG, 50, 1e4, NULL, NULL},
    {"solver", "sleep_speed", 0.12, LOG, 1e-3, 1, NULL, NULL},
    {"solver", "on_divergence", 0.25, WORD, 0, 0, "stop restore", NULL},
    {"solver", "on_energy", 0.2, WORD, 0, 0, "ignore warn stop", NULL},
    {"solver", "quality", 0.25, WORD, 0, 0, "preview good final", NULL},
    {"solver", "easing", 0.2, WORD, 0, 0, "as_needed none", NULL},
    {"solver", "contact_bound", 0.4, WORD, 0, 0, "paths speed continuous", NULL},

    {"law", "compliance", 0.7, LOG, 1e-8, 1e-2, NULL, NULL},
    {"law", "damping", 0.2, LOG, 1e-6, 1, NULL, NULL},
    {"law", "damping_time", 0, LOG, 1e-3, 1, NULL, NULL},
    {"law", "damping_ratio", 0, NUMBER, 0, 2, NULL, NULL},
    {"law", "stiffness", 0.15, NUMBER, 0, 1, NULL, NULL},
    {"law", "limit", 0.15, WORD, 0, 0, "equal at_most at_least range", NULL},
    {"law", "yield", 0.05, LOG, 1e-3, 1, NULL, NULL},
    {"law", "creep", 0.7, LOG, 0.1, 1e3, NULL, NULL},
    {"law", "hardening", 0.7, NUMBER, 0, 2, NULL, NULL},
    {"law", "most", 0.7, LOG, 1e-2, 2, NULL, NULL},
    {"law", "break", 0, LOG, 1, 1e3, NULL, NULL},
    {"friction", "static", 1, NUMBER, 0, 1, NULL, NULL},
    {"friction", "dynamic", 1, NUMBER, 0, 1, NULL, NULL},
    {"bend", "break", 0, LOG, 1, 1e3, NULL, NULL},
    {"bend", "model", 0.6, WORD, 0, 0, "angle distance distance none isometric", NULL},

    {"material", "preset", 0.4, WORD, 0, 0, PRESETS, NULL},
    {"material", "density", 0.3, LOG, 0.05, 1000, NULL, NULL},
    {"material", "stretch", 0.15, OBJECT, 0, 0, "law", NULL},
    {"material", "shear", 0.1, OBJECT, 0, 0, "law", NULL},
    {"material", "bend", 0.1, OBJECT, 0, 0, "law", NULL},
    {"material", "area", 0.1, CALL, 0, 0, NULL, draw_area},
    {"material", "volume", 0.1, OBJECT, 0, 0, "law", NULL},
    {"material", "young", 0.1, LOG, 1e3, 1e7, NULL, NULL},
    {"material", "poisson", 0.1, NUMBER, 0.26, 0.49, NULL, NULL},
    {"material", "stretch_warp", 0.1, LOG, 10, 1e4, NULL, NULL},
    {"material", "stretch_weft", 0.1, LOG, 10, 1e4, NULL, NULL},
    {"material", "shear_stiffness", 0.1, LOG, 1, 1e3, NULL, NULL},
    {"material", "bending_rigidity", 0.1, CALL, 0, 0, NULL, draw_rigidity},
    {"material", "plane_poisson", 0.04, NUMBER, 0, 0.9, NULL, NULL},
    {"material", "yield", 0.03, LOG, 1e-3, 1, NULL, NULL},
    {"material", "creep", 0.7, LOG, 0.1, 1e3, NULL, NULL},
    {"material", "hardening", 0.7, NUMBER, 0, 2, NULL, NULL},
    {"material", "most", 0.7, LOG, 1e-2, 2, NULL, NULL},
    {"material", "thickness", 0.2, LOG, 2e-3, 3e-2, NULL, NULL},
    {"material", "friction", 0.15, CALL, 0, 0, NULL, draw_friction},
    {"material", "restitution", 0.15, NUMBER, 0, 1, NULL, NULL},
    {"material", "rolling_friction", 0.15, NUMBER, 0, 1, NULL, NULL},
    {"material", "damping", 0.15, NUMBER, 0, 5, NULL, NULL},
    {"material", "drag", 0.1, NUMBER, 0, 2, NULL, NULL},
    {"material", "air_drag", 0.1, NUMBER, 0, 2, NULL, NULL},
    {"material", "air_lift", 0.1, NUMBER, 0, 2, NULL, NULL},

    {"cloth", "mesh", 0.25, WORD, 0, 0, "sheet.obj ball.obj ball.ply", NULL},
    {"cloth", "units", 0.4, CALL, 0, 0, NULL, draw_units},
    {"cloth", "up", 0.4, WORD, 0, 0, "y z", NULL},
    {"cloth", "cells", 1, CALL, 0, 0, NULL, draw_cloth_cells},
    {"cloth", "size", 0.9, CALL, 0, 0, NULL, draw_sheet_size},
    {"cloth", "bend", 0.4, CALL, 0, 0, NULL, draw_bend},
    {"cloth", "model", 0.4, WORD, 0, 0, "distance strain strain stvk", NULL},
    {"cloth", "warp", 0.3, VECTOR, -1, 1, NULL, NULL},
    {"cloth", "weld", 0.3, CALL, 0, 0, NULL, draw_weld},
    {"cloth", "tether", 0.25, NUMBER, 0, 1.2, NULL, NULL},
    {"cloth", "tear", 0, CALL, 0, 0, NULL, draw_tear}, /* mend_weave draws it */
    {"tear", "stretch", 1, NUMBER, 1.02, 1.5, NULL, NULL},
    {"tear", "spare", 0.5, NUMBER, 0.1, 1, NULL, NULL},
    {"tear", "weak", 0.4, CALL, 0, 0, NULL, draw_weak},
    {"soft", "mesh", 0.25, WORD, 0, 0, "cube.node cube.ele cube.msh cube.vtk", NULL},
    {"soft", "units", 0.4, CALL, 0, 0, NULL, draw_units},
    {"soft", "up", 0.4, WORD, 0, 0, "y z", NULL},
    {"soft", "cells", 1, CALL, 0, 0, NULL, draw_soft_cells},
    {"soft", "size", 0.9, CALL, 0, 0, NULL, draw_lattice_size},
    {"soft", "visual", 0.2, WORD, 0, 0, "ball.obj ball.ply", NULL},
    {"soft", "mend", 0.2, BOOL, 0, 0, NULL, NULL},
    {"soft", "pressure", 0.08, CALL, 0, 0, NULL, draw_pressure},
    {"cloth", "pressure", 0.02, CALL, 0, 0, NULL, draw_pressure},
    {"soft", "model", 0.4, WORD, 0, 0, "distance neo_hookean neo_hookean corotated stvk strain", NULL},
    {"rope", "from", 1, VECTOR, -0.4, 0.1, NULL, NULL},
    {"rope", "to", 1, VECTOR, 0, 0.5, NULL, NULL},
    {"rope", "segments", 1, CALL, 0, 0, NULL, draw_segments},
    {"rope", "points", 0.3, CALL, 0, 0, NULL, draw_polyline},
    {"rope", "bend", 0.4, CALL, 0, 0, NULL, draw_bend},
    {"rope", "tether", 0.25, NUMBER, 0, 1.2, NULL, NULL},
    {"particles", "particles", 1, CALL, 0, 0, NULL, draw_particles},
    {"particle", "x", 1, VECTOR, -0.4, 0.4, NULL, NULL},
    {"particle", "v", 0.3, VECTOR, -2, 2, NULL, NULL},
    {"particle", "mass", 0.3, LOG, 0.01, 10, NULL, NULL},
    {"particle", "w", 0.1, NUMBER, 0, 10, NULL, NULL},

    {"body", "name", 0.4, CALL, 0, 0, NULL, draw_name},
    {"body", "material", 0.7, CALL, 0, 0, NULL, draw_material},
    {"body", "rotation", 0.4, CALL, 0, 0, NULL, draw_rotation},
    {"body", "scale", 0.15, CALL, 0, 0, NULL, draw_scale},
    {"body", "velocity", 0.4, VECTOR, -3, 3, NULL, NULL},
    {"body", "spin", 0.25, VECTOR, -5, 5, NULL, NULL},
    {"body", "masses", 0.1, CALL, 0, 0, NULL, draw_masses},
    {"body", "fixed", 0.06, BOOL, 0, 0, NULL, NULL},
    {"body", "self_contact", 0.3, BOOL, 0, 0, NULL, NULL},
    {"body", "contact_group", 0.2, COUNT, 1, 3, NULL, NULL},
    {"body", "contact_mask", 0.4, COUNT, 1, 3, NULL, NULL},
    {"body", "collider_mask", 0.1, COUNT, 0, 3, NULL, NULL},
    {"body", "look", 0.2, OBJECT, 0, 0, "look", NULL},
    {"body", "pins", 0.3, CALL, 0, 0, NULL, draw_pins},
    {"body", "attach", 0.15, CALL, 0, 0, NULL, draw_attach},
    {"body", "skin", 0.1, CALL, 0, 0, NULL, draw_skin},
    {"body", "frame", 0.08, OBJECT, 0, 0, "frame", NULL},
    {"body", "constraints", 0.2, CALL, 0, 0, NULL, draw_constraints},
    {"pin", "releasable", 0.4, BOOL, 0, 0, NULL, NULL},
    {"attachment", "soft", 0.5, CALL, 0, 0, NULL, draw_soft},
    {"baked_targets", "cache", 1, WORD, 0, 0, "moves.pc2 moves.mdd moves.glb moves.usda moves.abc", NULL},
    {"baked_targets", "map", 0.9, CALL, 0, 0, NULL, draw_map},
    {"baked_targets", "relative", 0.8, BOOL, 0, 0, NULL, NULL},
    {"baked_targets", "first_frame", 0.3, NUMBER, 0, 2, NULL, NULL},
    {"baked_targets", "fps", 0.3, NUMBER, 10, 60, NULL, NULL},
    {"baked_targets", "object", 0.2, WORD, 0, 0, "moving", NULL},
    {"baked_targets", "animation", 0.2, WORD, 0, 0, "go", NULL},
    {"baked_targets", "units", 0.3, CALL, 0, 0, NULL, draw_units},
    {"baked_targets", "up", 0.3, WORD, 0, 0, "y z", NULL},
    {"baked_pose", "cache", 1, WORD, 0, 0, "moves.pc2 moves.mdd moves.glb moves.usda moves.abc", NULL},
    {"baked_pose", "vertices", 0.5, CALL, 0, 0, NULL, draw_cache_vertices},
    {"baked_pose", "first_frame", 0.3, NUMBER, 0, 2, NULL, NULL},
    {"baked_pose", "fps", 0.3, NUMBER, 10, 60, NULL, NULL},
    {"baked_pose", "object", 0.2, WORD, 0, 0, "moving", NULL},
    {"baked_pose", "animation", 0.2, WORD, 0, 0, "go", NULL},
    {"baked_pose", "units", 0.3, CALL, 0, 0, NULL, draw_units},
    {"baked_pose", "up", 0.3, WORD, 0, 0, "y z", NULL},
    {"camera", "eye", 0.6, VECTOR, -3, 3, NULL, NULL},
    {"camera", "target", 0.9, VECTOR, 4, 5, NULL, NULL},
    {"camera", "fov", 0.3, NUMBER, 5, 120, NULL, NULL},
    {"camera", "from", 0.5, WORD, 0, 0, "auto front side top", NULL},
    {"camera", "follow", 0, CALL, 0, 0, NULL, draw_body_reference},

    {"look", "color", 0.6, WORD, 0, 0, "#c33 #2060A0 #fff", NULL},
    {"look", "roughness", 0.4, NUMBER, 0, 1, NULL, NULL},
    {"look", "pattern", 0.7, WORD, 0, 0, "plain checker stripes dots weave", NULL},
    {"look", "pattern_size", 0.4, LOG, 0.01, 1, NULL, NULL},
    {"look", "texture", 0.3, WORD, 0, 0, "four.png", NULL},
    {"gas", "ambient", 0.3, NUMBER, 0, 2e5, NULL, NULL},
    {"gas", "leak", 0.3, NUMBER, 0, 10, NULL, NULL},
    {"gas", "volume", 0.1, LOG, 1e-3, 0.1, NULL, NULL},
    {"mouth", "from", 0.5, NUMBER, 0, 0.2, NULL, NULL},
    {"mouth", "until", 0.4, NUMBER, 0.2, 0.4, NULL, NULL},
    {"mouth", "discharge", 0.5, NUMBER, 0, 1, NULL, NULL},
    {"mouth", "density", 0.4, LOG, 0.1, 100, NULL, NULL},
    {"rigid", "density", 0.3, NUMBER, 100, 3000, NULL, NULL},
    {"linear", "density", 0.3, NUMBER, 100, 3000, NULL, NULL},
    {"linear", "poisson", 0.3, NUMBER, 0, 0.45, NULL, NULL},
    {"linear", "hourglass", 0.3, NUMBER, 0.1, 3, NULL, NULL},
    {"linear", "yield", 0.3, LOG, 0.01, 0.5, NULL, NULL},
    {"linear", "creep", 0.3, LOG, 0.1, 100, NULL, NULL},
    {"linear", "hardening", 0.2, NUMBER, 0, 2, NULL, NULL},
    {"linear", "most", 0.2, NUMBER, 0.1, 1, NULL, NULL},
    {"quadratic", "density", 0.3, NUMBER, 100, 3000, NULL, NULL},
    {"quadratic", "poisson", 0.3, NUMBER, 0, 0.45, NULL, NULL},
    {"quadratic", "hourglass", 0.3, NUMBER, 0.1, 3, NULL, NULL},
    {"quadratic", "yield", 0.3, LOG, 0.01, 0.5, NULL, NULL},
    {"quadratic", "creep", 0.3, LOG, 0.1, 100, NULL, NULL},
    {"quadratic", "hardening", 0.2, NUMBER, 0, 2, NULL, NULL},
    {"quadratic", "most", 0.2, NUMBER, 0.1, 1, NULL, NULL},
    {"volume", "bulk", 0.5, LOG, 1e3, 1e10, NULL, NULL},
    {"frame", "keys", 1, CALL, 0, 0, NULL, draw_pose_keys},
    {"frame", "position", 0.4, VECTOR, -0.5, 1, NULL, NULL},
    {"frame", "rotation", 0.3, CALL, 0, 0, NULL, draw_rotation},
    {"frame", "linear_inertia", 0.5, NUMBER, 0, 1, NULL, NULL},
    {"frame", "angular_inertia", 0.5, NUMBER, 0, 1, NULL, NULL},
    {"frame", "centrifugal", 0.5, NUMBER, 0, 1, NULL, NULL},
    {"pose_key", "position", 0.8, VECTOR, -0.5, 0.5, NULL, NULL},
    {"pose_key", "rotation", 0.4, CALL, 0, 0, NULL, draw_rotation},

    {"plane", "normal", 0.5, VECTOR, 0.1, 1, NULL, NULL},
    {"plane", "offset", 0.5, NUMBER, -0.8, 0, NULL, NULL},
    {"sphere", "radius", 1, NUMBER, 0.05, 0.5, NULL, NULL},
    {"capsule", "radius", 1, NUMBER, 0.05, 0.3, NULL, NULL},
    {"capsule", "half_height", 1, NUMBER, 0.05, 0.4, NULL, NULL},
    {"box", "half_extent", 1, VECTOR, 0.05, 0.4, NULL, NULL},
    {"hull", "mesh", 0.3, WORD, 0, 0, "ball.obj ball.ply", NULL},
    {"hull", "points", 1, CALL, 0, 0, NULL, draw_hull_points},
    {"hull", "units", 0.4, CALL, 0, 0, NULL, draw_units},
    {"hull", "up", 0.4, WORD, 0, 0, "y z", NULL},
    {"hull", "scale", 0.3, NUMBER, 0.5, 2, NULL, NULL},
    {"mesh", "mesh", 0.4, WORD, 0, 0, "sheet.obj ball.obj ball.ply", NULL},
    {"mesh", "points", 1, CALL, 0, 0, NULL, draw_hull_points},
    {"mesh", "triangles", 1, CALL, 0, 0, NULL, draw_triangles},
    {"mesh", "units", 0.4, CALL, 0, 0, NULL, draw_units},
    {"mesh", "up", 0.4, WORD, 0, 0, "y z", NULL},
    {"mesh", "scale", 0.3, NUMBER, 0.5, 2, NULL, NULL},
    {"mesh", "two_sided", 0.4, BOOL, 0, 0, NULL, NULL},
    {"height_field", "heights", 1, CALL, 0, 0, NULL, draw_heights},
    {"height_field", "cell", 1, NUMBER, 0.1, 0.5, NULL, NULL},
    {"distance_field", "mesh", 0.7, WORD, 0, 0, "ball.obj ball.ply", NULL},
    {"distance_field", "units", 0.3, CALL, 0, 0, NULL, draw_units},
    {"distance_field", "up", 0.3, WORD, 0, 0, "y z", NULL},
    {"distance_field", "scale", 0.3, NUMBER, 0.5, 1.5, NULL, NULL},
    {"distance_field", "cell", 1, NUMBER, 0.05, 0.15, NULL, NULL},
    {"distance_field", "margin", 0.3, NUMBER, 0.14, 0.3, NULL, NULL},
    {"distance_field", "cache", 0.3, WORD, 0, 0, "kept.field", NULL},
    {"distance_field", "file", 1, WORD, 0, 0, "ball.field", NULL},
    {"collider", "name", 0.4, CALL, 0, 0, NULL, draw_name},
    {"collider", "position", 0.8, VECTOR, -0.4, 0.1, NULL, NULL},
    {"collider", "rotation", 0.3, CALL, 0, 0, NULL, draw_rotation},
    {"collider", "friction", 0.4, CALL, 0, 0, NULL, draw_friction},
    {"collider", "restitution", 0.3, NUMBER, 0, 1, NULL, NULL},
    {"collider", "thickness", 0.2, LOG, 1e-3, 3e-2, NULL, NULL},
    {"collider", "contact_group", 0.1, COUNT, 0, 3, NULL, NULL},
    {"collider", "contact_mask", 0.1, COUNT, 0, 3, NULL, NULL},
    {"collider", "stick", 0.1, BOOL, 0, 0, NULL, NULL},
    {"collider", "yields", 0.15, BOOL, 0, 0, NULL, NULL},
    {"collider", "keys", 0.25, CALL, 0, 0, NULL, draw_pose_keys},

    {"stitches", "pair", 0.6, WORD, 0, 0, "order along surface", NULL},
    {"stitches", "from", 0.5, NUMBER, 0, 0.1, NULL, NULL},
    {"stitches", "time", 0.7, NUMBER, 0, 0.2, NULL, NULL},
    {"stitches", "until", 0.2, NUMBER, 0.1, 0.3, NULL, NULL},
    {"stitches", "length", 0.3, NUMBER, 0, 0.05, NULL, NULL},
    {"stitches", "compliance", 0.4, LOG, 1e-6, 1e-2, NULL, NULL},
    {"stitches", "break", 0.3, LOG, 1e-2, 100, NULL, NULL},
    {"contact_pair", "ignore", 0.25, BOOL, 0, 0, NULL, NULL},
    {"contact_pair", "friction", 0.6, CALL, 0, 0, NULL, draw_friction},
    {"contact_pair", "restitution", 0.5, NUMBER, 0, 1, NULL, NULL},
    {"contact_pair", "adhesion", 0.3, LOG, 1e-3, 1, NULL, NULL},
    {"acceleration", "vector", 1, VECTOR, -5, 5, NULL, NULL},
    {"acceleration", "keys", 0.4, CALL, 0, 0, NULL, draw_force_keys},
    {"acceleration", "body", 0.4, CALL, 0, 0, NULL, draw_body_reference},
    {"body_force", "vector", 1, VECTOR, -2, 2, NULL, NULL},
    {"body_force", "keys", 0.3, CALL, 0, 0, NULL, draw_force_keys},
    {"body_force", "body", 0.4, CALL, 0, 0, NULL, draw_body_reference},
    {"wind", "velocity", 1, VECTOR, -8, 8, NULL, NULL},
    {"wind", "keys", 0.3, CALL, 0, 0, NULL, draw_wind_keys},
    {"wind", "gust", 0.5, NUMBER, 0, 5, NULL, NULL},
    {"wind", "gust_size", 0.4, LOG, 0.05, 5, NULL, NULL},
    {"wind", "gust_seed", 0.4, COUNT, 0, 100, NULL, NULL},
    {"wind", "air_density", 0.4, NUMBER, 0, 2, NULL, NULL},
    {"wind", "body", 0.4, CALL, 0, 0, NULL, draw_body_reference},
    {"acceleration", "center", 0.4, VECTOR, -0.5, 0.5, NULL, NULL},
    {"acceleration", "axis", 0.4, VECTOR, 0.1, 1, NULL, NULL},
    {"acceleration", "radius", 0.4, LOG, 0.1, 3, NULL, NULL},
    {"acceleration", "swirl", 0.4, NUMBER, -4, 4, NULL, NULL},
    {"acceleration", "pull", 0.4, NUMBER, -4, 4, NULL, NULL},
    {"acceleration", "box", 0.3, CALL, 0, 0, NULL, draw_box},
    {"acceleration", "sphere", 0.3, OBJECT, 0, 0, "ball", NULL},
    {"acceleration", "falloff", 0.3, NUMBER, 0, 1, NULL, NULL},
    {"wind", "center", 0.4, VECTOR, -0.5, 0.5, NULL, NULL},
    {"wind", "axis", 0.4, VECTOR, 0.1, 1, NULL, NULL},
    {"wind", "radius", 0.4, LOG, 0.1, 3, NULL, NULL},
    {"wind", "swirl", 0.4, NUMBER, -4, 4, NULL, NULL},
    {"wind", "pull", 0.4, NUMBER, -4, 4, NULL, NULL},
    {"wind", "box", 0.3, CALL, 0, 0, NULL, draw_box},
    {"wind", "sphere", 0.3, OBJECT, 0, 0, "ball", NULL},
    {"wind", "falloff", 0.3, NUMBER, 0, 1, NULL, NULL},
    {"ball", "center", 1, VECTOR, -0.5, 0.5, NULL, NULL},
    {"ball", "radius", 1, NUMBER, 0.1, 1, NULL, NULL},
    {"force_key", "vector", 0.7, VECTOR, -5, 5, NULL, NULL},
    {"force_key", "share", 0.5, NUMBER, -1, 1, NULL, NULL},
    {"wind_key", "velocity", 0.7, VECTOR, -8, 8, NULL, NULL},
    {"wind_key", "share", 0.5, NUMBER, 0, 1, NULL, NULL},
};

static json draw_value(drawer *d, const draw_row *row)
{
    switch (row->kind) {
    case NUMBER: return json_of_number(between(d, row->low, row->high));
    case LOG: return json_of_number(scaled(d, row->low, row->high));
    case COUNT: return json_of_number(row->low + below(d, (uint32_t)(row->high - row->low) + 1));
    case BOOL: return json_of_bool(often(d, 0.75));
    case WORD: return draw_word(d, row->words);
    case VECTOR: return draw_vector(d, row->low, row->high);
    case OBJECT: return draw_object(d, row->words);
    case LIST:
    case CALL: break;
    }
    return row->call(d);
}

static void draw_rows(drawer *d, json *into, const char *object)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].object, object) && often(d, rows[i].share)) json_put(into, rows[i].key, draw_value(d, &rows[i]));
}

/* ---- what goes without what ---- */

static void drop_keys(json *object, const char *keys)
{
    char word[64];
    for (const char *at = keys; *at; at += strcspn(at, " "), at += *at == ' ') {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(at, " "), at);
        json_drop_key(object, word);
    }
}

/* Where `key` is said, none of `others` is. */
static void without(drawer *d, json *object, const char *key, const char *others)
{
    if (json_find(object, key) && !often(d, 0.01)) drop_keys(object, others);
}

static void mend_law(drawer *d, json *law)
{
    const json *limit = json_find(law, "limit");
    if (limit && !strcmp(limit->text, "range")) {
        json range = json_empty(JSON_LIST);
        json_add(&range, json_of_number(between(d, 0.8, 1)));
        json_add(&range, json_of_number(between(d, 1, 1.2)));
        json_put(law, "range", range);
    }
    without(d, law, "stiffness", "compliance damping");
    if (json_find(law, "range") && !often(d, 0.05)) json_drop_key(law, "yield");
    if (!json_find(law, "yield") && !often(d, 0.005)) drop_keys(law, "creep hardening most");
    drawer own = aside_of(d, 2);
    if (!json_find(law, "compliance") || json_find(law, "stiffness") || !often(&own, 0.05)) return;
    if (!often(&own, 0.05)) drop_keys(law, "damping");
    if (often(&own, 0.7))
        json_put(law, "damping_time", json_of_number(scaled(&own, 1e-3, 1)));
    else
        json_put(law, "damping_ratio", json_of_number(between(&own, 0, 2)));
}

static void mend_method(drawer *d, json *solver)
{
    const json                *name = json_find(solver, "method");
    pliant_method              method = PLIANT_METHOD_GAUSS_SEIDEL;
    const pliant_setting_info *s;
    for (int m = 0; name && m < PLIANT_METHOD_COUNT; m++)
        if (!strcmp(pliant_method_describe((pliant_method)m)->name, name->text)) method = (pliant_method)m;
    for (uint32_t i = 0; (s = pliant_setting_at(i)); i++)
        if (!pliant_method_has(method, s->name) && !often(d, 0.005)) json_drop_key(solver, s->name);
    if (method != PLIANT_METHOD_GAUSS_SEIDEL && !often(d, 0.05)) json_drop_key(solver, "order");
}

static void mend_solver(drawer *d, json *solver)
{
    without(d, solver, "quality", "substeps substep iterations method integration");
    without(d, solver, "substep", "substeps");
    if (!json_find(solver, "substep") && !often(d, 0.02)) json_drop_key(solver, "substep_rest");
    const json *integration = json_find(solver, "integration");
    if (integration && !strcmp(integration->text, "bdf2") && !often(d, 0.05)) json_drop_key(solver, "sleep_speed");
    mend_method(d, solver);
}

/* What a law, if it says how stiff it is, goes without. */
static void measured_without(drawer *d, json *material, const char *key, const char *others)
{
    const json *law = json_find(material, key);
    const bool  stiff = law && (json_find(law, "compliance") || json_find(law, "stiffness") || json_find(law, "limit"));
    without(d, material, key, stiff ? others : "");
}

/* Damping in time, of materials whose laws say none. Drawn apart, without rows, which would draw all else anew. */
static void put_damping(const drawer *d, json *material)
{
    static const char *const laws[] = {"stretch", "shear", "bend", "area", "volume"};
    drawer                   own = aside_of(d, 16);
    if (!often(&own, 0.03)) return;
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) {
        json *law = json_find(material, laws[i]);
        if (law && law->type == JSON_OBJECT && !often(&own, 0.05)) drop_keys(law, "damping damping_time damping_ratio");
    }
    if (often(&own, 0.6))
        json_put(material, "damping_time", json_of_number(scaled(&own, 1e-4, 1)));
    else
        json_put(material, "damping_ratio", json_of_number(between(&own, 0, 2)));
}

static void mend_material(drawer *d, json *material)
{
    put_damping(d, material);
    measured_without(d, material, "stretch", "young poisson stretch_warp stretch_weft stretch_stiffness");
    measured_without(d, material, "volume", "young poisson");
    measured_without(d, material, "shear", "shear_stiffness");
    measured_without(d, material, "bend", "bending_rigidity");
    if (!json_find(material, "young") && !often(d, 0.05)) json_drop_key(material, "poisson");
    if (!json_find(material, "yield") && !often(d, 0.005)) drop_keys(material, "creep hardening most");
    if (!json_find(material, "stretch_warp") && !often(d, 0.05)) json_drop_key(material, "stretch_weft");
    drawer own = aside_of(d, 15);
    if (!json_find(material, "stretch_warp") || !often(&own, 0.3)) return;
    if (!often(&own, 0.03)) drop_keys(material, "stretch_warp stretch_weft");
    json_put(material, "stretch_stiffness", draw_threads(&own));
}

/* Keys of a material that have no effect on a type of body. */
static const char *const idle[][2] = {
    {"cloth", "volume young poisson rolling_friction"},
    {"soft", "shear bend area stretch_warp stretch_weft stretch_stiffness shear_stiffness bending_rigidity plane_poisson rolling_friction"},
    {"rope", "shear area volume young poisson stretch_warp stretch_weft stretch_stiffness shear_stiffness bending_rigidity plane_poisson "
             "air_drag air_lift"},
    {"particles",
     "damping_time damping_ratio stretch shear bend area volume young poisson stretch_warp stretch_weft stretch_stiffness shear_stiffness "
     "bending_rigidity plane_poisson "
     "rolling_friction air_drag air_lift"},
};

static void put_idle(drawer *d, json *body, const char *keys)
{
    json word = draw_word(d, keys);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!strcmp(rows[i].object, "material") && !strcmp(rows[i].key, word.text)) json_put(body, rows[i].key, draw_value(d, &rows[i]));
    /* These have no rows, which would draw all else anew. */
    if (!strcmp(word.text, "stretch_stiffness")) json_put(body, word.text, draw_threads(d));
    if (!strncmp(word.text, "damping_", 8)) json_put(body, word.text, json_of_number(scaled(d, 1e-3, 1)));
    json_clear(&word);
}

/* Cloth and ropes without a stiffness are rigid, and rigid things have no damping. */
static void mend_damping(drawer *d, json *material, const char *type)
{
    const bool stiff = json_find(material, "stretch") || json_find(material, "stretch_stiffness") || json_find(material, "stretch_warp");
    if (strcmp(type, "soft") != 0 && !stiff && !often(d, 0.05)) drop_keys(material, "damping_time damping_ratio");
}

/* Hardly a body says what has no effect on it, or has a picture that it cannot have. Drawn apart. Keys move where one is dropped before them. */
static void mend_acting(const drawer *d, json *body, const char *type)
{
    drawer     own = aside_of(d, 14);
    const bool clusters = json_find(body, "model") && !strcmp(json_find(body, "model")->text, "shape_matching");
    if (clusters) drop_keys(body, "young poisson");
    for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
        if (!strcmp(idle[i][0], type)) {
            drop_keys(body, idle[i][1]);
            mend_damping(&own, body, type);
            json *material = json_find(body, "material");
            if (material && material->type == JSON_OBJECT) drop_keys(material, idle[i][1]);
            if (material && material->type == JSON_OBJECT) mend_damping(&own, material, type);
            if (often(&own, type[0] == 'p' ? 0.03 : 0.01)) put_idle(&own, body, idle[i][1]);
        }
    json *look = json_find(body, "look");
    if (look && strcmp(type, "cloth") != 0 && !json_find(body, "visual") && !often(&own, 0.05)) drop_keys(look, "texture");
}

/* Point caches have no names. */
static void mend_baked(drawer *d, json *baked)
{
    const json *cache = json_find(baked, "cache");
    const bool  glb = cache && strstr(cache->text, ".glb");
    if (!glb && !often(d, 0.02)) json_drop_key(baked, "animation");
    if (!glb && !(cache && (strstr(cache->text, ".usda") || strstr(cache->text, ".abc"))) && !often(d, 0.02))
        json_drop_key(baked, "object");
}

static json draw_object(drawer *d, const char *object)
{
    json value = json_empty(JSON_OBJECT);
    draw_rows(d, &value, object);
    if (!strcmp(object, "bend")) draw_rows(d, &value, "law");
    if (!strcmp(object, "law") || !strcmp(object, "bend")) mend_law(d, &value);
    if (!strcmp(object, "solver")) mend_solver(d, &value);
    if (!strcmp(object, "material")) mend_material(d, &value);
    if (!strcmp(object, "particle")) without(d, &value, "w", "mass");
    if (!strncmp(object, "baked", 5)) mend_baked(d, &value);
    if (!strcmp(object, "baked_targets") && d->vertices < 8 && !often(d, 0.3)) json_put(&value, "map", json_of_text("nearest"));
    return value;
}

/* ---- bodies ---- */

static uint32_t vertices_of(const json *body, const char *type)
{
    const json *mesh = json_find(body, "mesh"), *cells = json_find(body, "cells");
    uint32_t    count = 1;
    if (mesh) return mesh->text[0] == 's' ? 9 : mesh->text[0] == 'b' ? 18 : 8;
    if (!strcmp(type, "particles")) return (uint32_t)json_find(body, "particles")->count;
    if (!strcmp(type, "rope") && json_find(body, "points")) return (uint32_t)json_find(body, "points")->count;
    if (!strcmp(type, "rope")) return (uint32_t)json_find(body, "segments")->number + 1;
    for (size_t k = 0; k < cells->count; k++) count *= (uint32_t)cells->items[k].number + 1;
    return count;
}

/* A texture goes without a pattern, on what has texture coordinates: a grid, or the sheet. */
static void mend_look(drawer *d, json *body, const char *type)
{
    json       *look = json_find(body, "look");
    const json *mesh = json_find(body, "mesh");
    if (!look || !json_find(look, "texture") || often(d, 0.03)) return;
    drop_keys(look, strcmp(type, "cloth") != 0 || (mesh && mesh->text[0] != 's') ? "texture" : "pattern");
}

/* A solid has no laws of edges and volumes: neither the body says any, nor the material, nor a preset that may have them. */
static void mend_model(drawer *d, json *body)
{
    static const char *const laws[] = {"preset", "stretch", "volume"};
    const json              *model = json_find(body, "model"), *material = json_find(body, "material");
    if (!model || model->text[0] == 'd' || often(d, 0.05)) return;
    bool has = material && material->type != JSON_OBJECT;
    for (int i = 0; i < 3; i++)
        has = has || json_find(body, laws[i]) || (material && material->type == JSON_OBJECT && json_find(material, laws[i]));
    if (has) {
        json_drop_key(body, "model");
        return;
    }
    drawer own = aside_of(d, 12);
    if (!often(&own, 0.3)) return;
    json_put(body, "tear", draw_tear(&own));
    drop_keys(body, "self_contact contact_mask pressure skin visual shape"); /* what tears has none of them */
}

/* A material's own yield is of neo-Hookean solids. */
static void mend_yield(drawer *d, json *body)
{
    const json *model = json_find(body, "model");
    if (!(model && model->text[0] == 'n') && !often(d, 0.2)) drop_keys(body, "yield creep hardening most");
}

/* Cloth with threads has stiffness along warp and weft, and a mesh, but for the sheet, which has texture coordinates, says where warp runs. */
static void mend_weave(drawer *d, json *body)
{
    const json *model = json_find(body, "model"), *mesh = json_find(body, "mesh");
    const bool  woven = model && model->text[0] == 's', meshed = mesh != NULL, ball = mesh && mesh->text[0] == 'b';
    if (often(d, 0.05)) return;
    drawer own = aside_of(d, 7);
    if (woven && often(&own, 0.4)) json_put(body, "tear", draw_tear(&own));
    if (json_find(body, "tear")) drop_keys(body, "tether self_contact contact_mask pressure skin"); /* what tears has none of them */
    if (!woven) {
        drop_keys(body, "warp plane_poisson");
        return;
    }
    drop_keys(body, "material stretch shear young poisson stretch_warp stretch_weft stretch_stiffness shear_stiffness");
    json_put(body, "material", draw_word(d, "cotton silk denim rubber_sheet"));
    if (!meshed) json_drop_key(body, "warp");
    if (ball && !json_find(body, "warp")) json_put(body, "warp", draw_vector(d, -1, 1));
}

/* Some ropes snap; these have no tethers. */
static void mend_rope(drawer *d, json *body)
{
    drawer own = aside_of(d, 10);
    json   law = json_empty(JSON_OBJECT);
    if (!often(&own, 0.15) || json_find(body, "stretch") || json_find(body, "material")) {
        json_clear(&law);
        return;
    }
    json_put(&law, "break", json_of_number(scaled(&own, 1, 1e3)));
    json_put(body, "stretch", law);
    json *bend = json_find(body, "bend");
    if (bend && bend->type == JSON_OBJECT && often(&own, 0.1)) json_put(bend, "break", json_of_number(10)); /* which is refused */
    if (!often(&own, 0.05)) json_drop_key(body, "tether");
}

static void mend_source(drawer *d, json *body, const char *type)
{
    without(d, body, "mesh", "cells size");
    without(d, body, "points", "from to segments");
    if (!json_find(body, "mesh") && !json_find(body, "visual")) drop_keys(body, "units up");
    if (!strcmp(type, "rope") && json_find(body, "bend") && !often(d, 0.05)) {
        const json *bend = json_find(body, "bend"), *model = bend->type == JSON_TEXT ? bend : json_find(bend, "model");
        if (model && model->text[0] != 'd' && model->text[0] != 'n') json_drop_key(body, "bend");
    }
    if (!strcmp(type, "rope")) mend_rope(d, body);
    mend_look(d, body, type);
    if (!json_find(body, "mesh") && !json_find(body, "points") && !json_find(body, "cells") && !strcmp(type, "soft"))
        json_put(body, "cells", draw_soft_cells(d));
}

/* Bodies of a scene lie apart, each in a room of its own, or close on each other. */
static json draw_place(drawer *d)
{
    const double side = d->close ? 0.02 : 0.3;
    const double x = between(d, -side, side), z = between(d, -side, side);
    return vector(x, (d->close ? 0.15 : 0.9) * d->bodies + 0.4 + between(d, 0, 0.02), z);
}

static void mend_contacts(drawer *d, json *body)
{
    const json *particles = json_find(body, "particles");
    for (size_t i = 0; particles && i < particles->count; i++)
        if (json_find(&particles->items[i], "w") && !often(d, 0.05)) json_drop_key(body, "masses");
    const json *self = json_find(body, "self_contact");
    if ((self || json_find(body, "contact_mask")) && !json_find(body, "thickness") && !often(d, 0.03))
        json_put(body, "thickness", json_of_number(scaled(d, 2e-3, 2e-2)));
    if (json_find(body, "fixed") && !often(d, 0.1)) drop_keys(body, "pins attach skin");
    if (d->close) json_drop_key(body, "rotation");
    without(d, body, "skin", "attach");
    json  *look = json_find(body, "look");
    drawer own = aside_of(d, 9);
    if (look && json_find(look, "texture") && !often(&own, 0.1)) json_drop_key(look, "pattern");
}

static void mend_free(json *body)
{
    drop_keys(body, "pins attach skin frame fixed self_contact contact_mask drag constraints tether");
    const json *particles = json_find(body, "particles");
    for (size_t i = 0; particles && i < particles->count; i++) drop_keys(&particles->items[i], "w");
}

static json draw_clusters(drawer *d)
{
    json clusters = json_empty(JSON_LIST);
    for (uint32_t i = 0, count = 1 + below(d, 3); i < count; i++) {
        json cluster = json_empty(JSON_LIST);
        for (uint32_t k = 0, members = 1 + below(d, 12); k < members; k++) json_add(&cluster, json_of_number(below(d, d->vertices)));
        json_add(&clusters, cluster);
    }
    return clusters;
}

static json draw_stiffness_keys(drawer *d)
{
    json   list = json_empty(JSON_LIST);
    double time = 0;
    for (uint32_t i = 0, keys = 1 + below(d, 3); i < keys; i++, time += between(d, 0.01, 0.1)) {
        json key = json_empty(JSON_OBJECT);
        json_put(&key, "time", json_of_number(time));
        json_put(&key, "young", json_of_number(between(d, 1e3, 2e5)));
        json_add(&list, key);
    }
    return list;
}

/* Drawn apart, so that all else is what it is without. */
static void put_shape(const drawer *of, json *body, const char *type)
{
    static const char *const kinds[] = {"rigid", "linear", "quadratic"};
    drawer                   own = *of, *d = &own;
    d->seed ^= UINT64_C(0x5deece66d);
    for (int i = 0; i < 8; i++) part(d);
    if (!often(d, 0.04)) return;
    const char *kind = kinds[below(d, 3)];
    json        shape = json_empty(JSON_OBJECT), group;
    if (often(d, 0.2))
        group = json_of_number(between(d, 1e3, 2e5));
    else {
        group = draw_object(d, kind);
        if (!json_find(&group, "yield")) drop_keys(&group, "creep hardening most");
        if (often(d, 0.3))
            json_put(&group, "keys", draw_stiffness_keys(d));
        else
            json_put(&group, "young", json_of_number(between(d, 1e3, 2e5)));
    }
    json_put(&shape, kind, group);
    const double wide = !often(d, 0.9) ? 1 : strcmp(type, "particles") == 0 ? 4 : 2; /* what has few particles in each cube is refused */
    if (often(d, 0.5))
        json_put(&shape, "cluster", json_of_number(wide * between(d, 0.15, 0.5)));
    else if (often(d, 0.4))
        json_put(&shape, "clusters", draw_clusters(d));
    json_put(body, "shape", shape);
    if ((strcmp(type, "soft") != 0 && strcmp(type, "cloth") != 0) || often(d, 0.5)) return;
    drop_keys(body,
              "material preset stretch shear bend area volume stretch_stiffness shear_stiffness bending_rigidity plane_poisson warp model");
    json_put(body, "model", json_of_text("shape_matching"));
}

static json draw_body(drawer *d)
{
    static const char *const types[] = {"cloth", "soft", "rope", "particles"};
    const char              *type = types[below(d, 4)];
    json                     body = json_empty(JSON_OBJECT), about = json_empty(JSON_OBJECT), material = json_empty(JSON_OBJECT);
    json_put(&body, "type", json_of_text(type));
    draw_rows(d, &body, type);
    mend_source(d, &body, type);
    d->vertices = vertices_of(&body, type);
    draw_rows(d, &about, "body");
    json_put(&about, "position", draw_place(d));
    if (often(d, 0.3)) material = draw_object(d, "material");
    if (often(d, 0.98)) json_drop_key(&material, json_find(&body, "bend") ? "bending_rigidity" : "");
    if (!strcmp(type, "cloth") || !strcmp(type, "rope")) json_drop_key(&material, "bend");
    for (size_t i = 0; i < material.count; i++) json_put(&about, material.keys[i], json_copy(&material.items[i]));
    for (size_t i = 0; i < about.count; i++) json_put(&body, about.keys[i], json_copy(&about.items[i]));
    if (!strcmp(type, "soft")) mend_model(d, &body);
    mend_yield(d, &body);
    if (!strcmp(type, "cloth")) mend_weave(d, &body);
    json_clear(&material);
    json_clear(&about);
    mend_contacts(d, &body);
    if (d->theme == SCENE_FREE) mend_free(&body);
    put_shape(d, &body, type);
    mend_acting(d, &body, type);
    const json *name = json_find(&body, "name");
    snprintf(d->body[d->bodies].name, sizeof d->body->name, "%s", name ? name->text : "");
    d->body[d->bodies++].vertices = d->vertices;
    return body;
}

/* ---- colliders ---- */

static void mend_collider(drawer *d, json *collider, const char *type)
{
    without(d, collider, "normal", "position rotation");
    without(d, collider, "offset", "position rotation");
    if (!strcmp(type, "distance_field")) {
        without(d, collider, "mesh", "file");
        without(d, collider, "file", "mesh units up scale cell margin cache");
        return;
    }
    without(d, collider, "mesh", "points triangles");
    if (!json_find(collider, "mesh")) drop_keys(collider, "units up");
}

static const char *const collider_types[] = {"plane", "sphere", "capsule", "box", "hull", "mesh", "height_field", "distance_field"};
enum { COLLIDER_TYPES = sizeof collider_types / sizeof *collider_types };

static json draw_collider_of(drawer *d, const char *type)
{
    json collider = json_empty(JSON_OBJECT);
    json_put(&collider, "type", json_of_text(type));
    draw_rows(d, &collider, type);
    draw_rows(d, &collider, "collider");
    mend_collider(d, &collider, type);
    const json *name = json_find(&collider, "name");
    snprintf(d->collider[d->colliders].name, sizeof d->collider->name, "%s", name ? name->text : "");
    d->colliders++;
    return collider;
}

static json draw_collider(drawer *d) { return draw_collider_of(d, collider_types[below(d, COLLIDER_TYPES)]); }

/* ---- numbers at the ends ---- */

static const double      odd_numbers[] = {0,   -0.0, 1,   -1,   1e-45, 1e-38, -1e-38, 1e-30, 1e-15, 1e-9,  1e-6,  1e3,
                                          1e6, -1e6, 1e9, 1e15, -1e15, 1e30,  3e38,   -3e38, 1e39,  1e300, 5e-324};
static const char *const odd_texts[] = {"nan", "NaN", ".nan", "inf", "1e5x", "0x10", "", "-"};

static const double none[] = {NAN, INFINITY, -INFINITY};
enum { ODD_NUMBERS = sizeof odd_numbers / sizeof *odd_numbers, ODD_TEXTS = sizeof odd_texts / sizeof *odd_texts, NONE = 3 };

bool scene_odd(size_t index, json *odd)
{
    if (index >= ODD_NUMBERS + NONE + ODD_TEXTS) return false;
    *odd = index < ODD_NUMBERS          ? json_of_number(odd_numbers[index])
           : index < ODD_NUMBERS + NONE ? json_of_number(none[index - ODD_NUMBERS])
                                        : json_of_text(odd_texts[index - ODD_NUMBERS - NONE]);
    return true;
}

static json draw_odd(drawer *d)
{
    if (often(d, 0.04)) return json_of_text(odd_texts[below(d, ODD_TEXTS)]);
    if (often(d, 0.04)) return json_of_number(none[below(d, NONE)]);
    const double odd = odd_numbers[below(d, ODD_NUMBERS)];
    return json_of_number(odd * (often(d, 0.5) ? 1 : between(d, 0.1, 1)));
}

static void make_odd(drawer *d, json *value, double share)
{
    if (value->type == JSON_NUMBER && often(d, share)) {
        *value = draw_odd(d);
        return;
    }
    for (size_t i = 0; i < value->count; i++) make_odd(d, &value->items[i], share);
}

/* ---- scenes ---- */

enum scene_theme scene_theme_of(uint64_t number) { return number % 5 == 3 ? SCENE_FREE : number % 5 == 4 ? SCENE_ODD : SCENE_ANY; }

static void mend_free_scene(json *scene)
{
    drop_keys(scene, "colliders contact_pairs forces constraints");
    json *solver = json_find(scene, "solver"), *materials = json_find(scene, "materials");
    if (solver) drop_keys(solver, "drag sleep_speed max_speed");
    for (size_t i = 0; materials && i < materials->count; i++) drop_keys(&materials->items[i], "drag");
}

static drawer begin(uint64_t number)
{
    drawer d = {.seed = number * UINT64_C(0x9e3779b97f4a7c15) + 1};
    for (int i = 0; i < 8; i++) part(&d);
    return d;
}

static json *empty_scene(void)
{
    json *scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    *scene = json_empty(JSON_OBJECT);
    json_put(scene, "pliant", json_of_number(1));
    return scene;
}

json *scene_draw_collider(uint32_t type, uint64_t number)
{
    static const char *const bodies[] = {"particles", "cloth"};
    drawer                   d = begin(number);
    json                    *scene = empty_scene(), list = json_empty(JSON_LIST), colliders = json_empty(JSON_LIST);
    if (type >= COLLIDER_TYPES) return json_free(scene), NULL;
    for (int i = 0; i < 2; i++) {
        json body = json_empty(JSON_OBJECT);
        json_put(&body, "type", json_of_text(bodies[i]));
        if (i)
            json_put(&body, "cells", draw_counts(&d, 2, 1, 3));
        else
            json_put(&body, "particles", draw_particles(&d));
        json_add(&list, body);
    }
    json_add(&colliders, draw_collider_of(&d, collider_types[type]));
    json_put(scene, "bodies", list);
    json_put(scene, "colliders", colliders);
    return scene;
}

/* What tears is solved by one method, in its own order. */
static void mend_tears(json *scene)
{
    const json *solver = json_find(scene, "solver"), *method = solver ? json_find(solver, "method") : NULL,
               *order = solver ? json_find(solver, "order") : NULL;
    json      *bodies = json_find(scene, "bodies");
    const bool takes = (!method || !strcmp(method->text, "gauss_seidel")) && (!order || strcmp(order->text, "given") != 0);
    for (size_t i = 0; !takes && bodies && i < bodies->count; i++) json_drop_key(&bodies->items[i], "tear");
}

/* Of a scene in which something tears; some are of one body, which mostly does. */
static void add_cuts(const drawer *d, json *scene)
{
    const json *bodies = json_find(scene, "bodies");
    drawer      own = aside_of(d, 13);
    uint32_t    body = 0;
    bool        tears = false;
    for (uint32_t i = 0; bodies && i < bodies->count && !tears; i++)
        if (json_find(&bodies->items[i], "tear")) {
            tears = true;
            body = often(&own, 0.97) ? i : 0;
        }
    if (!often(&own, tears ? 0.6 : 0.005)) return;
    json cuts = draw_cuts(&own);
    for (size_t i = 0; i < cuts.count; i++)
        if (often(&own, 0.4))
            json_put(&cuts.items[i], "body",
                     d->body[body].name[0] && often(&own, 0.5) ? json_of_text(d->body[body].name) : json_of_number(body));
    json_put(scene, "cuts", cuts);
}

json *scene_draw(uint64_t number)
{
    drawer d = begin(number);
    json  *scene = empty_scene();
    d.theme = scene_theme_of(number);
    d.close = often(&d, 0.35);
    draw_rows(&d, scene, "scene");
    if (number % 16) mend_tears(scene);
    add_cuts(&d, scene);
    if (d.theme == SCENE_FREE) mend_free_scene(scene);
    if (d.theme == SCENE_ODD) {
        if (!json_find(scene, "colliders")) json_put(scene, "colliders", draw_colliders(&d));
        make_odd(&d, json_find(scene, "colliders"), scaled(&d, 0.03, 0.5));
    }
    return scene;
}
