/* Sorts 500 numbers in place, and returns the sum of each number times its position. */
static void sort(long *low, long *high)
{
    while (low < high) {
        long pivot = low[(high - low) / 2], *i = low, *j = high;
        while (i <= j) {
            while (*i < pivot)
                i++;
            while (*j > pivot)
                j--;
            if (i <= j) {
                long other = *i;
                *i++ = *j;
                *j-- = other;
            }
        }
        sort(low, j);
        low = i;
    }
}

long program(void)
{
    static long all[500];
    unsigned long x = 2463534242ul;
    for (int i = 0; i < 500; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        all[i] = (long)x >> 20;
    }
    sort(all, all + 499);
    long sum = 0;
    for (int i = 0; i < 500; i++)
        sum += all[i] * (i + 1);
    return sum;
}
