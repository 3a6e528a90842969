/* pliant check: validates a scene and says what it would simulate. */
#include "crossings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct check_options {
    cli_operands operands;
    bool         json, mend;
    const char  *order;
    const char  *root;
} check_options;

static const cli_option options[] = {
    {.name = "json", .type = CLI_FLAG, .offset = offsetof(check_options, json), .text = "print it as one line of JSON"},
    {.name = "order",
     .type = CLI_WORD,
     .value = "ORDER",
     .words = "given",
     .offset = offsetof(check_options, order),
     .text = "given: as if the scene said so"},
    CLI_OPTION_MEND(check_options),
    CLI_OPTION_ROOT(check_options),
};

/* A question about crossing bodies as the scene begins, and the message on each two. */
typedef struct question {
    pliant_code (*ask)(const pliant_state *state, pliant_crossing *out, uint32_t capacity, uint32_t *count);
    const char *text; /* of the file, two bodies, and how many pairs */
} question;

enum { CROSSINGS, HELD, QUESTIONS };
static const question questions[QUESTIONS] = {
    [CROSSINGS] = {pliant_state_crossings,
                   "%.200s: %s cut through each other at the start, in %u pairs of triangles, and will stay so; move them apart "
                   "(docs/contact.md)"},
    [HELD] = {pliant_state_held,
              "%.200s: %s are held nearer than they are thick, in %u pairs of triangles, and are let be there; hold them farther apart, or "
              "make them thinner (docs/contact.md)"},
};

/* A closed part of a body's surface that is filled. */
typedef struct filled {
    uint32_t         body; /* of the model's */
    pliant_group_now now;
} filled;

typedef struct start {
    pliant_crossing *found[QUESTIONS];
    uint32_t         count[QUESTIONS];
    cli_inside      *inside;
    uint32_t         inside_count;
    filled          *parts;
    uint32_t         part_count;
} start;

static pliant_code ask(const pliant_state *state, int which, start *out)
{
    uint32_t    count = 0;
    pliant_code code = questions[which].ask(state, NULL, 0, &count);
    if (code != PLIANT_OK || !count) return code;
    out->found[which] = calloc(count, sizeof *out->found[which]);
    out->count[which] = out->found[which] ? count : 0;
    return out->found[which] ? questions[which].ask(state, out->found[which], count, &count) : PLIANT_ERROR_MEMORY;
}

/* Lists the parts of all bodies that are filled, by body; false: out of memory. */
static bool find_filled(const pliant_model *model, const pliant_state *state, start *out)
{
    for (uint32_t i = 0; i < pliant_model_body_count(model); i++) {
        filled part = {.body = i};
        for (uint32_t k = 0; pliant_state_group(state, pliant_model_body_at(model, i).body, k, &part.now) == PLIANT_OK; k++) {
            filled *more = realloc(out->parts, ((size_t)out->part_count + 1) * sizeof *more);
            if (!more) return false;
            out->parts = more;
            out->parts[out->part_count++] = part;
        }
    }
    return true;
}

static bool look_at_start(const pliant_model *model, start *out, pliant_error *error)
{
    pliant_state *state = pliant_state_create(model, error);
    pliant_code   code = state ? PLIANT_OK : PLIANT_ERROR_MEMORY;
    for (int i = 0; i < QUESTIONS && code == PLIANT_OK; i++) code = ask(state, i, out);
    if (code == PLIANT_OK && !find_filled(model, state, out)) code = PLIANT_ERROR_MEMORY;
    if (code != PLIANT_OK) error->code = code;
    pliant_state_destroy(state);
    return code == PLIANT_OK && cli_find_inside(model, &out->inside, &out->inside_count, error);
}

static void note_start(const char *path, const pliant_model *model, const start *s)
{
    char text[512], bodies[160];
    cli_note_inside(path, model, s->inside, s->inside_count);
    for (int k = 0; k < QUESTIONS; k++)
        for (uint32_t i = 0; i < s->count[k]; i++) {
            snprintf(text, sizeof text, questions[k].text, path, cli_two_bodies(model, s->found[k][i].bodies, bodies, sizeof bodies),
                     s->found[k][i].count);
            cli_print_notice(text, NULL);
        }
}

/* Whether bodies with particles that begin aside were noted already, as bodies that cut through each other. */
static bool crosses(const start *s, pliant_parted p)
{
    for (uint32_t i = 0; i < s->count[CROSSINGS]; i++) {
        const pliant_body *b = s->found[CROSSINGS][i].bodies;
        if ((b[0].id == p.body.id && b[1].id == p.other.id) || (b[1].id == p.body.id && b[0].id == p.other.id)) return true;
    }
    return false;
}

