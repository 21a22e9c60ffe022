#include <stdarg.h>
#include <stdio.h>
static int sum(int n, ...) {
    va_list list; va_start(list, n); int all = 0;
    while (n--) all += va_arg(list, int);
    va_end(list); return all;
}
static double mean(int n, ...) {
    va_list list; va_start(list, n); double all = 0;
    for (int i = 0; i < n; i++) all += va_arg(list, double);
    va_end(list); return all / n;
}
static void say(const char *format, ...) { va_list list; va_start(list, format); vprintf(format, list); va_end(list); }
int main(void) {
    say("%d %g\n", sum(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), mean(3, 1.5, 2.5, 4.0));
    say("%s %c %ld %g\n", "text", 'x', 1L << 40, 0.125);
    return 0;
}
