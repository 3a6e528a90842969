// A host in C++: its own job system, its own rigid body, and rollback. A ball that the host integrates falls on a trampoline that Pliant simulates; the ball is
// a collider there, and the push on it comes back as a force. Then an input arrives that is eight frames late.
//
//     c++ -std=c++17 host.cpp $(pkg-config --cflags --libs pliant) -o host && ./host
#include "pliant/pliant.h"

#include <array>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

// ---- jobs ----

// Threads of the host, which take the tasks of one batch after another by number; the thread that waits works, too.
class Jobs
{
  public:
    explicit Jobs(unsigned threads)
    {
        for (unsigned i = 0; i < threads; i++) workers.emplace_back([this] { work(); });
    }
    Jobs(const Jobs &) = delete;
    Jobs &operator=(const Jobs &) = delete;
    ~Jobs()
    {
        {
            const std::lock_guard<std::mutex> lock(mutex);
            ends = true;
        }
        wake.notify_all();
        for (std::thread &worker : workers) worker.join();
    }

    pliant_tasks tasks()
    {
        pliant_tasks t;
        t.enqueue = [](void (*task)(void *, uint32_t), void *data, uint32_t count, void *context) {
            static_cast<Jobs *>(context)->enqueue(task, data, count);
        };
        t.wait = [](void *context) { static_cast<Jobs *>(context)->wait(); };
        t.context = this;
        return t;
    }

  private:
    void enqueue(void (*next)(void *, uint32_t), void *with, uint32_t many)
    {
        {
            const std::lock_guard<std::mutex> lock(mutex);
            task = next, data = with, count = left = many, taken = 0;
        }
        wake.notify_all();
    }

    // Runs a task of the batch, if one waits; the lock is held before and after.
    bool run_one(std::unique_lock<std::mutex> &lock)
    {
        if (taken == count) return false;
        const uint32_t number = taken++;
        lock.unlock();
        task(data, number);
        lock.lock();
        if (!--left) done.notify_all();
        return true;
    }

    void wait()
    {
        std::unique_lock<std::mutex> lock(mutex);
        while (run_one(lock)) continue;
        done.wait(lock, [this] { return !left; });
    }

    void work()
    {
        std::unique_lock<std::mutex> lock(mutex);
        for (;;) {
            wake.wait(lock, [this] { return ends || taken < count; });
            if (ends) return;
            while (run_one(lock)) continue;
        }
    }

    std::mutex               mutex;
    std::condition_variable  wake, done;
    std::vector<std::thread> workers;
    void (*task)(void *, uint32_t) = nullptr;
    void    *data = nullptr;
    uint32_t count = 0, taken = 0, left = 0;
    bool     ends = false;
};

// ---- Pliant's objects, freed by themselves ----

template <auto Destroy> struct Freed {
    template <class T> void operator()(T *made) const { Destroy(made); }
};
using Scene = std::unique_ptr<pliant_scene, Freed<pliant_scene_destroy>>;
using Model = std::unique_ptr<pliant_model, Freed<pliant_model_destroy>>;
using Solver = std::unique_ptr<pliant_solver, Freed<pliant_solver_destroy>>;
using State = std::unique_ptr<pliant_state, Freed<pliant_state_destroy>>;
using Inputs = std::unique_ptr<pliant_inputs, Freed<pliant_inputs_destroy>>;

template <class T> static T need(T made, const pliant_error &error)
{
    if (made) return made;
    std::fprintf(stderr, "host: %s\n", error.message);
    std::exit(1);
}

static pliant_vec3 vec(double x, double y, double z)
{
    pliant_vec3 v;
    v.x = static_cast<pliant_real>(x), v.y = static_cast<pliant_real>(y), v.z = static_cast<pliant_real>(z);
    return v;
}

// ---- the host's own world ----

struct Ball {
    double x[3], v[3], radius, mass;
};

static pliant_pose pose_of(const Ball &ball)
{
    pliant_pose pose = pliant_pose_identity();
    pose.position = vec(ball.x[0], ball.x[1], ball.x[2]);
    return pose;
}

// A frame of this game: Pliant's state, and the host's ball.
struct Frame {
    State state;
    Ball  ball;
};

constexpr int    BACK = 8;
constexpr double DT = 1.0 / 60;

struct Game {
    Model           model;
    Solver          solver;
    Inputs          inputs;
    pliant_collider collider;

