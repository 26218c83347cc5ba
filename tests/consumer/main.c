/* The same in C: <artel.h> must be a C header. */
#include <artel.h>
#include <stdio.h>

int main(void)
{
    printf("artel %s\n", artel_version());
    return 0;
}
