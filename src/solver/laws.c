/* The length of a substep, and the laws of rows for it. */
#include "solver/laws.h"

#include "base/trig.h"
#include "constraints/eval.h"
#include "solver/energies.h"
#include "solver/interactions.h"
#include "solver/method.h"
#include "solver/solver.h"
#include "solver/sweep.h"
#include "state/inputs.h"

pliant_real pliant__sweep_stiffness(double stiffness, uint32_t iterations)
{
    return (pliant_real)(1 - pliant__pow(1 - stiffness, 1.0 / iterations));
}

/* Laws as this step has them; true if any needs its multiplier from one iteration to the next. */
static bool ready_laws(pliant_solver *s)
{
    bool   needed = false;
    double k = 1;
    s->softened = s->damped = s->limited = false;
    pliant_real sweep_k = 1;
    for (size_t i = 0; i < model_count(s->model, laws); i++) {
        const pliant__model_law *m = &s->inputs->law[i];
        pliant_law               law = pliant_law_default();
        law.compliance = m->compliance;
        law.damping = m->damping;
        law.range_min = m->range_min;
        law.range_max = m->range_max;
        if ((double)m->stiffness != k) {
            k = (double)m->stiffness;
            sweep_k = pliant__sweep_stiffness(k, s->iterations);
        }
        vlaw              ready = pliant__law_ready(&law, s->h, sweep_k);
        project_mode      mode = pliant__law_mode(&law, PLIANT_EQUAL);
        const pliant_real stiffness = ready.stiffness * s->method.relaxation;
        const double      ease = pliant__ease_of(s, m);
        const bool        soft = mode.compliant || stiffness != 1 || ease > 1;
        s->laws[i] = (pliant__law_now){ready.alpha, ready.gamma, stiffness, ready.low, ready.high, (pliant_real)ease, soft, mode.damped};
        needed = needed || m->compliance > 0 || m->limit != PLIANT_EQUAL;
        s->limited = s->limited || m->limit != PLIANT_EQUAL;
        const pliant__model_law *was = &s->model->laws[i];
        s->softened = s->softened || (soft && !(was->compliance > 0));
        s->damped = s->damped || (mode.damped && !(was->compliance > 0 && was->damping > 0));
    }
    return needed && s->iterations > 1;
}

void pliant__set_h(pliant_solver *s, double h)
{
    s->h = h;
    s->rh = (pliant_real)h;
    s->keep_lambda = ready_laws(s) || (s->limited && pliant__is_bdf2(s->model)) || s->def.measure || s->def.trace ||
                     (s->energies && s->energies->leads) || pliant__breaks(s->model) || pliant__lambda_is_needed(s) ||
                     (s->method_row->needs & PLIANT__NEEDS_LAMBDA);
}
