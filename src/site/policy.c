/* Hashes inline scripts and styles, and writes the policy that allows these alone. */
#include "site/policy.h"

enum { BLOCK = 64, WORDS = 8, ROUNDS = 64 };

static uint32_t turn(uint32_t x, int by) {
    return x >> by | x << (32 - by);
}

/* FIPS 180-4, section 6.2.2. */
static void take_block(uint32_t hash[WORDS], const uint8_t *block) {
    static const uint32_t k[ROUNDS] = {
        0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4,
        0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe,
        0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f,
        0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7,
        0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc,
        0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
        0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116,
        0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
        0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
        0xc67178f2};
    uint32_t w[ROUNDS], v[WORDS];
    for (int t = 0; t < ROUNDS; t++) {
        if (t < 16) {
            const uint8_t *b = block + 4 * t;
            w[t] = (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
        } else {
            w[t] = w[t - 16] + (turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ w[t - 15] >> 3) +
                   w[t - 7] + (turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ w[t - 2] >> 10);
        }
    }
    memcpy(v, hash, sizeof v);
    for (int t = 0; t < ROUNDS; t++) {
        uint32_t first = v[7] + (turn(v[4], 6) ^ turn(v[4], 11) ^ turn(v[4], 25)) +
                         ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[t] + w[t];
        uint32_t second = (turn(v[0], 2) ^ turn(v[0], 13) ^ turn(v[0], 22)) +
                          ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
        memmove(v + 1, v, 7 * sizeof *v);
        v[4] += first;
        v[0] = first + second;
    }
    for (int i = 0; i < WORDS; i++) {
        hash[i] += v[i];
    }
}

void psb_policy_add_hash(psb_text *out, const void *data, size_t size) {
    uint32_t hash[WORDS] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                            0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const uint8_t *bytes = data;
    size_t whole = size - size % BLOCK;
    for (size_t at = 0; at < whole; at += BLOCK) {
        take_block(hash, bytes + at);
    }
    /* The rest, a one bit, zeros, and the number of bits in 8 bytes: one block or two. */
    uint8_t rest[2 * BLOCK] = {0}, digest[4 * WORDS];
    size_t end = size % BLOCK + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
    if (size > whole) {
        memcpy(rest, bytes + whole, size - whole);
    }
    rest[size - whole] = 0x80;
    for (size_t i = 0; i < 8; i++) {
        rest[end - 1 - i] = (uint8_t)((uint64_t)size * 8 >> 8 * i);
    }
    take_block(hash, rest);
    if (end > BLOCK) {
        take_block(hash, rest + BLOCK);
    }
    for (size_t i = 0; i < sizeof digest; i++) {
        digest[i] = (uint8_t)(hash[i / 4] >> (24 - 8 * (i % 4)));
    }
    psb_text_add(out, " 'sha256-");
    psb_text_add_base64(out, digest, sizeof digest);
    psb_text_add(out, "'");
}

void psb_policy_add_inline(psb_text *out, const psb_text *scripts, const psb_text *styles) {
    psb_text_printf(out,
                    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                    "script-src%s; style-src%s; img-src data:; base-uri 'none'; form-action "
                    "'none'\">\n",
                    scripts->data != NULL ? scripts->data : " 'none'",
                    styles->data != NULL ? styles->data : " 'none'");
    out->failed = out->failed || scripts->failed || styles->failed;
}
