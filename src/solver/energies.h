/* What a solver keeps that was asked for energies: energy.c and work.c. */
#ifndef PLIANT_SOLVER_ENERGIES_H
#define PLIANT_SOLVER_ENERGIES_H

#include "solver/solver.h"
#include "solver/sweep.h"
#include "state/state.h"

/* A row that may pull at something that moves by command. */
typedef struct pliant__led {
    uint32_t batch, row;
} pliant__led;

typedef struct pliant__chunk_energy {
    double kinetic, gravity, forces; /* J; forces: what uniform forces have done since the origin */
} pliant__chunk_energy;

typedef struct pliant__energies {
    pliant__law_now      *laws;                 /* as row_energy.h says */
    double               *rows;                 /* J, per packed row */
    pliant_real          *shared;               /* 4 per slot: x, and the inverse mass times the count of rows that share the particle */
    uint32_t             *sharing;              /* per slot: that count */
    uint32_t             *row_body, *slot_body; /* the model's; PLIANT__NONE: none */
    pliant_energy        *bodies;               /* of the step that runs, or ran */
    pliant__chunk_energy *chunks;
    pliant__led          *led;
    uint32_t              led_count;
    bool                  leads;    /* something may move by command that rows pull at: targets, or what sticks to colliders */
    pliant_real          *was;      /* 4 per slot: where the substep found it */
    pliant_real          *v;        /* 4 per slot: before contacts changed velocities */
    pliant_vec3          *skin_was; /* where the substep found targets of skins */
    bool                  known;    /* a step has ended */
} pliant__energies;

/* ---- work ---- */

static inline double pliant__dot(pliant_vec3 a, pliant_vec3 b)
{
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

static inline bool pliant__moves(pliant_vec3 a) { return a.x != 0 || a.y != 0 || a.z != 0; }

/* How far the particle of a slot has gone in this substep. */
static inline pliant_vec3 pliant__way_of(const pliant_solver *s, uint32_t slot)
{
    return v3_sub(pliant__slot_x(s->state->x, slot), pliant__slot_x(s->energies->was, slot));
}

#endif
