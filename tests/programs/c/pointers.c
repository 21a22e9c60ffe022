#include <stdio.h>
struct node { int value; struct node *next; int (*apply)(int); };
static int add(int x) { return x + 1; }
static int half(int x) { return x / 2; }
static struct node third = {3, 0, half}, second = {20, &third, add};
struct node head = {100, &second, half};
int *inside = &second.value;
int main(void) {
    int all = *inside;
    for (struct node *node = &head; node; node = node->next) all += node->apply(node->value);
    printf("%d\n", all); return 0;
}
