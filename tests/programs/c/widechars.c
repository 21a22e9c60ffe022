#include <stdio.h>
#include <wchar.h>
static const wchar_t wide[] = L"wide \x20ac"; static const unsigned short *text = (const unsigned short *)u"sixteen"; static const unsigned codes[] = U"32 \U0001f600";
int main(void) {
    unsigned sum = 0; for (const wchar_t *p = wide; *p; p++) sum = sum * 3 + *p;
    for (const unsigned short *p = text; *p; p++) sum = sum * 5 + *p;
    for (const unsigned *p = codes; *p; p++) sum = sum * 7 + *p;
    printf("%u\n", sum); return 0;
}
