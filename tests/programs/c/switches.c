#include <stdio.h>
static int small(int x) {
    switch (x) { case 0: return 5; case 1: return 77; case 2: return 8; case 3: return 1234; case 4: return 9; case 5: return -1;
    case 6: puts("six"); return 4; case 7: return 13; default: return 0; }
}
static const char *sparse(int x) {
    switch (x) { case -5: return "a"; case 100: return "b"; case 1000: return "c"; case 70000: return "d"; case 5: return "e"; }
    return "none";
}
int main(void) {
    for (int i = -1; i < 10; i++) printf("%d ", small(i));
    static const int all[] = {-5, 100, 1000, 70000, 5, 6};
    for (int i = 0; i < 6; i++) printf("%s ", sparse(all[i]));
    puts(""); return 0;
}
