/* See scene_laws.h. */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "scene_laws.h"

#include "base/hash.h"
#include "files.h"
#include "scene_draw.h"
#include "trial.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- asking a scene ---- */

static bool is_one_of(const char *key, const char *keys)
{
    const size_t length = strlen(key);
    for (const char *at = keys; (at = strstr(at, key)); at++)
        if ((at == keys || at[-1] == ' ') && (at[length] == 0 || at[length] == ' ')) return true;
    return false;
}

bool scene_says(const json *scene, const char *keys)
{
    for (size_t i = 0; i < scene->count; i++)
        if ((scene->keys && is_one_of(scene->keys[i], keys)) || scene_says(&scene->items[i], keys)) return true;
    return false;
}

/* ---- running ---- */

pliant_solver *scene_solver(const pliant_model *model, scene_way way, pliant_error *error)
{
    pliant_solver_def def = pliant_solver_def_default();
    def.width = way.width;
    def.threads = way.threads;
    def.linear = trial_linear();
    return pliant_solver_create(model, &def, error);
}

static uint64_t mix(uint64_t h, uint64_t value) { return pliant__hash_mix(h + value); }

scene_end scene_go(const scene_case *c, const pliant_model *model, pliant_state *state, scene_end end, uint32_t from, uint32_t to,
                   scene_way way)
{
    pliant_inputs *inputs = pliant_inputs_create(model, NULL);
    pliant_solver *solver = scene_solver(model, way, NULL);
    assert_non_null(solver);
    for (uint32_t f = from; f < to && end.code == PLIANT_OK; f++) {
        assert_int_equal(pliant_inputs_reset(inputs, 1 / c->file.fps), PLIANT_OK);
        end.code = pliant_solver_step(solver, state, inputs);
        end.hash = mix(end.hash, pliant_state_hash(state));
        end.done = f + 1;
        if (way.rebuild && f + 1 < to) {
            pliant_solver_destroy(solver);
            solver = scene_solver(model, way, NULL);
        }
    }
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    return end;
}

static scene_end run(const scene_case *c, const pliant_model *model, scene_way way)
{
    pliant_state   *state = pliant_state_create(model, NULL);
    const scene_end end = scene_go(c, model, state, (scene_end){0, 0, PLIANT_OK}, 0, c->frames, way);
    pliant_state_destroy(state);
    return end;
}

static law_answer same(const scene_case *c, scene_end end, char why[256], const char *what, uint32_t number)
{
    if (end.hash == c->hash && end.done == c->done && end.code == c->code) return LAW_KEPT;
    snprintf(why, 256, "%s %u: another result after %u of %u frames (%s; alone: %u, %s)", what, number, end.done, c->frames,
             pliant_code_name(end.code), c->done, pliant_code_name(c->code));
    return LAW_BROKEN;
}

/* ---- one result ---- */

static bool is_built(uint32_t width)
{
    const pliant_build_info build = pliant_build();
    for (uint32_t i = 0; i < build.width_count; i++)
        if (build.widths[i] == width) return build.runs[i];
    return false;
}

static law_answer widths(const scene_case *c, char why[256])
{
    static const uint32_t wider[] = {4, 8, 16};
    law_answer            answer = LAW_NOT_ASKED;
    for (int i = 0; i < 3 && answer != LAW_BROKEN && c->bits; i++)
        if (is_built(wider[i]))
            answer = same(c, run(c, c->file.model, (scene_way){.width = wider[i], .threads = 1}), why, "width", wider[i]);
    return answer;
}

static law_answer threads(const scene_case *c, char why[256])
{
    law_answer answer = LAW_NOT_ASKED;
    for (uint32_t n = 2; n <= 3 && answer != LAW_BROKEN && c->bits; n++)
        answer = same(c, run(c, c->file.model, (scene_way){.threads = n}), why, "threads", n);
    return answer;
}

