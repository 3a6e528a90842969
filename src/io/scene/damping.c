/* Damping that a scene says by a ratio. Of a row of lengths between particles of inverse masses w, with a compliance alpha, which swings by itself as a mass
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
