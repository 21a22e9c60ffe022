#include <stdio.h>
static unsigned table[256];
int main(void) {
    for (unsigned i = 0; i < 256; i++) { unsigned c = i; for (int k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ c >> 1 : c >> 1; table[i] = c; }
    unsigned crc = ~0u; for (const char *p = "123456789"; *p; p++) crc = table[(crc ^ *p) & 255] ^ crc >> 8;
    printf("%08x\n", ~crc); return 0;
}
