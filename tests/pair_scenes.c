#include "pair_scenes.h"

pliant_material fabric(double thickness)
{
    pliant_material m = plain_material();
    m.density = R(0.3);
    m.thickness = R(thickness);
    m.bend.compliance = R(1);
    return m;
}

void meets(pliant_body_def *body, bool itself)
{
    body->self_contact = itself;
    body->contact_mask = 1;
}

pliant_body add_sheet(trial *w, uint32_t cells, double size, double thickness, pliant_vec3 at, pliant_vec3 velocity)
{
    pliant_cloth_def d = pliant_cloth_def_default();
    d.cells_x = d.cells_z = cells;
    d.size_x = d.size_z = R(size);
    d.material = fabric(thickness);
    d.body.placement.position = at;
    d.body.velocity = velocity;
    meets(&d.body, true);
    const pliant_body body = pliant_scene_add_cloth(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

pliant_body add_jelly(trial *w, uint32_t cells, double size, double thickness, pliant_vec3 at, pliant_vec3 velocity, bool itself)
{
    pliant_soft_def d = pliant_soft_def_default();
    d.cells[0] = d.cells[1] = d.cells[2] = cells;
    d.extent = vec(size, size, size);
    d.material = plain_material();
    d.material.young = 0; /* rigid */
    d.material.density = 300;
    d.material.thickness = R(thickness);
    d.body.placement.position = at;
    d.body.velocity = velocity;
    meets(&d.body, itself);
    const pliant_body body = pliant_scene_add_soft(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

pliant_body add_rope(trial *w, pliant_vec3 from, pliant_vec3 to, double thickness, double rolling)
{
    pliant_rope_def d = pliant_rope_def_default();
    d.from = from;
    d.to = to;
    d.segments = 12;
    d.material = plain_material();
    d.material.thickness = R(thickness);
    d.material.friction_static = d.material.friction_dynamic = rolling < 0 ? -1 : R(0.5);
    d.material.rolling_friction = R(rolling);
    meets(&d.body, true);
    const pliant_body body = pliant_scene_add_rope(w->scene, &d, NULL);
    assert_int_not_equal(body.id, 0);
    return body;
}

static void add_ball(trial *w, double radius, double y)
{
    pliant_collider_def d = pliant_collider_def_default(PLIANT_SHAPE_SPHERE);
    d.radius = R(radius);
    d.pose.position = vec(0, y, 0);
    d.friction_static = R(0.4);
    d.friction_dynamic = R(0.3);
    add_collider(w, &d);
}

void pin_corners(trial *w, pliant_body sheet, uint32_t cells)
{
    const uint32_t corner[4] = {0, cells, cells * (cells + 1), cells * (cells + 2)};
    assert_int_equal(pliant_scene_pin(w->scene, sheet, corner, 4, false, NULL), PLIANT_OK);
}

static pliant_contact_pair_def pair_of(pliant_body a, pliant_body b)
{
    pliant_contact_pair_def d = pliant_contact_pair_def_default();
    d.body = a;
    d.other = b;
    return d;
}

void say_pair(trial *w, pliant_body a, pliant_body b, double friction, double restitution)
{
    pliant_contact_pair_def d = pair_of(a, b);
    d.friction_static = d.friction_dynamic = R(friction);
    d.restitution = R(restitution);
    assert_int_equal(pliant_scene_contact_pair(w->scene, &d, NULL), PLIANT_OK);
}

void say_ignored(trial *w, pliant_body a, pliant_body b)
{
    pliant_contact_pair_def d = pair_of(a, b);
    d.ignore = true;
    assert_int_equal(pliant_scene_contact_pair(w->scene, &d, NULL), PLIANT_OK);
}

void say_sticky(trial *w, pliant_body a, pliant_body b, double friction, double adhesion)
{
    pliant_contact_pair_def d = pair_of(a, b);
    d.friction_static = d.friction_dynamic = R(friction);
    d.adhesion = R(adhesion);
    assert_int_equal(pliant_scene_contact_pair(w->scene, &d, NULL), PLIANT_OK);
}

/* It falls on its lower edge, a little aslant, and crumples. */
static void crumples(trial *w)
{
    pliant_cloth_def d = pliant_cloth_def_default();
    d.cells_x = d.cells_z = 18;
    d.size_x = d.size_z = R(0.6);
    d.material = fabric(0.006);
    d.body.placement.position = vec(0, 0.35, 0);
    d.body.placement.rotation = (pliant_quat){R(0.6), R(0.2), R(0.1), R(0.768)};
    meets(&d.body, true);
    assert_int_not_equal(pliant_scene_add_cloth(w->scene, &d, NULL).id, 0);
    const pliant_collider_def floor = plane_def(0, 0.5, 0.4, 0);
    add_collider(w, &floor);
}

static void falls_in_sheets(trial *w)
{
    for (int i = 0; i < 3; i++) add_sheet(w, 14, 0.8, 0.006, vec(0.02 * i, 0.45 + 0.03 * i, 0.01 * i), vec(0, 0, 0));
    add_ball(w, 0.2, 0.2);
    const pliant_collider_def floor = plane_def(0, 0.5, 0.4, 0);
    add_collider(w, &floor);
}

static void is_shot(trial *w)
{
    for (int i = 0; i < 2; i++) pin_corners(w, add_sheet(w, 12, 0.8, 0.01, vec(0, -0.05 * i, 0), vec(0, 0, 0)), 12);
    add_jelly(w, 3, 0.2, 0.01, vec(0, 0.2, 0), vec(0, -20, 0), true);
}

static void meets_jelly(trial *w)
{
    add_jelly(w, 3, 0.3, 0.01, vec(-0.4, 0, 0), vec(2, 0, 0), false);
    add_jelly(w, 4, 0.3, 0.01, vec(0.1, 0.05, 0.02), vec(-2, 0, 0), false);
    add_rope(w, vec(-0.4, 0.45, 0.1), vec(0.4, 0.45, 0.15), 0.01, -1);
    add_sheet(w, 8, 0.5, 0.01, vec(0, 0.6, 0.1), vec(0, -1, 0));
}

/* A motion that all particles share is no approach, however fast. */
static void flies_together(trial *w)
{
    for (int i = 0; i < 3; i++) add_sheet(w, 12, 0.6, 0.006, vec(0.01 * i, 0.02 * i, 0), vec(40, 3 - 3 * i, -25));
    add_jelly(w, 3, 0.15, 0.006, vec(0.05, 0.2, 0), vec(40, -6, -25), false);
}

/* Sheets and a jelly that hold on to each other, and ropes that roll on them. */
static void clings(trial *w)
{
    pliant_body body[4];
    for (int i = 0; i < 3; i++) body[i] = add_sheet(w, 12, 0.6, 0.006, vec(0.02 * i, 0.45 + 0.03 * i, 0.01 * i), vec(0, 0, 0));
    body[3] = add_jelly(w, 2, 0.15, 0.006, vec(0, 0.65, 0), vec(0, -1, 0), false);
    for (int i = 0; i < 3; i++) say_sticky(w, body[i], body[i + 1], 0.3, 0.02);
    add_rope(w, vec(-0.4, 0.6, 0.1), vec(0.3, 0.62, 0.15), 0.01, 0.02);
    add_rope(w, vec(-0.1, 0.68, -0.4), vec(-0.15, 0.66, 0.4), 0.01, 0.05);
    add_ball(w, 0.2, 0.2);
}

const pair_scene pair_scenes[PAIR_SCENES] = {
    [CRUMPLES] = {"a sheet that falls on its edge", crumples, 70},
    [FALLS_IN_SHEETS] = {"three sheets on a ball", falls_in_sheets, 50},
    [IS_SHOT] = {"a jelly at 20 m/s against two sheets", is_shot, 40},
    [MEETS_JELLY] = {"jellies, a rope and a sheet", meets_jelly, 60},
    [FLIES_TOGETHER] = {"sheets and a jelly that fly together", flies_together, 40},
    [CLINGS] = {"sheets and a jelly that hold on to each other, and ropes", clings, 50},
};

void begin_bound(trial *w, pliant_contact_bound bound)
{
    trial_begin(w, 9.81, 10, 1);
    pliant_scene_destroy(w->scene);
    w->def.contact_bound = bound;
    trial_begin_def(w);
}

void begin_pairs(trial *w, const pair_scene *scene, pliant_contact_bound bound)
{
    begin_bound(w, bound);
    scene->build(w);
    trial_compile(w);
}
