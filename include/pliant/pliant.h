/* Pliant: position-based dynamics in C. All of the library's headers; see docs/ for where to begin. */
#ifndef PLIANT_PLIANT_H
#define PLIANT_PLIANT_H

#include "pliant/base.h"
#include "pliant/constraints.h"
#include "pliant/methods.h"
#include "pliant/scene.h"
#include "pliant/model.h"
#include "pliant/state.h"
#include "pliant/solver.h"
#include "pliant/contact_log.h"
#include "pliant/query.h"

#endif
