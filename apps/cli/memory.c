/* The memory that a scene may take. A system that promises more than it has ends a process that uses it up, without a word; so the command asks how much
 * memory there is, counts its own, and refuses a block while it can still print a message. */
#define _DEFAULT_SOURCE /* aligned_alloc, sysconf */
#include "cli.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define HEAD 64u /* before each block: its bytes */

static struct {
    uint64_t         most; /* bytes that there are; 0: not asked yet */
    _Atomic uint64_t taken;
    _Atomic uint64_t refused; /* bytes with the first block that was refused */
} memory;

/* "NAME: 123 kB" of a file as /proc has them; `least` where it does not say. */
static uint64_t line_of(const char *path, const char *name, uint64_t unit, uint64_t least)
{
    char               line[256];
    unsigned long long value;
    FILE              *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        const size_t length = strlen(name);
        if (strncmp(line, name, length) != 0 || sscanf(line + length, "%llu", &value) != 1) continue;
        if (value * unit < least) least = value * unit;
        break;
    }
    if (file) fclose(file);
    return least;
}

/* The least of the machine's free memory, the container's and the shell's limit. */
static uint64_t bytes_there(void)
{
    const long    pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    uint64_t      most = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : UINT64_MAX;
    struct rlimit limit;
    most = line_of("/proc/meminfo", "MemAvailable:", 1024, most);
    most = line_of("/sys/fs/cgroup/memory.max", "", 1, most);
    most = line_of("/sys/fs/cgroup/memory/memory.limit_in_bytes", "", 1, most);
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < most) most = limit.rlim_cur;
    return most;
}

static void *take(size_t bytes, size_t align, void *context)
{
    (void)context;
    const uint64_t all = atomic_fetch_add(&memory.taken, bytes) + bytes;
    unsigned char *block = all <= memory.most ? aligned_alloc(align > HEAD ? align : HEAD, bytes + HEAD) : NULL;
    uint64_t       none = 0;
    if (!block) {
        atomic_fetch_sub(&memory.taken, bytes);
        atomic_compare_exchange_strong(&memory.refused, &none, all);
        return NULL;
    }
    memcpy(block, &bytes, sizeof bytes);
    return block + HEAD;
}

static bool room(uint64_t bytes, void *context)
{
    (void)context;
    const uint64_t all = atomic_load(&memory.taken) + bytes;
    uint64_t       none = 0;
    if (all <= memory.most) return true;
    atomic_compare_exchange_strong(&memory.refused, &none, all);
    return false;
}

static void give_back(void *block, void *context)
{
    size_t bytes;
    (void)context;
    memcpy(&bytes, (unsigned char *)block - HEAD, sizeof bytes);
    atomic_fetch_sub(&memory.taken, bytes);
    free((unsigned char *)block - HEAD);
}

pliant_allocator cli_memory(void)
{
    if (!memory.most) memory.most = bytes_there();
    return (pliant_allocator){take, give_back, NULL, room};
}

bool cli_memory_refused(uint64_t *wanted, uint64_t *there)
{
    *wanted = atomic_load(&memory.refused);
    *there = memory.most;
    return *wanted > 0;
}
