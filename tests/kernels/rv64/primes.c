/* The number of primes below 20,000, by the sieve of Eratosthenes, one byte for each number; and their sum above bit 32. */
unsigned long program(void)
{
    static unsigned char composite[20000];
    unsigned long count = 0, sum = 0;
    for (int n = 2; n < 20000; n++)
        if (!composite[n]) {
            count++;
            sum += n;
            for (int multiple = 2 * n; multiple < 20000; multiple += n)
                composite[multiple] = 1;
        }
    return sum << 32 | count;
}