    // One frame. `kick`, m/s along x, is what a player does to the ball in it.
    void step(pliant_state *state, Ball &ball, double kick) const
    {
        ball.v[0] += kick;
        pliant_inputs_reset(inputs.get(), DT);
        for (int i = 0; i < 3; i++) ball.x[i] += DT * ball.v[i];
        const pliant_pose pose = pose_of(ball);
        pliant_inputs_collider(inputs.get(), collider, &pose);
        if (pliant_solver_step(solver.get(), state, inputs.get()) != PLIANT_OK) {
            std::fprintf(stderr, "host: the step failed\n");
            std::exit(1);
        }
        pliant_vec3 force, torque;
        pliant_solver_collider_load(solver.get(), collider, &force, &torque);
        const double push[3] = {static_cast<double>(force.x), static_cast<double>(force.y), static_cast<double>(force.z)};
        for (int i = 0; i < 3; i++) ball.v[i] += DT * (push[i] / ball.mass - (i == 1 ? 9.81 : 0));
    }
};

static Game make_game(const Ball &ball, pliant_tasks tasks)
{
    pliant_error     error;
    Game             game;
    const Scene      scene(need(pliant_scene_create(nullptr, &error), error));
    pliant_cloth_def sheet = pliant_cloth_def_default();
    sheet.cells_x = sheet.cells_z = 48;
    sheet.size_x = sheet.size_z = 2;
    sheet.material = pliant_material_preset(PLIANT_RUBBER_SHEET);
    const pliant_body body = pliant_scene_add_cloth(scene.get(), &sheet, &error);
    if (!body.id) need<void *>(nullptr, error);
    std::vector<uint32_t> rim;
    for (uint32_t i = 0; i < 49 * 49; i++)
        if (i < 49 || i >= 48 * 49 || i % 49 == 0 || i % 49 == 48) rim.push_back(i);
    if (pliant_scene_pin(scene.get(), body, rim.data(), rim.size(), false, &error) != PLIANT_OK) need<void *>(nullptr, error);
    game.collider = pliant_scene_add_sphere(scene.get(), static_cast<pliant_real>(ball.radius), pose_of(ball), &error);
    if (!game.collider.id) need<void *>(nullptr, error);
    game.model.reset(need(pliant_scene_compile(scene.get(), &error), error));
    pliant_solver_def def = pliant_solver_def_default();
    def.tasks = tasks;
    def.loads = true;
    game.solver.reset(need(pliant_solver_create(game.model.get(), &def, &error), error));
    game.inputs.reset(need(pliant_inputs_create(game.model.get(), &error), error));
    return game;
}

int main()
{
    Jobs         jobs(3);
    const Ball   start = {{0, 0.8, 0}, {0, 0, 0}, 0.2, 3};
    const Game   game = make_game(start, jobs.tasks());
    pliant_error error;

    // A ring of the last eight frames, each a state made once: copying one is a memcpy.
    std::array<Frame, BACK> ring;
    for (Frame &frame : ring) frame.state.reset(need(pliant_state_create(game.model.get(), &error), error));
    const State now(need(pliant_state_create(game.model.get(), &error), error)),
        late(need(pliant_state_create(game.model.get(), &error), error));
    Ball   ball = start;
    double lowest = ball.x[1], highest = 0;

    constexpr int FRAMES = 180, KICKED = 90; // the kick of frame 90 is known when frame 98 begins
    for (int frame = 0; frame < FRAMES; frame++) {
        if (frame == KICKED + BACK) { // back to where frame 90 began, and the eight frames again, with what was missing
            const Frame &then = ring[KICKED % BACK];
            pliant_state_copy(now.get(), then.state.get());
            ball = then.ball;
            for (int again = KICKED; again < frame; again++) game.step(now.get(), ball, again == KICKED ? 0.5 : 0);
        }
        Frame &keep = ring[static_cast<size_t>(frame % BACK)];
        pliant_state_copy(keep.state.get(), now.get());
        keep.ball = ball;
        game.step(now.get(), ball, 0);
        if (ball.x[1] < lowest) lowest = ball.x[1];
        if (frame > 60 && ball.x[1] > highest) highest = ball.x[1];
    }
    std::printf("the ball falls to %.2f m, and is thrown up to %.2f m\n", lowest, highest);

    // The same game without the delay comes to the same bits.
    Ball other = start;
    for (int frame = 0; frame < FRAMES; frame++) game.step(late.get(), other, frame == KICKED ? 0.5 : 0);
    const bool same = pliant_state_hash(now.get()) == pliant_state_hash(late.get()) && !std::memcmp(other.x, ball.x, sizeof ball.x);
    std::printf("with rollback and without: %s\n", same ? "the same bits" : "not the same");
    return same && lowest < 0 && highest > 0.2 ? 0 : 1;
}