static law_answer new_solvers(const scene_case *c, char why[256])
{
    if (!c->bits) return LAW_NOT_ASKED;
    return same(c, run(c, c->file.model, (scene_way){.threads = 1, .rebuild = true}), why, "a new solver every frame, threads", 1);
}

/* ---- states, models and caches in files ---- */

static law_answer fault(char why[256], const char *what, const pliant_error *error)
{
    snprintf(why, 256, "%s: %.200s", what, error->message);
    return LAW_BROKEN;
}

/* A run of half the frames, a checkpoint, and the rest from that. */
static law_answer resumed(const scene_case *c, char why[256])
{
    const scene_way   way = {.threads = 1};
    pliant_error      error = {0};
    pliant_checkpoint kept = pliant_checkpoint_default(), found = pliant_checkpoint_default();
    pliant_state     *state = pliant_state_create(c->file.model, NULL), *again = pliant_state_create(c->file.model, NULL);
    if (!c->bits || c->code != PLIANT_OK) return pliant_state_destroy(again), pliant_state_destroy(state), LAW_NOT_ASKED;
    scene_end end = scene_go(c, c->file.model, state, (scene_end){0, 0, PLIANT_OK}, 0, c->frames / 2, way);
    kept.frame = end.done;
    kept.fps = c->file.fps;
    kept.method = pliant_model_settings(c->file.model).method;
    const bool ok = pliant_checkpoint_write("kept.check", state, &kept, &error) == PLIANT_OK &&
                    pliant_checkpoint_read("kept.check", again, &found, &error) == PLIANT_OK;
    if (ok) end = scene_go(c, c->file.model, again, end, found.frame, c->frames, way);
    pliant_state_destroy(again);
    pliant_state_destroy(state);
    return ok ? same(c, end, why, "resumed at frame", found.frame) : fault(why, "a checkpoint", &error);
}

static law_answer cooked(const scene_case *c, char why[256])
{
    pliant_error      error = {0};
    pliant_model_file file = {0};
    law_answer        answer = LAW_KEPT;
    if (pliant_cooked_write("kept.pliant", c->file.model, c->file.frames, c->file.fps, &error) != PLIANT_OK ||
        pliant_model_read("kept.pliant", NULL, &file, &error) != PLIANT_OK)
        return fault(why, "cooking", &error);
    if (pliant_model_hash(file.model) != pliant_model_hash(c->file.model) || file.frames != c->file.frames || file.fps != c->file.fps) {
        snprintf(why, 256, "the cooked model is another one");
        answer = LAW_BROKEN;
    } else if (c->bits) {
        answer = same(c, run(c, file.model, (scene_way){.threads = 1}), why, "cooked, threads", 1);
    }
    pliant_model_close(&file);
    return answer;
}

/* Does a recording again; the number of the first frame that is another one, or none. */
static uint32_t replay(const pliant_recording *recording, pliant_error *error)
{
    const pliant_model *model = pliant_recording_model(recording);
    pliant_state       *state = pliant_state_create(model, NULL);
    pliant_inputs      *inputs = pliant_inputs_create(model, NULL);
    pliant_solver      *solver = scene_solver(model, (scene_way){.threads = 1}, error);
    uint32_t            frame = 0;
    const uint32_t      frames = pliant_recording_frames(recording);
    uint64_t            hash;
    bool                ok = solver && pliant_recording_begin(recording, state, error) == PLIANT_OK;
    for (; ok && frame < frames; frame += ok) {
        ok = pliant_recording_frame(recording, frame, inputs, &hash, error) == PLIANT_OK;
        ok = ok && pliant_solver_step(solver, state, inputs) == PLIANT_OK && pliant_state_hash(state) == hash;
    }
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    pliant_state_destroy(state);
    return frame;
}

