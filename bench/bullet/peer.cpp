/* Bullet behind a C interface; compiled with the flags of a user of it, not with those that keep Pliant's results the same everywhere. */
#include "peer.h"

#include <BulletSoftBody/btSoftBody.h>
#include <BulletSoftBody/btSoftBodyHelpers.h>

#include <cmath>
#include <memory>
#include <new>
#include <vector>

struct peer {
    btSoftBodyWorldInfo         world;
    std::unique_ptr<btSoftBody> body;
    std::vector<btVector3>      x, v; /* as marked */
};

static void fill(peer &p, uint32_t points, const float *positions, const float *masses, uint32_t links, const uint32_t *ends,
                 uint32_t iterations)
{
    std::vector<btVector3> x;
    for (uint32_t i = 0; i < points; i++) x.emplace_back(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
    p.world.m_gravity = btVector3(0, -9.81f, 0);
    p.world.air_density = 0;
    p.world.water_density = 0;
    p.world.m_sparsesdf.Initialize();
    p.body.reset(new btSoftBody(&p.world, static_cast<int>(points), x.data(), masses));
    p.body->m_materials[0]->m_kLST = 1;
    for (uint32_t i = 0; i < links; i++) p.body->appendLink(static_cast<int>(ends[2 * i]), static_cast<int>(ends[2 * i + 1]));
    p.body->m_cfg.piterations = static_cast<int>(iterations);
    p.body->m_cfg.collisions = 0;
    btSoftBodyHelpers::ReoptimizeLinkOrder(p.body.get());
}

peer *peer_create(uint32_t points, const float *positions, const float *masses, uint32_t links, const uint32_t *ends, uint32_t iterations)
{
    try {
        std::unique_ptr<peer> p(new peer);
        fill(*p, points, positions, masses, links, ends, iterations);
        peer_mark(p.get());
        return p.release();
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

void peer_destroy(peer *p) { delete p; }

void peer_step(peer *p, float dt)
{
    p->body->predictMotion(dt);
    p->body->solveConstraints();
    p->body->integrateMotion();
}

void peer_mark(peer *p)
{
    p->x.clear();
    p->v.clear();
    for (int i = 0; i < p->body->m_nodes.size(); i++) {
        p->x.push_back(p->body->m_nodes[i].m_x);
        p->v.push_back(p->body->m_nodes[i].m_v);
    }
}

void peer_rewind(peer *p)
{
    for (int i = 0; i < p->body->m_nodes.size(); i++) {
        p->body->m_nodes[i].m_x = p->x[static_cast<size_t>(i)];
        p->body->m_nodes[i].m_v = p->v[static_cast<size_t>(i)];
    }
}

double peer_stretch(const peer *p)
{
    const int count = p->body->m_links.size();
    double    sum = 0;
    for (int i = 0; i < count; i++) {
        const btSoftBody::Link &l = p->body->m_links[i];
        const double            length = static_cast<double>((l.m_n[0]->m_x - l.m_n[1]->m_x).length());
        sum += std::fabs(length / static_cast<double>(l.m_rl) - 1);
    }
    return count ? sum / count : 0;
}

int peer_version(void) { return btGetVersion(); }
