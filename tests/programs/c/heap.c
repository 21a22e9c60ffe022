#include <stdio.h>
#include <stdlib.h>
struct tree { struct tree *left, *right; int key; };
static struct tree *insert(struct tree *t, int key) {
    if (!t) { t = calloc(1, sizeof *t); t->key = key; return t; }
    if (key < t->key) t->left = insert(t->left, key); else t->right = insert(t->right, key);
    return t;
}
static int depth(const struct tree *t) { if (!t) return 0; int a = depth(t->left), b = depth(t->right); return 1 + (a > b ? a : b); }
static void drop(struct tree *t) { if (t) { drop(t->left); drop(t->right); free(t); } }
int main(void) { struct tree *t = 0; for (int i = 0; i < 200; i++) t = insert(t, i * 73 % 199); printf("%d\n", depth(t)); drop(t); return 0; }