/* What a body's surface is in a state and in a cache: 0, or how far apart, m. */
static double apart(const pliant_state *state, const pliant_cache *cache, pliant_body body, uint32_t count)
{
    pliant_vec3 *a = calloc(count + 1, sizeof *a), *b = calloc(count + 1, sizeof *b);
    double       most = 0;
    assert_int_equal(pliant_state_write_positions(state, body, a, sizeof *a), PLIANT_OK);
    assert_int_equal(pliant_cache_write_positions(cache, body, b, sizeof *b), PLIANT_OK);
    for (uint32_t i = 0; i < count; i++) {
        most = fmax(most, fabs((double)a[i].x - (double)b[i].x));
        most = fmax(most, fabs((double)a[i].y - (double)b[i].y));
        most = fmax(most, fabs((double)a[i].z - (double)b[i].z));
    }
    free(a);
    free(b);
    return most;
}

/* Steps, and writes each frame to a cache and to a recording. */
static bool write_both(const scene_case *c, const char *path, pliant_state *state, pliant_error *error)
{
    pliant_write_def def = pliant_write_def_default();
    def.fps = c->file.fps;
    def.frames = c->frames + 1;
    pliant_writer   *writer = pliant_writer_open(path, c->file.model, &def, error);
    pliant_recorder *recorder = writer ? pliant_recorder_open("kept.rec", state, NULL, error) : NULL;
    pliant_inputs   *inputs = pliant_inputs_create(c->file.model, NULL);
    pliant_solver   *solver = scene_solver(c->file.model, (scene_way){.threads = 1}, error);
    bool             ok = recorder && solver && pliant_writer_frame(writer, state, error) == PLIANT_OK;
    for (uint32_t f = 0; ok && f < c->frames; f++) {
        assert_int_equal(pliant_inputs_reset(inputs, 1 / c->file.fps), PLIANT_OK);
        ok = pliant_solver_step(solver, state, inputs) == PLIANT_OK && pliant_writer_frame(writer, state, error) == PLIANT_OK &&
             pliant_recorder_frame(recorder, inputs, state, error) == PLIANT_OK;
    }
    ok = pliant_writer_close(writer, ok ? error : NULL) == PLIANT_OK && ok;
    ok = pliant_recorder_close(recorder, ok ? error : NULL) == PLIANT_OK && ok;
    pliant_solver_destroy(solver);
    pliant_inputs_destroy(inputs);
    return ok;
}

/* The last frame of a cache is the state that was written, to what a float has. */
static law_answer read_back(const scene_case *c, const char *path, const pliant_state *state, char why[256])
{
    pliant_error  error = {0};
    pliant_cache *cache = pliant_cache_open(path, c->file.model, &error);
    if (!cache) return fault(why, path, &error);
    law_answer answer = LAW_KEPT;
    if (pliant_cache_frames(cache) != c->frames + 1) {
        snprintf(why, 256, "%s has %u frames of %u", path, pliant_cache_frames(cache), c->frames + 1);
        answer = LAW_BROKEN;
    } else if (pliant_cache_read(cache, c->frames, &error) != PLIANT_OK) {
        answer = fault(why, path, &error);
    }
    for (uint32_t i = 0; i < pliant_model_body_count(c->file.model) && answer == LAW_KEPT; i++) {
        const pliant_body_info body = pliant_model_body_at(c->file.model, i);
        const double           off = apart(state, cache, body.body, body.surface_vertex_count), reach = 10 + 1e4 / c->file.fps;
        if (off <= 1e-6 * reach) continue; /* 6 digits at the least of what is within reach */
        snprintf(why, 256, "%s: body %u is %g m from where it was written", path, i, off);
        answer = LAW_BROKEN;
    }
    pliant_cache_close(cache);
    return answer;
}