static void print_pairs(const char *name, const pliant_model *model, const pliant_crossing *found, uint32_t count)
{
    printf("\"%s\": [", name);
    for (uint32_t i = 0; i < count; i++) {
        printf("%s{\"bodies\": [", i ? ", " : "");
        for (int k = 0; k < 2; k++) {
            if (k) printf(", ");
            cli_print_json_text(pliant_model_body(model, found[i].bodies[k]).name);
        }
        printf("], \"%s\": %u}", name, found[i].count);
    }
    printf("], ");
}

static void print_filled_parts(const pliant_model *model, const start *s)
{
    printf("\"filled\": [");
    for (uint32_t i = 0; i < s->part_count; i++) {
        printf("%s{\"body\": ", i ? ", " : "");
        cli_print_json_text(pliant_model_body_at(model, s->parts[i].body).name);
        printf(", \"kind\": \"%s\", \"volume\": ", pliant_group_describe(s->parts[i].now.kind)->name);
        cli_print_json_number(s->parts[i].now.rest, 9);
        printf("}");
    }
    printf("], ");
}

static void print_inside(const pliant_model *model, const start *s)
{
    printf("\"inside\": [");
    for (uint32_t i = 0; i < s->inside_count; i++) {
        const cli_inside *in = &s->inside[i];
        printf("%s{\"body\": ", i ? ", " : "");
        cli_print_json_text(pliant_model_body(model, in->body).name);
        if (in->other.id) printf(", \"other\": "), cli_print_json_text(pliant_model_body(model, in->other).name);
        if (in->collider.id) printf(", \"collider\": %u", in->collider.id - 1);
        printf(", \"vertices\": %u, \"depth\": ", in->count);
        cli_print_json_number(in->depth, 9);
        printf("}");
    }
    printf("], ");
}

typedef struct totals {
    size_t   model, state;
    uint64_t pc2, csv; /* bytes per frame */
} totals;

/* Bytes of one more frame. */
static uint64_t frame_bytes(const pliant_model *model, const char *path)
{
    pliant_write_def def = pliant_write_def_default();
    uint64_t         bytes[2] = {0, 0};
    for (uint32_t i = 0; i < 2; i++) {
        def.frames = 1 + i;
        if (pliant_writer_estimate(path, model, &def, &bytes[i], NULL, NULL) != PLIANT_OK) return 0;
    }
    return bytes[1] - bytes[0];
}

static totals measure(const pliant_model *model)
{
    totals t = {0, pliant_model_state_size(model), frame_bytes(model, "a.pc2"), frame_bytes(model, "a.csv")};
    pliant_model_data(model, &t.model);
    return t;
}

static const char *const type_names[] = {"cloth", "soft", "rope", "particles"};

enum { MOST_PARTS_SAID = 8 };

/* Prints what fills the closed parts of a body. */
static void print_filled(const start *begun, uint32_t body)
{
    uint32_t count = 0, said = 0;
    for (uint32_t i = 0; i < begun->part_count; i++) count += begun->parts[i].body == body;
    if (!count) return;
    printf("  %-16s filled: %u closed part%s, of", "", count, count == 1 ? "" : "s");
    for (uint32_t i = 0; i < begun->part_count && said < MOST_PARTS_SAID; i++) {
        const filled *part = &begun->parts[i];
        if (part->body != body) continue;
        printf("%s %.4g m3 (%s)", said++ ? "," : "", part->now.rest, pliant_group_describe(part->now.kind)->name);
    }
    if (count > said) printf(" and %u more", count - said);
    printf("\n");
}

