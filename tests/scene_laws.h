/* What holds for every scene file, whatever it says: a table of laws, and a judge that tries a scene against them in a process of its own, so that a
 * crash is a verdict, too. */
#ifndef PLIANT_TESTS_SCENE_LAWS_H
#define PLIANT_TESTS_SCENE_LAWS_H

#include "json_tree.h"

#include "pliant/io.h"

#include <stdint.h>

/* A scene that was taken, and what its first run came to: all other runs are compared with that one. */
typedef struct scene_case {
    const json       *scene;
    const char       *text;
    uint64_t          number;
    pliant_model_file file;
    uint32_t          frames;
    bool              odd;  /* numbers at the ends: no law about where things are */
    bool              bits; /* promised: all but for sparse factors of another library */
    pliant_code       code; /* of the last step */
    uint32_t          done; /* frames until it ended or diverged */
    uint64_t          hash; /* of the states after each frame */
} scene_case;

typedef enum law_answer { LAW_KEPT, LAW_BROKEN, LAW_NOT_ASKED } law_answer;

typedef struct scene_law {
    const char *name, *text;
    law_answer (*check)(const scene_case *c, char why[256]);
} scene_law;

extern const scene_law scene_laws[];
extern const int       scene_law_count;

enum { SCENE_LAWS_MOST = 32, SCENE_TAKEN = -1, SCENE_REFUSED = -2, SCENE_CRASHED = -3, SCENE_UNCLEAR = -4, SCENE_LATE = -5 };

typedef struct scene_verdict {
    int result; /* TAKEN or REFUSED: all is well; the number of the law that it breaks; CRASHED; UNCLEAR: refused in no line, or in several; LATE */
    bool asked[SCENE_LAWS_MOST]; /* laws that had something to say */
    char why[512];               /* or the message of what refused it */
} scene_verdict;

/* Tries a scene against law `only`, or against all (-1), in the working folder, in at most so many seconds of a processor (0: any number). */
scene_verdict scene_judge(const json *scene, uint64_t number, int only, unsigned seconds);

/* Whether the verdict is a fault, and what of. */
bool        scene_is_fault(const scene_verdict *v);
const char *scene_fault_name(const scene_verdict *v);

/* For laws that run a model by themselves. */
typedef struct scene_way {
    uint32_t width, threads;
    bool     rebuild;
} scene_way;

typedef struct scene_end {
    uint64_t    hash;
    uint32_t    done;
    pliant_code code;
} scene_end;

/* Goes on from frame `from` to `to` with a state that the caller made. */
scene_end scene_go(const scene_case *c, const pliant_model *model, pliant_state *state, scene_end so_far, uint32_t from, uint32_t to,
                   scene_way way);

pliant_solver *scene_solver(const pliant_model *model, scene_way way, pliant_error *error);

/* Whether any object in it has one of the keys between spaces. */
bool scene_says(const json *scene, const char *keys);

/* scene_motion.c */
law_answer scene_motion(const scene_case *c, char why[256]);
law_answer scene_momentum(const scene_case *c, char why[256]);

#endif