static law_answer recorded(const scene_case *c, char why[256])
{
    static const char *const paths[] = {"kept.csv",  "kept.pc2", "kept.ply/", "kept.mdd", "kept.glb",
                                        "kept.usda", "kept.abc", "kept.pvd",  "kept/",    "kept.vtkhdf"};
    const char              *path = paths[c->number / 5 % (sizeof paths / sizeof *paths)];
    bool                     tears = false; /* it is written with the faces of each frame, and not read back */
    pliant_error             error = {0};
    if (!c->bits || c->code != PLIANT_OK || c->odd) return LAW_NOT_ASKED;
    for (uint32_t i = 0; i < pliant_model_body_count(c->file.model); i++)
        tears = tears || pliant_model_body_at(c->file.model, i).spare_count;
    if (tears) path = "kept/";
    for (uint32_t i = 0; pliant_format_at(i); i++)
        if (strstr(path, pliant_format_at(i)->ending) && !pliant_format_is_written(i)) return LAW_NOT_ASKED;
    pliant_state     *state = pliant_state_create(c->file.model, NULL);
    const bool        ok = write_both(c, path, state, &error);
    law_answer        answer = !ok ? fault(why, path, &error) : tears ? LAW_KEPT : read_back(c, path, state, why);
    pliant_recording *recording = answer == LAW_KEPT ? pliant_recording_open("kept.rec", &error) : NULL;
    if (answer == LAW_KEPT && !recording) answer = fault(why, "a recording", &error);
    if (recording && replay(recording, &error) != c->frames) {
        snprintf(why, 256, "the recording replays otherwise %.100s", error.message);
        answer = LAW_BROKEN;
    }
    pliant_recording_close(recording);
    pliant_state_destroy(state);
    return answer;
}

/* ---- numbers, and what is through what ---- */

static bool is_finite(pliant_vec3 v)
{
    return (double)v.x - (double)v.x == 0 && (double)v.y - (double)v.y == 0 && (double)v.z - (double)v.z == 0;
}

static bool all_finite(const pliant_state *state)
{
    const pliant_model *model = pliant_state_model(state);
    bool                ok = true;
    for (uint32_t i = 0; i < pliant_model_body_count(model); i++) {
        const pliant_body_info body = pliant_model_body_at(model, i);
        pliant_vec3           *x = calloc(body.vertex_count + 1, sizeof *x);
        assert_int_equal(pliant_state_positions(state, body.body, 0, body.vertex_count, x), PLIANT_OK);
        for (uint32_t v = 0; v < body.vertex_count; v++) ok = ok && is_finite(x[v]);
        assert_int_equal(pliant_state_velocities(state, body.body, 0, body.vertex_count, x), PLIANT_OK);
        for (uint32_t v = 0; v < body.vertex_count; v++) ok = ok && is_finite(x[v]);
        free(x);
    }
    return ok;
}

/* After each frame that does not say that it diverged. */
static law_answer finite_numbers(const scene_case *c, char why[256])
{
    pliant_state *state = pliant_state_create(c->file.model, NULL);
    scene_end     end = {0, 0, PLIANT_OK};
    bool          ok = all_finite(state);
    for (uint32_t f = 0; ok && f < c->frames && end.code == PLIANT_OK; f++) {
        end = scene_go(c, c->file.model, state, end, f, f + 1, (scene_way){.threads = 1});
        ok = end.code != PLIANT_OK || all_finite(state);
    }
    pliant_state_destroy(state);
    if (ok) return LAW_KEPT;
    snprintf(why, 256, "a number that is none in frame %u, and nothing says so", end.done);
    return LAW_BROKEN;
}

/* docs/contact.md promises it of what begins uncrossed; not where only speeds are bounded, and not of bodies that a frame carries into each other or
 * that are put back. */
static law_answer uncrossed(const scene_case *c, char why[256])
{
    uint32_t count = 0;
    if (c->odd || !scene_says(c->scene, "self_contact contact_mask") || scene_says(c->scene, "frame")) return LAW_NOT_ASKED;
    if (pliant_model_settings(c->file.model).contact_bound == PLIANT_CONTACT_BOUND_SPEED) return LAW_NOT_ASKED;
    pliant_state *state = pliant_state_create(c->file.model, NULL);
    scene_end     end = {0, 0, PLIANT_OK};
    const bool    good = pliant_state_crossings(state, NULL, 0, &count) == PLIANT_OK && count == 0;
    for (uint32_t f = 0; good && !count && f < c->frames; f++) {
        end = scene_go(c, c->file.model, state, end, f, f + 1, (scene_way){.threads = 1});
        if (end.code != PLIANT_OK || pliant_state_crossings(state, NULL, 0, &count) != PLIANT_OK) break;
    }
    pliant_state_destroy(state);
    if (!good || count == 0) return good ? LAW_KEPT : LAW_NOT_ASKED;
    snprintf(why, 256, "%u pairs of bodies cross from frame %u on", count, end.done);
    return LAW_BROKEN;
}