static void print_bodies(const pliant_model *model, const start *begun, double substep, uint32_t iterations)
{
    double  *crossing = cli_crossing_substeps(model, substep, iterations);
    uint32_t count = pliant_model_body_count(model);
    printf("%u bod%s\n", count, count == 1 ? "y" : "ies");
    for (uint32_t i = 0; i < count; i++) {
        pliant_body_info b = pliant_model_body_at(model, i);
        printf("  %-16s %s, %u vertices, %u particles, %u faces, %.4g kg", b.name, type_names[b.type], b.vertex_count, b.particle_count,
               b.face_count, b.mass);
        if (b.spare_count) printf(", %u of the vertices stand by for tears", b.spare_count);
        const pliant_shape_clusters c = pliant_model_shape_clusters(model, b.body);
        if (c.count) printf(", %u cluster%s", c.count, c.count == 1 ? "" : "s");
        if (b.surface_vertex_count != b.vertex_count) printf(", visual surface of %u vertices", b.surface_vertex_count);
        if (b.target_count) printf(", %u attached", b.target_count);
        if (b.skin_count) printf(", %u skinned", b.skin_count);
        if (b.material && *b.material) printf(", %s", b.material);
        if (crossing && crossing[i] > 0) printf(", a wave takes %.2g substeps from edge to edge", crossing[i]);
        if (b.tether > 0) printf(", tethers %.4g", (double)b.tether);
        if (b.self_contact) printf(", meets itself");
        if (b.contact_mask) printf(", of groups %u, meets groups %u", b.contact_group, b.contact_mask);
        if (b.collider_mask != UINT32_MAX) printf(", meets colliders of groups %u", b.collider_mask);
        printf("\n");
        print_filled(begun, i);
    }
    free(crossing);
}

static const char *name_or_dash(const char *name) { return name && *name ? name : "-"; }

/* The name of the other one in a body's contact pair. */
static const char *other_name(const pliant_model *model, const pliant_contact_pair_def *pair, char out[64])
{
    const char *name = pair->collider.id ? "" : pliant_model_body(model, pair->other).name;
    for (uint32_t i = 0; pair->collider.id && i < pliant_model_collider_count(model); i++) {
        pliant_collider           id;
        const pliant_collider_def c = pliant_model_collider_at(model, i, &id);
        if (id.id == pair->collider.id) name = memcpy(out, c.name, sizeof c.name);
    }
    return name_or_dash(name);
}

static void print_contact_pairs(const pliant_model *model)
{
    const uint32_t count = pliant_model_contact_pair_count(model);
    if (count) printf("%u contact pair%s\n", count, count == 1 ? "" : "s");
    for (uint32_t i = 0; i < count; i++) {
        const pliant_contact_pair_def p = pliant_model_contact_pair_at(model, i);
        char                          name[64] = "";
        printf("  %-16s %s %s%s", pliant_model_body(model, p.body).name, p.ignore ? "ignores" : "and", p.collider.id ? "collider " : "",
               other_name(model, &p, name));
        if (p.friction_static >= 0) printf(", friction %.4g", (double)p.friction_static);
        if (p.friction_dynamic >= 0 && p.friction_dynamic != p.friction_static) printf(", moving %.4g", (double)p.friction_dynamic);
        if (p.restitution >= 0) printf(", restitution %.4g", (double)p.restitution);
        if (p.adhesion > 0) printf(", adhesion %.4g N", (double)p.adhesion);
        printf("\n");
    }
}

/* "10 substeps", "17 substeps of 0.00098 s (of at most 0.001 s)", "substeps of 0.001 s (what they leave of a frame is carried over)" */
static void print_substeps(const pliant_model *model, double fps)
{
    const double   most = pliant_model_settings(model).substep;
    const uint32_t count = pliant_model_substeps(model, 1 / fps);
    if (!count)
        printf("substeps of %g s (what they leave of a frame is carried over)", most);
    else if (most > 0)
        printf("%u substep%s of %.4g s (of at most %g s)", count, count == 1 ? "" : "s", cli_substep_of(model, fps), most);
    else
        printf("%u substeps", count);
}

static const char *const quality_names[] = {"", "preview", "good", "final"}; /* in the order of pliant_quality */

/* Whether one of the scene's forces acts on a body that has tethers. */
static bool pulls_a_tethered_body(const pliant_model *model)
{
    for (uint32_t f = 0; f < pliant_model_force_count(model); f++) {
        const pliant_force_def force = pliant_model_force_at(model, f, NULL);
        for (uint32_t i = 0; i < pliant_model_body_count(model); i++) {
            const pliant_body_info b = pliant_model_body_at(model, i);
            const bool             felt = force.type != PLIANT_FORCE_WIND || b.face_count > 0;
            if (b.tether > 0 && felt && (!force.body.id || force.body.id == b.body.id)) return true;
        }
    }
    return false;
}

