#include <stdio.h>
struct small { char a; short b; }; struct medium { long a; double b; }; struct large { int all[20]; };
__attribute__((noinline)) static struct small make(int x) { struct small s = {x, x * 3}; return s; }
__attribute__((noinline)) static struct medium mix(struct small s, double d) { struct medium m = {s.a + s.b, d * s.b}; return m; }
__attribute__((noinline)) static struct large fill(struct medium m) { struct large l; for (int i = 0; i < 20; i++) l.all[i] = m.a * i; return l; }
int main(void) {
    struct medium m = mix(make(-7), 0.5); struct large l = fill(m);
    printf("%ld %g %d %d\n", m.a, m.b, l.all[19], l.all[1]); return 0;
}
