#include <stdio.h>
__attribute__((visibility("hidden"))) int secret = 11; __attribute__((visibility("protected"))) int guarded = 5;
__attribute__((visibility("hidden"), noinline)) int reveal(int x) { return secret + x; }
extern char **environ;
int main(void) { printf("%d %d %d\n", reveal(guarded), secret, environ != 0); return 0; }
