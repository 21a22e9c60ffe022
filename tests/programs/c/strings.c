#include <stdio.h>
#include <string.h>
static char buffer[64] = "begin: ";
static const char *const names[] = {"a;b", "# no comment", "tab\t\"quoted\"", "\001\377\n", "caf\xc3\xa9"};
int main(void) {
    for (int i = 0; i < 5; i++) { strcat(buffer, names[i]); printf("%zu ", strlen(names[i])); }
    puts(buffer); printf("%d\n", memcmp(names[0], names[1], 3) > 0); return 0;
}
