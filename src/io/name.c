/* Writes names as single words, and reads them back. */
#include "io/name.h"

#include "core/file.h"

/* Returns the length of the UTF-8 character here; 0 if it is invalid or a control character. */
static size_t printable(const unsigned char *at, size_t left) {
    static const struct {
        unsigned char mask, lead;
        uint32_t least;
    } forms[] = {
        {0x80, 0x00, 0x21}, {0xE0, 0xC0, 0xA0}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}};
    for (size_t length = 1; length <= 4 && length <= left; length++) {
        if ((at[0] & forms[length - 1].mask) != forms[length - 1].lead) {
            continue;
        }
        uint32_t code = at[0] & (unsigned char)~forms[length - 1].mask;
        for (size_t i = 1; i < length; i++) {
            if ((at[i] & 0xC0) != 0x80) {
                return 0;
            }
            code = code << 6 | (at[i] & 0x3F);
        }
        bool surrogate = code >= 0xD800 && code < 0xE000;
        return code >= forms[length - 1].least && code != 0x7F && code <= 0x10FFFF && !surrogate
                   ? length
                   : 0;
    }
    return 0;
}

bool psb_name_is_utf8(const char *bytes, size_t length) {
    size_t fine = 1;
    for (; length > 0 && fine > 0; bytes += fine, length -= fine) {
        fine = (unsigned char)*bytes < 0x80 ? 1 : printable((const unsigned char *)bytes, length);
    }
    return fine > 0;
}

static int hex(char c) {
    const char *digits = "0123456789ABCDEF", *at = c != '\0' ? strchr(digits, c) : NULL;
    return at != NULL ? (int)(at - digits) : -1;
}

/* Returns the byte that an escape such as "%20" stands for; 0 if there is no escape. */
static char escaped(const char *at) {
    int high = at[0] == '%' ? hex(at[1]) : -1, low = high >= 0 ? hex(at[2]) : -1;
    return low >= 0 ? (char)(unsigned char)(16 * high + low) : '\0';
}

static void add(psb_text *name, const char *bytes, size_t length, bool named, char folded) {
    for (size_t i = 0; i < length;) {
        size_t fine = printable((const unsigned char *)bytes + i, length - i);
        bool escape = bytes[i] == '%' && !named && length - i > 2 && escaped(bytes + i) != '\0';
        bool comment = bytes[i] == '#' && i == 0;
        if (fine > 0 && bytes[i] != folded && !escape && !comment) {
            psb_text_add_bytes(name, bytes + i, fine);
            i += fine;
        } else {
            psb_text_printf(name, "%%%02X", (unsigned)(unsigned char)bytes[i++]);
        }
    }
}

void psb_name_add(psb_text *name, const char *bytes, size_t length, bool named) {
    add(name, bytes, length, named, '\0');
}

void psb_name_add_class(psb_text *name, const char *bytes, size_t length, bool named) {
    if (length == 1 && bytes[0] == '0') { /* a .cla has 0 for "no parent" */
        psb_text_add(name, "%30");
    } else {
        add(name, bytes, length, named, '/');
    }
}

bool psb_name_is_plain(const char *name) {
    for (; *name != '\0'; name++) {
        if (escaped(name) != '\0') {
            return false;
        }
    }
    return true;
}

static void decode(psb_text *bytes, const char *name, bool all) {
    while (*name != '\0') {
        char byte = escaped(name);
        bool meant = byte != '\0' && (all || (byte >= ' ' && byte < 0x7f));
        psb_text_add_bytes(bytes, meant ? &byte : name, 1);
        name += meant ? 3 : 1;
    }
}

void psb_name_decode(psb_text *bytes, const char *name) {
    decode(bytes, name, true);
}

void psb_name_show(psb_text *text, const char *name) {
    decode(text, name, false);
}

static const char slash_in_files[] = "%2F";
enum { SLASH_BYTES = sizeof slash_in_files - 1 };

void psb_name_add_file(psb_text *file, const char *name) {
    for (; *name != '\0'; name++) {
        psb_text_add_bytes(file, *name == '/' ? slash_in_files : name,
                           *name == '/' ? SLASH_BYTES : 1);
    }
}

void psb_name_add_of_file(psb_text *name, const char *file, size_t length) {
    for (size_t i = 0; i < length;) {
        bool slash =
            length - i >= SLASH_BYTES && memcmp(file + i, slash_in_files, SLASH_BYTES) == 0;
        psb_text_add_bytes(name, slash ? "/" : file + i, 1);
        i += slash ? SLASH_BYTES : 1;
    }
}

bool psb_name_lies_in(const char *name, const char *folder) {
    const char *last = psb_last_part(name);
    size_t length = strlen(folder), above = (size_t)(last - name);
    return above > length && memcmp(last - 1 - length, folder, length) == 0 &&
           (above == length + 1 || name[above - length - 2] == '/');
}
