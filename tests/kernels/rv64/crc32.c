/* CRC-32 (polynomial 0xedb88320) of 3,000 bytes from a recurrence. */
unsigned program(void)
{
    unsigned x = 1, crc = ~0u;
    for (int i = 0; i < 3000; i++) {
        x = x * 1664525 + 1013904223;
        crc ^= x >> 24;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (-(crc & 1) & 0xedb88320);
    }
    return ~crc;
}
