/* Opens the npm package `alembic`, which is a library of Node's, and asks it: alembic_main.exe ARCHIVE FRAMES MILLISECONDS */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

int main(int count, char **arguments)
{
    int (*run)(const char *, int, double);
    if (count != 4 || !LoadLibraryA("umabcio.node")) {
        fprintf(stderr, "the package cannot be opened: %lu\n", GetLastError());
        return 1;
    }
    FARPROC found = GetProcAddress(GetModuleHandleA("node.dll"), "run");
    memcpy(&run, &found, sizeof run);
    return run(arguments[1], atoi(arguments[2]), atof(arguments[3]));
}
