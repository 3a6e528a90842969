/* Damping that a scene says by a ratio, of a law or of a whole material. Of a row of lengths between particles of inverse masses w, with a compliance alpha, which swings by itself as a mass
 * 1 / sum of w on a spring 1 / alpha, damping is ratio * 2 sqrt(k m) = 2 ratio / sqrt(alpha * sum of w): with a ratio of 1 it comes to rest as fast as it can without
 * swinging through. Rows of a body have a law for each damping that differs by more than 0.8 %. */
#include "io/scene/keys.h"

#include "base/vec.h"
#include "scene/draft.h"

#include <math.h>
#include <string.h>

static double weight_of(const pliant__draft_particle *p)
{
    if (p->pin != PLIANT__FREE) return 0;
    return p->given_w ? (double)p->w : p->mass > 0 ? 1 / p->mass : 0;
}

/* N s/m; 0 where nothing moves. */
static double damping_of(const pliant_scene *scene, const uint32_t *particles, uint32_t count, double ratio, double compliance)
{
    double sum = 0;
    for (uint32_t i = 0; i < count; i++) sum += weight_of(&scene->particles.data[particles[i]]);
    return sum > 0 ? 2 * ratio / sqrt(compliance * sum) : 0;
}

bool pliant__damping_of(pliant__reader *r, const pliant__node *node, const uint32_t *particles, uint32_t count, double ratio,
                        pliant_law *law)
{
    if (!(law->compliance > 0))
        return pliant__complain(r, node, "what is rigid has no damping_ratio; give it a compliance, or leave it out");
    law->damping = (pliant_real)damping_of(r->scene, particles, count, ratio, (double)law->compliance);
    return r_finite(law->damping) || pliant__complain(r, node, "a damping_ratio of %g is too large for these masses", ratio);
}

/* To seven bits: next to it there are others within 0.8 %. */
static pliant_real rounded(double damping)
{
    int          exponent;
    const double part = frexp(damping, &exponent);
    return (pliant_real)ldexp(floor(part * 256 + 0.5) / 256, exponent);
}

/* The law that has all of another one but its damping; appended, or found among those from `first` on. PLIANT__NONE: out of memory. */
static uint32_t law_with(pliant_scene *scene, uint32_t law, pliant_real damping, size_t first)
{
    pliant__draft_law with = scene->laws.data[law];
    with.law.damping = damping;
    with.body = PLIANT__NONE; /* it follows the material no more */
    memset(&with.share, 0, sizeof with.share);
    for (size_t i = first; i < scene->laws.count; i++)
        if (memcmp(&scene->laws.data[i], &with, sizeof with) == 0) return (uint32_t)i;
    return array_push(&scene->allocator, &scene->laws, with) ? (uint32_t)scene->laws.count - 1 : PLIANT__NONE;
}

/* Rows of a body with a role that says no damping get that of a ratio; false: out of memory, or of range. `any` becomes true where there are some. */
static bool damp_rows(pliant__reader *r, const pliant__node *node, pliant_body body, const char *role, double ratio, bool *any)
{
    pliant_scene *s = r->scene;
    const size_t  first = s->laws.count;
    for (size_t i = 0; i < s->constraints.count; i++) {
        pliant__draft_constraint *c = &s->constraints.data[i];
        if (c->user || c->removed || c->body != body.id - 1 || strcmp(s->laws.data[c->law].role, role) != 0) continue;
        const pliant__draft_law law = s->laws.data[c->law];
        if (!(law.law.compliance > 0) || law.law.damping > 0) continue;
        *any = true;
        const double damping = damping_of(s, pliant__draft_particles(s, c), pliant__kind_slots(c->kind), ratio, (double)law.law.compliance);
        if (!r_finite((pliant_real)damping)) return pliant__complain(r, node, "a damping_ratio of %g is too large for these masses", ratio);
        c->law = law_with(s, c->law, rounded(damping), first);
        if (c->law == PLIANT__NONE) return pliant__fail_memory(r->error, sizeof law, "laws");
    }
    return true;
}

bool pliant__damp_by_ratio(pliant__reader *r, const pliant__node *node, pliant_body body, const char *role, double ratio)
{
    pliant_scene *s = r->scene;
    const size_t  first = s->laws.count;
    bool          any = ratio < 0;
    for (size_t i = 0; i < s->constraints.count && ratio >= 0; i++) {
        pliant__draft_constraint *c = &s->constraints.data[i];
        if (c->user || c->removed || c->body != body.id - 1 || strcmp(s->laws.data[c->law].role, role) != 0) continue;
        const pliant__draft_law law = s->laws.data[c->law];
        any = true;
        if (!(law.law.compliance > 0))
            return pliant__complain(r, node, "a damping_ratio of %s goes with a compliance of it, above 0", role);
        const double damping = damping_of(s, pliant__draft_particles(s, c), pliant__kind_slots(c->kind), ratio, (double)law.law.compliance);
        if (!r_finite((pliant_real)damping)) return pliant__complain(r, node, "a damping_ratio of %g is too large for these masses", ratio);
        c->law = law_with(s, c->law, rounded(damping), first);
        if (c->law == PLIANT__NONE) return pliant__fail_memory(r->error, sizeof law, "laws");
    }
    return any || pliant__complain(r, node, "a damping_ratio of %s is of no constraint of this body; leave it out", role);
}

/* ---- of a whole material ---- */

