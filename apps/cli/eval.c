/* pliant eval: one constraint by itself, by the very text that the solver runs. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct eval_options {
    cli_operands operands;
} eval_options;

/* Standard input to its end; NULL if there is no memory. */
static char *read_input(size_t *length)
{
    size_t room = 65536;
    char  *text = malloc(room);
    *length = 0;
    while (text) {
        size_t got = fread(text + *length, 1, room - *length, stdin);
        *length += got;
        if (*length < room) return text;
        if (room > (size_t)1 << 28) break;
        char *more = realloc(text, room *= 2);
        if (!more) break;
        text = more;
    }
    free(text);
    return NULL;
}

static void print_list(const pliant_real *numbers, uint32_t count)
{
    printf("[");
    for (uint32_t i = 0; i < count; i++) {
        printf("%s", i ? ", " : "");
        cli_print_json_number((double)numbers[i], 17);
    }
    printf("]");
}

/* One row: a number; several: a list of them. */
static void print_rows(const char *key, const pliant_real *numbers, uint32_t rows)
{
    printf("\"%s\": ", key);
    if (rows == 1)
        cli_print_json_number((double)numbers[0], 17);
    else
        print_list(numbers, rows);
}

static void print_points(const pliant_real points[][3], uint32_t count)
{
    printf("[");
    for (uint32_t i = 0; i < count; i++) {
        printf("%s", i ? ", " : "");
        print_list(points[i], 3);
    }
    printf("]");
}

static void print_result(const pliant_constraint_info *info, const pliant_eval_output *out)
{
    printf("{");
    print_rows("C", out->C, info->rows);
    printf(", \"grads\": [");
    for (uint32_t r = 0; r < info->rows; r++) {
        printf("%s", r ? ", " : "");
        print_points(out->gradient[r], info->slots);
    }
    printf("], ");
    print_rows("denominator", out->denominator, info->rows);
    printf(", ");
    print_rows("dlambda", out->dlambda, info->rows);
    printf(", \"dx\": ");
    print_points(out->dx, info->slots);
    printf("}\n");
}

static int run(const void *given)
{
    const eval_options           *o = given;
    const pliant_constraint_info *info = pliant_constraint_find(o->operands.operand[0]);
    if (!info) return cli_usage_error("eval: no constraint is called %s (pliant info lists them)", o->operands.operand[0]);
    size_t length;
    char  *text = read_input(&length);
    if (!text) return cli_usage_error("eval: the case on standard input is too large");
    pliant_eval_input  in;
    pliant_eval_output out;
    pliant_error       error = {0};
    bool               ok = pliant_eval_read_text(info->kind, text, length, "stdin", &in, &error) == PLIANT_OK;
    free(text);
    if (!ok) return cli_fail(&error);
    error.code = pliant_constraint_eval(info->kind, &in, &out);
    if (error.code != PLIANT_OK) return cli_fail(&error);
    print_result(info, &out);
    return CLI_GOOD;
}

const cli_verb cli_eval = {
    "eval",
    "KIND",
    1,
    1,
    "evaluate and project one constraint by itself",
    "Reads a case from standard input, {\"x\": [[x, y, z], ...], \"w\": [...], \"params\": {...}, \"alpha\": 0, \"dt\": 0.01,\n"
    "\"lambda\": 0}, and prints C, its gradients (row, particle, axis), the denominator, the change of lambda, and the corrections,\n"
    "with 17 digits. pliant info lists the kinds. Optional: \"beta\" (damping) with \"start\" (positions at the start of the\n"
    "substep), \"stiffness\", \"limit\" and \"range\"; \"at_rest\" (positions) instead of \"params\", which are measured there then.",
    NULL,
    0,
    sizeof(eval_options),
    run};
