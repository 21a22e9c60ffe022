#include <stdio.h>
float f = 0.1f;
__attribute__((noinline)) static float mix(float a, float b, int n) { return a * b + (float)n / 3.0f; }
int main(void) {
    for (int i = -3; i < 4; i++) { f = mix(f, (float)i + 0.5f, i); printf("%a %d ", f, f < 0.0f); }
    printf("%d %d\n", f != f, (int)f); return 0;
}
