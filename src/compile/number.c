/* Which slot each particle gets, and which slots make a patch.
 *
 * A body's slots are contiguous. Small bodies share patches, and their particles keep their order. A larger body is halved, across the
 * longest side of what is halved, until its parts fit (recursive bisection of where particles begin): parts are compact, so that few
 * constraints run between two of them; and parts are halved on, so that neighbours lie in the same lines of the cache, and clusters (cluster.c)
 * find alike surroundings. Grids and lattices are cut into tiles along their sides; particles of a tile lie in lanes (regular.c). Of constraints it
 * only counts whether most of a body's are such that lanes take them, removed ones too, and the order of solving plays no role: a scene keeps its
 * numbers when its constraints are replaced. */
#include "compile/compile.h"

#include <stdlib.h>

typedef struct placed {
    pliant_vec3 x;
    uint32_t    particle;
} placed;

/* ---- bisection ---- */

static pliant_real coordinate(const placed *p, uint32_t axis) { return axis == 0 ? p->x.x : axis == 1 ? p->x.y : p->x.z; }

static bool comes_before(const placed *a, const placed *b, uint32_t axis)
{
    const pliant_real x = coordinate(a, axis), y = coordinate(b, axis);
    return x < y || (!(y < x) && a->particle < b->particle);
}

static void exchange(placed *a, placed *b)
{
    const placed c = *a;
    *a = *b;
    *b = c;
}

/* Puts the `low` ones that come first along an axis first (Hoare 1961, Algorithm 65: Find). */
static void part(placed *p, uint32_t count, uint32_t low, uint32_t axis)
{
    uint32_t first = 0, end = count;
    while (low > first && low < end) {
        const uint32_t quarter = (end - first) / 4;
        placed        *a = &p[first + quarter], *b = &p[first + (end - first) / 2], *c = &p[end - 1 - quarter];
        if (comes_before(b, a, axis)) exchange(a, b);
        if (comes_before(c, b, axis)) exchange(b, c);
        if (comes_before(b, a, axis)) exchange(a, b);
        const placed pivot = *b;
        uint32_t     i = first, j = end - 1;
        for (;; i++, j--) {
            while (comes_before(&p[i], &pivot, axis)) i++;
            while (comes_before(&pivot, &p[j], axis)) j--;
            if (i >= j) break;
            exchange(&p[i], &p[j]);
        }
        if (low <= i) /* [first, i) come before the pivot or are it; [j + 1, end) come after it or are it */
            end = i;
        else
            first = j + 1;
    }
}

