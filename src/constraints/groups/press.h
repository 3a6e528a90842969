/* What groups over faces are made of: laws of a pressure over the volume inside. */
#ifndef PLIANT_CONSTRAINTS_GROUPS_PRESS_H
#define PLIANT_CONSTRAINTS_GROUPS_PRESS_H

#include "base/trig.h"
#include "pliant/groups.h"

#include <stdbool.h>

/* At a volume. Of each kind NAME: void NAME_press(number, rest, volume, out), numbers as its row has them, `rest` m^3; and double NAME_lost(number, rest,
 * volume, h): by how much its first number falls in h seconds at that volume; bool NAME_may_lose(number): whether it ever does; and double
 * NAME_pumped(rest, volume, pressure): J, by how much the energy grows with its first number. */
typedef struct press {
    double pressure; /* Pa, on the faces from within, less what presses from outside */
    double slope;    /* Pa/m^3, by how much it falls where the volume grows; never below 0, so that a step is stable however long it is */
    double energy;   /* J, 0 at some volume */
} press;

#define AIR 101325.0 /* Pa, at which a gas has its density */

/* An opening, and for how long it is looked at. Of each kind double NAME_blown(number, rest, volume, opening): by how much its first number falls by what flows
 * out of it at that volume. */
typedef struct opening {
    double jet;     /* m^2, the cross section of what flows */
    double density; /* kg/m^3 of the gas at AIR */
    double h;       /* s */
} opening;

#endif