/* Prints the substeps and tethers that the quality chose, and why. */
static void print_quality(const pliant_model *model)
{
    const pliant_scene_def s = pliant_model_settings(model);
    const uint32_t         across = pliant_model_edges_across(model);
    const char            *reason = pliant_model_quality_reason(model);
    const bool             by_edges = s.quality != PLIANT_QUALITY_PREVIEW && !pliant_model_wave_substeps(model);
    uint32_t               tethered = 0;
    if (s.quality == PLIANT_QUALITY_GIVEN) return;
    for (uint32_t i = 0; i < pliant_model_body_count(model); i++) tethered += pliant_model_body_at(model, i).tether > 0;
    printf("quality %s: %u substeps", quality_names[s.quality], s.substeps);
    if (pliant_model_wave_substeps(model)) printf(", for the waves in soft bodies");
    if (by_edges && across) printf(", for %u edges across the finest cloth or rope", across);
    if (*reason) printf(", %s", reason);
    if (by_edges && !across) printf(", for there is no cloth or rope");
    if (tethered)
        printf("; tethers of %u bod%s on pins by weight %s", tethered, tethered == 1 ? "y that hangs" : "ies that hang",
               pulls_a_tethered_body(model) ? "and steady forces" : "alone");
    printf("\n");
}

static void print_text(const char *path, const pliant_model_file *file, const start *begun)
{
    const pliant_model *model = file->model;
    pliant_scene_def    s = pliant_model_settings(model);
    totals              t = measure(model);
    printf("%s: good\n", path);
    printf("%u frames at %g Hz, ", file->frames, file->fps);
    print_substeps(model, file->fps);
    printf(" of %u iterations, order %s\n", s.iterations, s.order == PLIANT_ORDER_GIVEN ? "given" : "colour");
    print_quality(model);
    print_bodies(model, begun, cli_substep_of(model, file->fps), pliant_model_settings(model).iterations);
    printf("%u particles\n%u constraints in %u waves\n", pliant_model_particle_count(model),
           pliant_model_constraint_count(model, PLIANT_CONSTRAINT_COUNT), pliant_model_wave_count(model));
    for (int k = 0; k < PLIANT_CONSTRAINT_COUNT; k++) {
        uint32_t n = pliant_model_constraint_count(model, (pliant_constraint_kind)k);
        if (n) printf("  %-16s %u\n", pliant_constraint_describe((pliant_constraint_kind)k)->name, n);
    }
    const uint32_t stitches = pliant_model_stitch_count(model);
    if (stitches) printf("%u stitch%s\n", stitches, stitches == 1 ? "" : "es");
    printf("%u colliders\n", pliant_model_collider_count(model));
    for (uint32_t i = 0; i < pliant_model_collider_count(model); i++) {
        pliant_collider     id;
        pliant_collider_def c = pliant_model_collider_at(model, i, &id);
        printf("  %-16s %s%s\n", name_or_dash(c.name), pliant_shape_name(c.shape), c.stick ? ", sticky" : c.yields ? ", yields" : "");
    }
    print_contact_pairs(model);
    printf("%u forces\n", pliant_model_force_count(model));
    printf("memory: model %zu bytes, state %zu bytes\n", t.model, t.state);
    printf("a frame: %llu bytes as .pc2, about %llu bytes as .csv\n", (unsigned long long)t.pc2, (unsigned long long)t.csv);
}