static uint32_t longest_axis(const placed *p, uint32_t count)
{
    pliant_vec3 low = p[0].x, high = low;
    for (uint32_t i = 1; i < count; i++) {
        low = v3(r_min(low.x, p[i].x.x), r_min(low.y, p[i].x.y), r_min(low.z, p[i].x.z));
        high = v3(r_max(high.x, p[i].x.x), r_max(high.y, p[i].x.y), r_max(high.z, p[i].x.z));
    }
    const pliant_real x = high.x - low.x, y = high.y - low.y, z = high.z - low.z;
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

/* Neighbours come to lie near each other; calls itself as often as `count` can be halved. */
static void order_inside(placed *p, uint32_t count)
{
    const uint32_t low = count / 2;
    if (count < 2) return;
    part(p, count, low, longest_axis(p, count));
    order_inside(p, low);
    order_inside(p + low, count - low);
}

/* Into so many parts of sizes that differ by at most one; calls itself as often as `parts` can be halved. */
static bool bisect(pliant__compiler *c, placed *p, uint32_t count, uint32_t first_slot, uint32_t parts)
{
    if (parts == 1) {
        order_inside(p, count);
        return array_push(c->allocator, &c->patches, (pliant__patch){.first_slot = first_slot, .slot_count = count});
    }
    const uint32_t left = parts / 2, low = (uint32_t)((uint64_t)count * left / parts);
    part(p, count, low, longest_axis(p, count));
    return bisect(c, p, low, first_slot, left) && bisect(c, p + low, count - low, first_slot + low, parts - left);
}

/* ---- bodies ---- */

/* The fewer parts, the fewer rows run between them; but threads want some. */
#define MIDDLING (PLIANT__PATCH / 2)

static bool number_large(pliant__compiler *c, const pliant__draft_body *body, uint32_t first_slot)
{
    const uint32_t count = body->particle_count, most = count <= PLIANT__PATCH ? MIDDLING : PLIANT__PATCH;
    placed        *p = pliant__alloc_array(c->allocator, count, sizeof *p);
    if (!p) return false;
    for (uint32_t i = 0; i < count; i++) p[i] = (placed){c->scene->particles.data[body->first_particle + i].x, i};
    const bool ok = bisect(c, p, count, first_slot, (count + most - 1) / most);
    for (uint32_t i = 0; ok && i < count; i++) c->slot[body->first_particle + p[i].particle] = first_slot + i;
    pliant__free(c->allocator, p);
    return ok;
}

/* ---- grids ---- */

/* Strips of a sheet's tile lie side by side along its second side: the longer that is, the fewer rows run between two of them. Along an odd first side
 * lanes of what comes again every second cell are all full or empty (regular.c). So such a side is not cut if it can be helped, and else into odd parts. */
#define TILE_2D 128u     /* particles along a side, at most */
#define TILE_NARROW 64u  /* a side in a sheet of no more particles than a tile may have, so that two threads have work */
#define TILE_UNCUT 192u  /* an odd first side, at most; tiles of it are the shorter along the second one */
#define TILE_WHOLE 4096u /* particles of a sheet that is not cut */
#define TILE_3D 24u      /* of a lattice */
#define LEAST_GRID 256u

/* A tile: particles from `low` on, so many along each side. */
static bool add_tile(pliant__compiler *c, const pliant__draft_body *body, uint32_t first_slot, const uint32_t low[3],
                     const uint32_t size[3])
{
    pliant__patch p = {.first_slot = first_slot, .slot_count = size[0] * size[1] * size[2]};
    pliant__lay_out_tile(&p, size);
    for (uint32_t place = 0; place < p.slot_count; place++) {
        const uint32_t i = low[0] + place % size[0], j = low[1] + place / size[0] % size[1], k = low[2] + place / (size[0] * size[1]);
        c->slot[body->first_particle + (k * body->grid[1] + j) * body->grid[0] + i] = pliant__tile_slot(&p, place);
    }
    return array_push(c->allocator, &c->patches, p);
}

/* How a side is cut: into parts as long as each other, or one longer; where all are to be odd, up to two. */
typedef struct cut {
    uint32_t count, parts;
    bool     odd; /* all parts but the last: that is as odd as `count` and `parts` let it be */
} cut;

static uint32_t begin_of(const cut *side, uint32_t part)
{
    const uint32_t begin = (uint32_t)((uint64_t)side->count * part / side->parts);
    return side->odd && part < side->parts && (begin ^ part) % 2 ? begin - 1 : begin;
}

static cut cut_evenly(uint32_t count, uint32_t most) { return (cut){count, (count + most - 1) / most, false}; }

static void cut_sheet(const pliant__draft_body *body, cut sides[3])
{
    const uint32_t *n = body->grid;
    const bool      narrow = body->particle_count <= TILE_2D * TILE_2D;
    sides[2] = cut_evenly(n[2], n[2]);
    if (body->particle_count <= TILE_WHOLE) {
        sides[0] = cut_evenly(n[0], n[0]);
        sides[1] = cut_evenly(n[1], n[1]);
    } else if (n[0] % 2 && n[0] <= TILE_UNCUT) {
        sides[0] = cut_evenly(n[0], n[0]);
        sides[1] = cut_evenly(n[1], narrow ? TILE_NARROW : TILE_2D * TILE_2D / TILE_UNCUT);
    } else {
        sides[0] = cut_evenly(n[0], n[0] % 2 ? TILE_2D - 1 : narrow ? TILE_NARROW : TILE_2D);
        sides[1] = cut_evenly(n[1], TILE_2D);
        sides[0].odd = n[0] % 2 || (narrow && n[1] % 32);
        sides[0].parts += n[0] % 2 && sides[0].parts % 2 == 0;
    }
}

static bool number_grid(pliant__compiler *c, const pliant__draft_body *body, uint32_t slot)
{
    cut      sides[3];
    uint32_t low[3], size[3];
    if (body->grid[2] == 1)
        cut_sheet(body, sides);
    else
        for (int a = 0; a < 3; a++) sides[a] = cut_evenly(body->grid[a], TILE_3D);
    for (uint32_t t = 0; t < sides[0].parts * sides[1].parts * sides[2].parts; t++) {
        const uint32_t at[3] = {t % sides[0].parts, t / sides[0].parts % sides[1].parts, t / (sides[0].parts * sides[1].parts)};
        for (int a = 0; a < 3; a++) {
            low[a] = begin_of(&sides[a], at[a]);
            size[a] = begin_of(&sides[a], at[a] + 1) - low[a];
        }
        if (!add_tile(c, body, slot, low, size)) return false;
        slot += size[0] * size[1] * size[2];
    }
    return true;
}

#define SHARED 4096u      /* slots of a patch of several bodies, at most */
#define KEEPS_ORDER 1024u /* particles of a body that is near whatever their order is */
#define FEW_IRREGULAR 8u  /* one of so many constraints of a body may be of a kind that lanes do not take */

/* Of each body, how many constraints it has, and how many of them lanes do not take; and how many pins that may be let go: tethers to such are no
 * part of a tile. */
typedef struct share {
    uint32_t all, irregular, releasable;
} share;

static void count_shares(const pliant_scene *s, share *shares)
{
    for (size_t i = 0; i < s->constraints.count; i++) {
        const pliant__draft_constraint *d = &s->constraints.data[i];
        if (d->body == PLIANT__NONE) continue;
        const pliant_constraint_info *info = d->user ? NULL : pliant_constraint_describe((pliant_constraint_kind)d->kind);
        const pliant_law             *law = &s->laws.data[d->law].law;
        const pliant_limit            limit = law->limited ? law->limit : info ? info->limit : PLIANT_EQUAL;
        shares[d->body].all++;
        shares[d->body].irregular += !info || limit != PLIANT_EQUAL || (law->compliance > 0 && law->damping > 0);
    }
}

static void count_pins(const pliant_scene *s, const pliant__draft_body *b, share *of)
{
    for (uint32_t i = 0; i < b->particle_count; i++) of->releasable += s->particles.data[b->first_particle + i].pin == PLIANT__RELEASABLE;
}

static bool is_grid(const pliant__draft_body *b, const share *of)
{
    if (of->irregular > of->all / FEW_IRREGULAR || ((b->tether > 0 || b->was_tethered) && of->releasable)) return false;
    return b->grid[0] > 2 && b->grid[1] > 2 && b->particle_count >= LEAST_GRID &&
           b->particle_count == (uint64_t)b->grid[0] * b->grid[1] * b->grid[2];
}

static bool number_small(pliant__compiler *c, const pliant__draft_body *body, uint32_t first_slot)
{
    pliant__patch *last = c->patches.count ? &c->patches.data[c->patches.count - 1] : NULL;
    for (uint32_t i = 0; i < body->particle_count; i++) c->slot[body->first_particle + i] = first_slot + i;
    if (last && !last->groups && last->slot_count + body->particle_count <= SHARED) {
        last->slot_count += body->particle_count;
        return true;
    }
    return array_push(c->allocator, &c->patches, (pliant__patch){.first_slot = first_slot, .slot_count = body->particle_count});
}

bool pliant__number(pliant__compiler *c)
{
    const pliant_scene *s = c->scene;
    size_t              n = s->particles.count;
    uint32_t            next = 0, live = 0;
    c->slot = pliant__alloc_array(c->allocator, n + 1, sizeof *c->slot);
    c->target_slot = pliant__alloc_array(c->allocator, s->targets.count + 1, sizeof *c->target_slot);
    c->body = pliant__alloc_array(c->allocator, s->bodies.count + 1, sizeof *c->body);
    share *shares = pliant__alloc_array(c->allocator, s->bodies.count + 1, sizeof *shares);
    if (!c->slot || !c->target_slot || !c->body || !shares) {
        pliant__free(c->allocator, shares);
        return pliant__compile_memory(c);
    }
    for (size_t b = 0; b < s->bodies.count && s->settings.order == PLIANT_ORDER_GIVEN; b++)
        if (!s->bodies.data[b].removed && s->bodies.data[b].spare_count) {
            pliant__free(c->allocator, shares);
            return pliant__fail(c->error, PLIANT_ERROR_INPUT,
                                "body \"%s\" tears, which constraints in a given order do not; leave the order out",
                                s->bodies.data[b].name);
        }
    count_shares(s, shares);
    for (size_t i = 0; i < n; i++) c->slot[i] = PLIANT__NONE;
    for (size_t b = 0; b < s->bodies.count; b++) {
        const pliant__draft_body *body = &s->bodies.data[b];
        c->body[b] = body->removed ? PLIANT__NONE : live++;
        if (body->removed || !body->particle_count) continue;
        count_pins(s, body, &shares[b]);
        bool (*number)(pliant__compiler * c, const pliant__draft_body *body, uint32_t first_slot) = is_grid(body, &shares[b]) ? number_grid
                                                                                                    : body->particle_count > KEEPS_ORDER
                                                                                                        ? number_large
                                                                                                        : number_small;
        if (!number(c, body, next)) {
            pliant__free(c->allocator, shares);
            return pliant__compile_memory(c);
        }
        next += body->particle_count;
    }
    pliant__free(c->allocator, shares);
    c->header.particle_count = next;
    for (size_t t = 0; t < s->targets.count; t++) {
        const pliant__draft_target *target = &s->targets.data[t];
        bool                        gone = s->bodies.data[target->body].removed;
        c->target_slot[t] = gone ? PLIANT__NONE : target->soft ? next++ : c->slot[target->particle];
    }
    c->header.target_slot_count = next - c->header.particle_count;
    c->header.inert = next;
    c->header.slot_count = (next + 1 + 15) / 16 * 16;
    for (size_t i = 0; i < c->patches.count; i++) c->patches.data[i].first_listed = PLIANT__NONE;
    return true;
}