/* ---- the command ---- */

/* How many lines of a file begin with "pliant: note: ", and how many do not; and the first that does not. */
static uint32_t count_lines(const char *path, uint32_t *notes, char first[256])
{
    char     line[4096];
    uint32_t count = 0;
    FILE    *f = fopen(path, "r");
    *notes = 0;
    first[0] = 0;
    while (f && fgets(line, sizeof line, f)) {
        if (!strncmp(line, "pliant: note: ", 14)) {
            ++*notes;
            continue;
        }
        if (!count++) snprintf(first, 256, "%.250s", line);
    }
    if (f) fclose(f);
    return count;
}

/* The command with a scene: its exit code. */
static int command(const char *text)
{
    char line[1024];
    write_text("command.json", text);
    snprintf(line, sizeof line, "%s run command.json -q --json --threads 2 >command.out 2>command.err", PLIANT_BINARY);
    const int status = system(line);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Every scene of eight, as each costs a process. */
static law_answer commanded(const scene_case *c, char why[256])
{
    char     first[256], hash[64] = "";
    uint32_t notes;
    if (c->number % 8) return LAW_NOT_ASKED;
    const int      code = command(c->text);
    const uint32_t lines = count_lines("command.err", &notes, first);
    size_t         size;
    char          *out = read_whole("command.out", &size);
    if (sscanf(out, "{\"hash\": \"%16s", hash) != 1) hash[0] = 0;
    free(out);
    pliant_state   *state = pliant_state_create(c->file.model, NULL);
    const scene_end end = scene_go(c, c->file.model, state, (scene_end){0, 0, PLIANT_OK}, 0, c->file.frames, (scene_way){.threads = 1});
    char            expected[64];
    snprintf(expected, sizeof expected, "%016llx", (unsigned long long)pliant_state_hash(state));
    pliant_state_destroy(state);
    const bool stops = code == 4 && scene_says(c->scene, "on_energy"); /* in a frame before the last */
    if (stops ? lines >= 1 : code == (end.code == PLIANT_OK ? 0 : 4) && (!c->bits || !strcmp(hash, expected))) return LAW_KEPT;
    snprintf(why, 256, "the command ends with %d and hash %s, the library with %s and %s; %u lines, %.60s", code, hash,
             pliant_code_name(end.code), expected, lines, first);
    return LAW_BROKEN;
}

const scene_law scene_laws[] = {
    {"widths", "one result for every lane width", widths},
    {"threads", "one result for every number of threads", threads},
    {"new solvers", "one result for a new solver every frame", new_solvers},
    {"resume", "what goes on from a checkpoint is what went on", resumed},
    {"cook", "a cooked model is the scene", cooked},
    {"record", "caches and recordings are the run", recorded},
    {"finite", "numbers are numbers", finite_numbers},
    {"crossings", "nothing passes through anything", uncrossed},
    {"momentum", "nothing but gravity changes the momentum of what is free", scene_momentum},
    {"motion", "a scene elsewhere and turned about y goes the same way there", scene_motion},
    {"command", "the command does what the library does", commanded},
};
const int scene_law_count = sizeof scene_laws / sizeof *scene_laws;

/* ---- judging ---- */

static void refuse(scene_verdict *v, const scene_case *c, const pliant_error *error)
{
    char     first[256];
    uint32_t notes;
    snprintf(v->why, sizeof v->why, "%d %.60s:%d: %.400s", (int)error->code, error->path, error->line, error->message);
    const bool known = error->code == PLIANT_ERROR_ARGUMENT || error->code == PLIANT_ERROR_INPUT || error->code == PLIANT_ERROR_UNAVAILABLE;
    v->result = known && error->message[0] && !strchr(error->message, '\n') ? SCENE_REFUSED : SCENE_UNCLEAR;
    if (v->result == SCENE_UNCLEAR || c->number % 8) return;
    const int code = command(c->text), expected = error->code == PLIANT_ERROR_UNAVAILABLE ? 6 : 2;
    if (code == expected && count_lines("command.err", &notes, first) == 1) return;
    v->result = SCENE_UNCLEAR;
    snprintf(v->why, sizeof v->why, "the command ends with %d, not %d, and says in its first line: %.200s; the library says %.200s", code,
             expected, first, error->message);
}

static void judge(scene_verdict *v, scene_case *c, int only)
{
    pliant_error   error = {0};
    pliant_solver *solver = NULL;
    const bool     read = pliant_model_read_text(c->text, strlen(c->text), "scene.json", NULL, NULL, &c->file, &error) == PLIANT_OK;
    if (read) solver = scene_solver(c->file.model, (scene_way){.threads = 1}, &error);
    pliant_solver_destroy(solver);
    if (solver) {
        const pliant_method_def method = pliant_model_settings(c->file.model).method;
        c->bits = !pliant_method_wants_linear(c->file.model, &method, NULL);
        c->frames = c->file.frames < 10 ? c->file.frames : 10;
        const scene_end first = run(c, c->file.model, (scene_way){.width = 1, .threads = 1});
        c->hash = first.hash, c->done = first.done, c->code = first.code;
        v->result = SCENE_TAKEN;
        for (int i = 0; i < scene_law_count && v->result == SCENE_TAKEN; i++) {
            if (only >= 0 && i != only) continue;
            const law_answer answer = scene_laws[i].check(c, v->why);
            v->asked[i] = answer != LAW_NOT_ASKED;
            if (answer == LAW_BROKEN) v->result = i;
        }
    } else {
        refuse(v, c, &error);
    }
    pliant_model_close(&c->file);
}

static void judge_here(scene_verdict *v, const json *scene, uint64_t number, int only, unsigned seconds)
{
    char      *text = json_write(scene);
    scene_case c = {.scene = scene, .text = text, .number = number, .odd = scene_theme_of(number) == SCENE_ODD};
    setenv("CMOCKA_TEST_ABORT", "1", 1); /* a failed assertion ends this process, and not the test that made it */
    const struct rlimit limit = {seconds, seconds + 5};
    if (seconds) setrlimit(RLIMIT_CPU, &limit); /* of its own time: the machine may have other work */
    judge(v, &c, only);
    free(text);
}

scene_verdict scene_judge(const json *scene, uint64_t number, int only, unsigned seconds)
{
    scene_verdict *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0), v;
    int            status = 0;
    assert_true(shared != MAP_FAILED);
    memset(shared, 0, sizeof *shared);
    shared->result = SCENE_CRASHED;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (!child) {
        judge_here(shared, scene, number, only, seconds);
        exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    v = *shared;
    munmap(shared, sizeof *shared);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return v;
    v.result = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU ? SCENE_LATE : SCENE_CRASHED;
    snprintf(v.why, sizeof v.why, WIFSIGNALED(status) ? "signal %d" : "exit code %d",
             WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return v;
}

bool scene_is_fault(const scene_verdict *v) { return v->result != SCENE_TAKEN && v->result != SCENE_REFUSED; }

const char *scene_fault_name(const scene_verdict *v)
{
    if (v->result >= 0) return scene_laws[v->result].name;
    return v->result == SCENE_LATE      ? "takes too long"
           : v->result == SCENE_CRASHED ? "crashes"
           : v->result == SCENE_UNCLEAR ? "is refused unclearly"
                                        : "none";
}
