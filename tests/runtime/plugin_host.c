// Opens, uses and closes a plug-in with regions five times. Argument: the plug-in. This program
// itself knows nothing of OpenMP.
#include <dlfcn.h>
#include <stdio.h>

int main(int count, char** arguments)
{
    for (int i = 0; count > 1 && i < 5; i++) {
        void* const plugin = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
        if (plugin == NULL) {
            puts(dlerror());
            return 1;
        }
        int (*work)(void);
        *(void**)&work = dlsym(plugin, "plugin_work");
        if (work == NULL || work() != 6) {
            return 2;
        }
        dlclose(plugin);
    }
    puts("closed");
    return 0;
}
