// Decodes and assembles words of a small instruction set, and makes calls that have to fail.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "isagen.h"

static bool find(void *data, const char *name, uint64_t *value) {
    *value = *(uint64_t *)data;
    return strcmp(name, "there") == 0;
}

static void show(isagen_isa *isa, const isagen_insn *insn) {
    char text[64], mnemonic[16];
    uint8_t bytes[32];
    isagen_text(isa, insn, false, text, sizeof text);
    isagen_mnemonic(isa, insn, mnemonic, sizeof mnemonic);
    size_t count = isagen_bytes(isa, insn, bytes, sizeof bytes);
    printf("%s (%s), %u bits:", text, mnemonic, (unsigned)insn->bits);
    for (size_t i = 0; i < count; i++) printf(" %02x", bytes[i]);
    for (size_t i = 0; i < isagen_field_count(isa, insn); i++) {
        char name[16], value[16];
        uint64_t high = 1;
        isagen_field_name(isa, insn, i, name, sizeof name);
        isagen_field_text(isa, insn, i, value, sizeof value);
        uint64_t low = isagen_field_value(isa, insn, i, &high);
        assert(high == 0);
        printf(", %s = %llu (%s)", name, (unsigned long long)low, value);
    }
    printf("\n");
}

int main(int argc, char **argv) {
    assert(argc == 2);
    FILE *file = fopen(argv[1], "rb");
    assert(file);
    uint8_t *image = malloc(1 << 20);
    size_t size = fread(image, 1, 1 << 20, file);
    fclose(file);

    char error[128];
    isagen_isa *isa = isagen_open(image, size, error, sizeof error);
    assert(isa);
    // Damaged images are refused, or read without other effects.
    for (size_t cut = 0; cut < size; cut += 7) {
        uint8_t *part = malloc(cut + 1);
        memcpy(part, image, cut);
        isagen_isa *bad = isagen_open(part, cut, error, sizeof error);
        assert(!bad && strlen(error) > 0);
        free(part);
    }
    free(image);

    char name[3];
    assert(isagen_name(isa, name, sizeof name) == 4);
    printf("%s\n", name);

    isagen_insn insn;
    size_t taken;
    const uint8_t code[] = {0x06, 0x2e, 0xf0};
    for (size_t at = 0; at < sizeof code; at += taken) {
        isagen_status status = isagen_decode(isa, code + at, sizeof code - at, at, &insn, &taken);
        if (status == ISAGEN_STATUS_OK) {
            show(isa, &insn);
        } else {
            isagen_error(isa, error, sizeof error);
            printf("%d: %s\n", (int)status, error);
        }
    }
    uint64_t there = 3;
    size_t column;
    assert(isagen_assemble(isa, "add r3, r0", 0, NULL, NULL, &insn, NULL) == ISAGEN_STATUS_OK);
    show(isa, &insn);
    assert(isagen_assemble(isa, "jump there", 0, find, &there, &insn, &column) == ISAGEN_STATUS_OK);
    show(isa, &insn);
    assert(isagen_assemble(isa, "add r3, r4", 0, NULL, NULL, &insn, &column) == ISAGEN_STATUS_REFUSED);
    isagen_error(isa, error, sizeof error);
    printf("%zu: %s\n", column, error);

    // Fields, names and instructions that do not exist.
    assert(isagen_decode(NULL, code, 1, 0, &insn, NULL) == ISAGEN_STATUS_INVALID);
    assert(isagen_decode(isa, NULL, 100, 0, &insn, NULL) == ISAGEN_STATUS_REFUSED);
    assert(isagen_decode(isa, code, 1, 0, NULL, NULL) == ISAGEN_STATUS_INVALID);
    assert(isagen_assemble(isa, "\xff", 0, NULL, NULL, &insn, NULL) == ISAGEN_STATUS_INVALID);
    assert(isagen_assemble(isa, NULL, 0, NULL, NULL, &insn, NULL) == ISAGEN_STATUS_INVALID);
    insn.form = 1000;
    assert(isagen_text(isa, &insn, true, error, sizeof error) == 0 && isagen_bytes(isa, &insn, NULL, 0) == 0);
    assert(isagen_field_count(isa, &insn) == 0 && isagen_field_value(isa, &insn, 7, NULL) == 0);
    assert(isagen_text(NULL, &insn, true, NULL, 0) == 0 && isagen_error(NULL, NULL, 0) == 0);
    isagen_close(isa);
    isagen_close(NULL);
    return 0;
}