static void print_json(const char *path, const pliant_model_file *file, const start *begun)
{
    const pliant_model *model = file->model;
    pliant_scene_def    s = pliant_model_settings(model);
    totals              t = measure(model);
    printf("{\"scene\": ");
    cli_print_json_text(path);
    printf(", \"frames\": %u, \"fps\": %.17g, \"substeps\": %u, \"substep\": %.17g, \"iterations\": %u, \"order\": \"%s\", \"quality\": "
           "\"%s\", \"bodies\": [",
           file->frames, file->fps, pliant_model_substeps(model, 1 / file->fps), cli_substep_of(model, file->fps), s.iterations,
           s.order == PLIANT_ORDER_GIVEN ? "given" : "colour", s.quality == PLIANT_QUALITY_GIVEN ? "given" : quality_names[s.quality]);
    for (uint32_t i = 0; i < pliant_model_body_count(model); i++) {
        pliant_body_info b = pliant_model_body_at(model, i);
        printf("%s{\"name\": ", i ? ", " : "");
        cli_print_json_text(b.name);
        printf(", \"type\": \"%s\", \"vertices\": %u, \"particles\": %u, \"surface_vertices\": %u, \"faces\": %u, \"mass\": ",
               type_names[b.type], b.vertex_count, b.particle_count, b.surface_vertex_count, b.face_count);
        cli_print_json_number(b.mass, 17);
        printf(", \"spare_vertices\": %u, \"clusters\": %u, \"thickness\": ", b.spare_count,
               pliant_model_shape_clusters(model, b.body).count);
        cli_print_json_number((double)b.thickness, 9);
        printf(", \"tether\": ");
        cli_print_json_number((double)b.tether, 9);
        printf(", \"self_contact\": %s, \"contact_group\": %u, \"contact_mask\": %u, \"collider_mask\": %u}",
               b.self_contact ? "true" : "false", b.contact_group, b.contact_mask, b.collider_mask);
    }
    printf("], \"particles\": %u, \"constraints\": %u, \"waves\": %u, \"kinds\": {", pliant_model_particle_count(model),
           pliant_model_constraint_count(model, PLIANT_CONSTRAINT_COUNT), pliant_model_wave_count(model));
    for (int k = 0; k < PLIANT_CONSTRAINT_COUNT; k++)
        printf("%s\"%s\": %u", k ? ", " : "", pliant_constraint_describe((pliant_constraint_kind)k)->name,
               pliant_model_constraint_count(model, (pliant_constraint_kind)k));
    printf("}, ");
    print_pairs("crossings", model, begun->found[CROSSINGS], begun->count[CROSSINGS]);
    print_pairs("held", model, begun->found[HELD], begun->count[HELD]);
    printf("\"parted\": %u, ", pliant_model_parted(model).count);
    print_inside(model, begun);
    print_filled_parts(model, begun);
    printf("\"stitches\": %u, ", pliant_model_stitch_count(model));
    printf("\"colliders\": %u, \"forces\": %u, \"contact_pairs\": %u, \"model_bytes\": %zu, \"state_bytes\": %zu, "
           "\"pc2_bytes_per_frame\": %llu, "
           "\"model_hash\": \"%016llx\"}\n",
           pliant_model_collider_count(model), pliant_model_force_count(model), pliant_model_contact_pair_count(model), t.model, t.state,
           (unsigned long long)t.pc2, (unsigned long long)pliant_model_hash(model));
}

static int check(const check_options *o, const char *path)
{
    pliant_error      error = {0};
    pliant_model_file file;
    pliant_read_def   def = pliant_read_def_default();
    def.allocator = cli_memory();
    def.reads = cli_note_read;
    def.mend = o->mend;
    def.root = o->root;
    def.order_given = o->order != NULL;
    def.notice = cli_print_notice;
    if (pliant_model_read(path, &def, &file, &error) != PLIANT_OK) return cli_fail(&error);
    start begun = {.count = {0}};
    bool  good = cli_takes(&file, path, &error) && look_at_start(file.model, &begun, &error);
    if (!good && !*error.path) snprintf(error.path, sizeof error.path, "%.255s", path);
    int code = good ? CLI_GOOD : cli_fail(&error);
    if (good && o->json) print_json(path, &file, &begun);
    if (good && !o->json) print_text(path, &file, &begun);
    if (good) note_start(path, file.model, &begun);
    if (good) {
        const pliant_scene_def s = pliant_model_settings(file.model);
        cli_note_relaxation(path, file.model, &s.method, s.iterations);
        cli_note_substeps(path, file.model);
        cli_note_soft(path, file.model, &s.method, cli_substep_of(file.model, file.fps), s.iterations);
        if (!crosses(&begun, pliant_model_parted(file.model))) cli_note_parted(path, file.model);
    }
    for (int i = 0; i < QUESTIONS; i++) free(begun.found[i]);
    free(begun.inside);
    free(begun.parts);
    pliant_model_close(&file);
    return code;
}

/* All of them, whatever is wrong with one; it ends as the first that is not good. */
static int run(const void *given)
{
    const check_options *o = given;
    int                  code = CLI_GOOD;
    for (int i = 0; i < o->operands.count; i++) {
        const int this = check(o, o->operands.operand[i]);
        if (code == CLI_GOOD) code = this;
    }
    return code;
}

const cli_verb cli_check = {
    "check",
    "SCENE...",
    1,
    CLI_MAX_OPERANDS,
    "validate a scene and say what it would simulate",
    "Reads and compiles a scene as run does, and prints its bodies, constraints, colliders, memory and output sizes.\nSimulates and "
    "writes nothing. Of several scenes each is checked; it ends as the first that is not good.",
    CLI_OPTIONS(options),
    sizeof(check_options),
    run};