static void edge(const pliant_scene *s, uint32_t from, uint32_t to, double d[3])
{
    const pliant_vec3 a = s->particles.data[from].x, b = s->particles.data[to].x;
    d[0] = (double)b.x - (double)a.x;
    d[1] = (double)b.y - (double)a.y;
    d[2] = (double)b.z - (double)a.z;
}

static void cross(const double a[3], const double b[3], double out[3])
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double square(const double a[3]) { return a[0] * a[0] + a[1] * a[1] + a[2] * a[2]; }

/* The square of 1/s with which a tetrahedron of shear modulus mu swings by itself in shear, the mean over its directions: with A_i the area of the side across from corner i, V the
 * volume, and gradients A_i / (3 V), it is 2/3 mu V sum_i w_i |grad_i|^2 = 2 mu / (27 V) sum_i w_i A_i^2, which one of equal sides has in all directions. */
static double shear_rate(const pliant_scene *s, const uint32_t *p, double mu)
{
    double sum = 0, volume = 0;
    for (int i = 0; i < 4; i++) {
        double d[3][3], area[3];
        for (int k = 0; k < 3; k++) edge(s, p[(i + 1) & 3], p[(i + 2 + k) & 3], d[k]); /* the two others of the side, and corner i */
        cross(d[0], d[1], area);
        sum += weight_of(&s->particles.data[p[i]]) * square(area) / 4;
        volume = fabs(area[0] * d[2][0] + area[1] * d[2][1] + area[2] * d[2][2]) / 6;
    }
    return volume > 0 ? 2 * mu * sum / (27 * volume) : 0;
}

/* The same of a triangle that is pulled along warp, of stiffness k: k A / 2 sum_i w_i |grad_i|^2 = k / (8 A) sum_i w_i L_i^2, with L_i the edge across from corner i. */
static double stretch_rate(const pliant_scene *s, const uint32_t *p, double k)
{
    double sum = 0, area = 0;
    for (int i = 0; i < 3; i++) {
        double d[2][3], normal[3];
        edge(s, p[(i + 1) % 3], p[(i + 2) % 3], d[0]);
        edge(s, p[(i + 1) % 3], p[i], d[1]);
        cross(d[0], d[1], normal);
        area = sqrt(square(normal)) / 2;
        sum += weight_of(&s->particles.data[p[i]]) * square(d[0]);
    }
    return area > 0 ? k * sum / (8 * area) : 0;
}

/* A time of damping for the elements of a law: 2 ratio / w, with the mean of the squares w^2 of elements that can move. */
static double time_of(const pliant_scene *s, uint32_t law, double ratio)
{
    const double modulus = 1 / (double)s->laws.data[law].law.compliance;
    double       sum = 0;
    size_t       count = 0;
    for (size_t i = 0; i < s->constraints.count; i++) {
        const pliant__draft_constraint *c = &s->constraints.data[i];
        if (c->user || c->removed || c->law != law) continue;
        const uint32_t *p = pliant__draft_particles(s, c);
        const double    rate = pliant__kind_slots(c->kind) == 4 ? shear_rate(s, p, modulus) : stretch_rate(s, p, modulus);
        sum += rate;
        count += rate > 0;
    }
    return sum > 0 ? 2 * ratio / sqrt(sum / (double)count) : 0;
}

static bool damp_elements(pliant__reader *r, const pliant__node *node, pliant_body body, bool *any)
{
    pliant_scene *s = r->scene;
    for (uint32_t i = 0; i < s->laws.count; i++) {
        pliant__draft_law *law = &s->laws.data[i];
        if (law->body != body.id - 1 || !(law->law.compliance > 0) || (strcmp(law->role, "solid") != 0 && strcmp(law->role, "sheet") != 0))
            continue;
        *any = true;
        const pliant_real time = (pliant_real)time_of(s, i, r->ratio);
        s->bodies.data[body.id - 1].material.damping_time = time;
        law->law = pliant__law_in_time(&s->bodies.data[body.id - 1].material, &law->law);
        if (!r_finite(law->law.damping)) return pliant__complain(r, node, "a damping_ratio of %g is too large for these masses", r->ratio);
    }
    return true;
}

static bool any_gives_way(const pliant_scene *s, pliant_body body)
{
    for (size_t i = 0; i < s->laws.count; i++)
        if (s->laws.data[i].body == body.id - 1 && s->laws.data[i].law.compliance > 0) return true;
    return false;
}

bool pliant__damp_body(pliant__reader *r, const pliant__node *node, pliant_body body)
{
    bool       any = r->ratio < 0;
    const bool time = r->scene->bodies.data[body.id - 1].material.damping_time > 0;
    if (time && !any_gives_way(r->scene, body))
        return pliant__complain(
            r, node, "nothing of this body gives way, and damping_time is of what does; give it a compliance, or leave that out");
    if (r->ratio < 0) return true;
    if (!damp_elements(r, node, body, &any)) return false;
    if (r->ratio_of_stretch < 0 && !damp_rows(r, node, body, "stretch", r->ratio, &any)) return false;
    if (r->ratio_of_shear < 0 && !damp_rows(r, node, body, "shear", r->ratio, &any)) return false;
    return any ||
           pliant__complain(r, node,
                            "no length, tetrahedron or triangle of this body gives way, and the material's damping_ratio is of these; "
                            "give it a compliance, or leave that out");
}
