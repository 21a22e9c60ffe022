/* The number of ways to place eight queens on a board so that none attacks another, and remainders of divisions on the way. */
static unsigned long place(unsigned columns, unsigned left, unsigned right, unsigned long *steps)
{
    unsigned long ways = 0;
    if (columns == 0xff)
        return 1;
    for (unsigned free = ~(columns | left | right) & 0xff; free; free &= free - 1) {
        unsigned queen = free & -free;
        *steps = (*steps * 31 + queen) % 1000003;
        ways += place(columns | queen, (left | queen) << 1, (right | queen) >> 1, steps);
    }
    return ways;
}

unsigned long program(void)
{
    unsigned long steps = 0, ways = place(0, 0, 0, &steps);
    return steps << 32 | ways;
}
