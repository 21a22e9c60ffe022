// isagen for C: decode, print and assemble words of any instruction set that an image describes. See docs/c.md.
// Made by `BLESS=1 cargo test` in isa-capi.

#ifndef ISAGEN_H
#define ISAGEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The result of a call.
typedef enum isagen_status {
  // Success.
  ISAGEN_STATUS_OK = 0,
  // The bytes, or the text, are not an instruction; `isagen_error` returns the reason.
  ISAGEN_STATUS_REFUSED = 1,
  // A pointer is null, a text is not UTF-8, or the instruction set has no words.
  ISAGEN_STATUS_INVALID = 2,
} isagen_status;

// An instruction set.
typedef struct isagen_isa isagen_isa;

// An instruction: a word of a form.
typedef struct isagen_insn {
  // Its word, the low byte first.
  uint8_t word[32];
  // Bits of its word.
  uint32_t bits;
  // The number of its form.
  uint32_t form;
  // Its address.
  uint64_t address;
} isagen_insn;

// Finds the value of a name; returns false if there is none.
typedef bool (*isagen_lookup)(void *data, const char *name, uint64_t *value);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// Opens an instruction set by its image (`NAME.isat`, which `isagen build` writes); the bytes are copied. Null if it is not an
// image, with the reason in `error`.
//
// # Safety
// `image` points at `size` bytes; `error` is null or points at `error_size` bytes.
struct isagen_isa *isagen_open(const uint8_t *image,
                               size_t size,
                               char *error,
                               size_t error_size);

// Closes an instruction set.
//
// # Safety
// `isa` is null, or from `isagen_open` and not closed.
void isagen_close(struct isagen_isa *isa);

// Writes the name of an instruction set; returns its length.
//
// # Safety
// `isa` is null or open; `out` is null or points at `size` bytes.
size_t isagen_name(struct isagen_isa *isa, char *out, size_t size);

// Writes the reason for which the last call refused something; returns its length.
//
// # Safety
// `isa` is null or open; `out` is null or points at `size` bytes.
size_t isagen_error(const struct isagen_isa *isa, char *out, size_t size);

// Decodes the instruction at the beginning of bytes of memory, at an address. `taken` receives the number of its bytes, or of
// those to skip if there is none; it may be null.
//
// # Safety
// `isa` is null or open; `bytes` points at `size` bytes; `insn` and `taken` are null or can be written.
enum isagen_status isagen_decode(struct isagen_isa *isa,
                                 const uint8_t *bytes,
                                 size_t size,
                                 uint64_t address,
                                 struct isagen_insn *insn,
                                 size_t *taken);

// Writes the text of an instruction; with `full`, with all that the text leaves open, so that it assembles back to the very same
// word. Returns its length.
//
// # Safety
// `isa` is null or open; `insn` is null or an instruction of it; `out` is null or points at `size` bytes.
size_t isagen_text(struct isagen_isa *isa,
                   const struct isagen_insn *insn,
                   bool full,
                   char *out,
                   size_t size);

// Writes the mnemonic of an instruction; returns its length.
//
// # Safety
// The same as that of `isagen_text`.
size_t isagen_mnemonic(struct isagen_isa *isa,
                       const struct isagen_insn *insn,
                       char *out,
                       size_t size);

// The number of fields of an instruction.
//
// # Safety
// `isa` is null or open; `insn` is null or an instruction of it.
size_t isagen_field_count(struct isagen_isa *isa, const struct isagen_insn *insn);

// Writes the name of a field, by its place from 0; returns its length, 0 if there is no such field.
//
// # Safety
// The same as that of `isagen_text`.
size_t isagen_field_name(struct isagen_isa *isa,
                         const struct isagen_insn *insn,
                         size_t field,
                         char *out,
                         size_t size);

// Writes the text of a field, by its place from 0; returns its length, 0 if there is no such field.
//
// # Safety
// The same as that of `isagen_text`.
size_t isagen_field_text(struct isagen_isa *isa,
                         const struct isagen_insn *insn,
                         size_t field,
                         char *out,
                         size_t size);

// The bits of a field, by its place from 0, as a number: the low 64 of them, and with `high` those above.
//
// # Safety
// `isa` is null or open; `insn` is null or an instruction of it; `high` is null or can be written.
uint64_t isagen_field_value(struct isagen_isa *isa,
                            const struct isagen_insn *insn,
                            size_t field,
                            uint64_t *high);

// Reads the instruction of a text at an address. `symbols` finds the names that it uses, and may be null. If the text is
// refused, `column` receives the offset of the error in bytes; it may be null.
//
// # Safety
// `isa` is null or open; `text` ends with a zero; `insn` and `column` are null or can be written; `symbols` takes `data`.
enum isagen_status isagen_assemble(struct isagen_isa *isa,
                                   const char *text,
                                   uint64_t address,
                                   isagen_lookup symbols,
                                   void *data,
                                   struct isagen_insn *insn,
                                   size_t *column);

// Writes the bytes of an instruction in memory, if there is room for them; returns their number.
//
// # Safety
// `isa` is null or open; `insn` is null or an instruction of it; `out` is null or points at `size` bytes.
size_t isagen_bytes(struct isagen_isa *isa,
                    const struct isagen_insn *insn,
                    uint8_t *out,
                    size_t size);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ISAGEN_H */
