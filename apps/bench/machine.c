/* What machine this is. */
#define _GNU_SOURCE /* sched_getaffinity, _SC_LEVEL1_DCACHE_SIZE */
#include "bench.h"

#include <ctype.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sched.h>
#endif

const char *const bench_level_names[BENCH_LEVELS] = {"L1", "L2", "L3", "DRAM"};

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What stands behind "key : " in /proc/cpuinfo, for the first processor. */
static bool cpuinfo(const char *key, char *value, size_t size)
{
    char  line[512];
    bool  found = false;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !found && fgets(line, sizeof line, file)) {
        char  *colon = strchr(line, ':');
        size_t length = strlen(key);
        if (!colon || strncmp(line, key, length) != 0 || strspn(line + length, " \t") != (size_t)(colon - line) - length) continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(value, size, "%.*s", (int)strcspn(colon, "\r\n"), colon);
        found = true;
    }
    if (file) fclose(file);
    return found;
}

static uint32_t processors(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return (uint32_t)CPU_COUNT(&set);
#endif
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (uint32_t)n : 1;
}

/* Letters and digits, the rest as single dashes. */
static void append_word(char *name, size_t size, const char *text)
{
    size_t n = strlen(name);
    for (const char *c = text; *c && n + 2 < size; c++) {
        if (isalnum((unsigned char)*c))
            name[n++] = (char)tolower((unsigned char)*c);
        else if (n && name[n - 1] != '-')
            name[n++] = '-';
    }
    while (n && name[n - 1] == '-') n--;
    name[n] = 0;
}

/* Family and model tell processors apart that call themselves the same, as those of virtual machines do. */
static void name_machine(bench_machine *m)
{
    char family[16] = "", model[16] = "", end[64];
    if (!cpuinfo("model name", m->processor, sizeof m->processor)) snprintf(m->processor, sizeof m->processor, "unknown processor");
    append_word(m->name, sizeof m->name - 32, m->processor);
    if (cpuinfo("cpu family", family, sizeof family) && cpuinfo("model", model, sizeof model))
        snprintf(end, sizeof end, "-f%sm%s-%uc", family, model, m->processors);
    else
        snprintf(end, sizeof end, "-%uc", m->processors);
    append_word(m->name, sizeof m->name, end);
}

static size_t cache_size(int name, size_t otherwise, bool *guessed)
{
    long bytes = sysconf(name);
    if (bytes > 0) return (size_t)bytes;
    *guessed = true;
    return otherwise;
}

bench_machine bench_machine_here(void)
{
    bench_machine m = {.processors = processors()};
    name_machine(&m);
#ifdef _SC_LEVEL1_DCACHE_SIZE
    m.caches[BENCH_L1] = cache_size(_SC_LEVEL1_DCACHE_SIZE, 32 << 10, &m.guessed);
    m.caches[BENCH_L2] = cache_size(_SC_LEVEL2_CACHE_SIZE, 512 << 10, &m.guessed);
    m.caches[BENCH_L3] = cache_size(_SC_LEVEL3_CACHE_SIZE, 16 << 20, &m.guessed);
#else
    m.caches[BENCH_L1] = 32 << 10, m.caches[BENCH_L2] = 512 << 10, m.caches[BENCH_L3] = 16 << 20, m.guessed = true;
#endif
    return m;
}
