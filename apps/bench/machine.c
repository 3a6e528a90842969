/* The machine: processor, caches, a name for files. */
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

/* The text behind "key : " in /proc/cpuinfo, for the first processor. */
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

/* Bytes of a data cache of the first processor, its own or shared, as Linux says; 0 if it does not say. */
static size_t cache_of_linux(int level)
{
    char path[96], type[16], unit;
    for (int index = 0; index < 8; index++) {
        unsigned size;
        int      its = 0;
        bool     data = false;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/level", index);
        FILE *file = fopen(path, "r");
        if (!file) return 0;
        if (fscanf(file, "%d", &its) != 1) its = 0;
        fclose(file);
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type", index);
        file = fopen(path, "r");
        if (file) {
            data = fscanf(file, "%15s", type) == 1 && strcmp(type, "Instruction") != 0;
            fclose(file);
        }
        if (its != level || !data) continue;
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
        file = fopen(path, "r");
        if (!file) return 0;
        const int read = fscanf(file, "%u%c", &size, &unit);
        fclose(file);
        return read == 2 ? (size_t)size << (unit == 'M' ? 20 : 10) : 0;
    }
    return 0;
}

/* The C library's L3 may be that of all processors together: it comes second. */
static size_t cache_size(int level, int name, size_t otherwise, bool *guessed)
{
    size_t said = cache_of_linux(level);
    if (said) return said;
    long bytes = name < 0 ? 0 : sysconf(name);
    if (bytes > 0) return (size_t)bytes;
    *guessed = true;
    return otherwise;
}

#ifndef _SC_LEVEL1_DCACHE_SIZE
#define _SC_LEVEL1_DCACHE_SIZE -1
#define _SC_LEVEL2_CACHE_SIZE -1
#define _SC_LEVEL3_CACHE_SIZE -1
#endif

/* Bytes: the most that one processor reaches of a cache of the third level. Where it is in parts, of 96 MB at the most so far, the system may say their sum. */
#define MOST_L3 (96u << 20)

bench_machine bench_machine_here(void)
{
    bench_machine m = {.processors = processors()};
    name_machine(&m);
    m.caches[BENCH_L1] = cache_size(1, _SC_LEVEL1_DCACHE_SIZE, 32 << 10, &m.guessed);
    m.caches[BENCH_L2] = cache_size(2, _SC_LEVEL2_CACHE_SIZE, 512 << 10, &m.guessed);
    m.caches[BENCH_L3] = cache_size(3, _SC_LEVEL3_CACHE_SIZE, 16 << 20, &m.guessed);
    if (m.caches[BENCH_L3] > MOST_L3) m.caches[BENCH_L3] = MOST_L3;
    return m;
}
