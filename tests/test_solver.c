/* Determinism */
#include "sample_scenes.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>
static void t(void **u)
{
    (void)u;
    for (uint32_t i = 0; i < sample_count; i++) {
        pliant_model *m = sample_model(&samples[i]);
        outcome o = sample_run(m, &samples[i], samples[i].frames, (way){0});
        print_message("%s %llx %llx waves %u particles %u\n", samples[i].name, (unsigned long long)o.state, (unsigned long long)o.report,
                      pliant_model_wave_count(m), pliant_model_particle_count(m));
        pliant_model_destroy(m);
    }
}
int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(t)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
