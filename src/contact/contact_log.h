/* What a step tells a log of contacts. */
#ifndef PLIANT_CONTACT_CONTACT_LOG_H
#define PLIANT_CONTACT_CONTACT_LOG_H

#include "pliant/contact_log.h"

/* Whether a log (NULL is allowed) is one of this model. */
bool pliant__is_log_of(const pliant_contact_log *log, const pliant_model *model, pliant_error *error);

void pliant__log_begin(pliant_contact_log *log);   /* a step */
void pliant__log_nothing(pliant_contact_log *log); /* a step without a substep */
void pliant__log_end(pliant_contact_log *log, uint32_t substeps);

void pliant__stage_log(pliant_solver *s);

#endif
