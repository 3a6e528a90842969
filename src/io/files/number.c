/* Decimal to binary and back.
 *
 * Reading is correctly rounded: the result is the double nearest to the decimal, ties to even, so a scene means the same on every
 * machine. Most numbers take the short way (Clinger 1990): at most 2^53 as an integer, times or over a power of ten that a double holds
 * exactly, is one rounding. The others are a fraction N / M of whole numbers of up to a few thousand bits; the first 64 bits of the quotient and the
 * remainder decide the rounding. */
#include "io/files/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_DIGITS 800 /* digits beyond these only say "a little more": no double's halfway point has as many */
#define LIMBS 320

/* Powers of ten that a double holds exactly. */
static const double tens[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

typedef struct big {
    uint32_t count;
    uint32_t limb[LIMBS]; /* lowest first */
} big;

static void big_multiply_add(big *b, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (uint32_t i = 0; i < b->count; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry && b->count < LIMBS) b->limb[b->count++] = (uint32_t)carry;
}

static void big_multiply_power_of_ten(big *b, int power)
{
    for (; power >= 9; power -= 9) big_multiply_add(b, 1000000000u, 0);
    uint32_t rest = 1;
    for (; power > 0; power--) rest *= 10;
    if (rest > 1) big_multiply_add(b, rest, 0);
}

static int big_bits(const big *b)
{
    if (b->count == 0) return 0;
    int bits = (int)(b->count - 1) * 32;
    for (uint32_t top = b->limb[b->count - 1]; top; top >>= 1) bits++;
    return bits;
}

static void big_shift_left(big *b, int bits)
{
    if (b->count == 0) return;
    uint32_t limbs = (uint32_t)bits / 32, rest = (uint32_t)bits % 32;
    uint32_t count = b->count + limbs + 1;
    if (count > LIMBS) return; /* cannot be: MAX_DIGITS and the range check bound the sizes */
    for (uint32_t i = count; i-- > 0;) {
        uint32_t high = i >= limbs && i - limbs < b->count ? b->limb[i - limbs] : 0;
        uint32_t low = i >= limbs + 1 && i - limbs - 1 < b->count ? b->limb[i - limbs - 1] : 0;
        b->limb[i] = rest ? high << rest | low >> (32 - rest) : high;
    }
    b->count = count;
    while (b->count && b->limb[b->count - 1] == 0) b->count--;
}

static void big_double(big *b) { big_multiply_add(b, 2, 0); }

static int big_compare(const big *a, const big *b)
{
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    for (uint32_t i = a->count; i-- > 0;)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* a -= b, where a >= b. */
static void big_subtract(big *a, const big *b)
{
    int64_t borrow = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        borrow += (int64_t)a->limb[i] - (i < b->count ? b->limb[i] : 0);
        a->limb[i] = (uint32_t)borrow;
        borrow >>= 32;
    }
    while (a->count && a->limb[a->count - 1] == 0) a->count--;
}

/* quotient * 2^exponent, and a little more if `sticky`, to the nearest double. The quotient has its top bit, or the one below, set. */
static double round_to_double(uint64_t quotient, int exponent, bool sticky)
{
    if (!(quotient >> 63)) {
        quotient <<= 1;
        exponent--;
    }
    int drop = 11; /* 64 - 53 */
    if (exponent + drop < -1074) drop = -1074 - exponent;
    if (drop > 64) return 0;
    uint64_t kept = drop == 64 ? 0 : quotient >> drop;
    uint64_t half = 1ull << (drop - 1);
    uint64_t rest = quotient & (half | (half - 1));
    if (rest > half || (rest == half && (sticky || (kept & 1)))) kept++;
    return ldexp((double)kept, exponent + drop);
}

static double divide(big *n, big *m)
{
    /* Scaled so that n / m lies in (2^62, 2^64): the loop then makes 64 bits, the highest first. */
    int shift = 63 - (big_bits(n) - big_bits(m));
    big_shift_left(shift > 0 ? n : m, shift > 0 ? shift : -shift);
    uint64_t quotient = 0;
    big_shift_left(m, 63);
    for (int i = 0; i < 64; i++) {
        quotient <<= 1;
        if (big_compare(n, m) >= 0) {
            big_subtract(n, m);
            quotient |= 1;
        }
        big_double(n); /* instead of halving m */
    }
    return round_to_double(quotient, -shift, n->count > 0);
}

/* The digits of a number without its point, and the power of ten that they stand for. */
typedef struct decimal {
    uint64_t small; /* value of the digits while there are at most 19 of them */
    int      count; /* significant digits kept */
    int      exponent;
    bool     more; /* digits other than 0 were left out */
    char     digit[MAX_DIGITS];
} decimal;

static void add_digit(decimal *d, char c, bool after_point)
{
    if (d->count == 0 && c == '0') {
        if (after_point) d->exponent--;
        return;
    }
    if (d->count < MAX_DIGITS) {
        if (d->count < 19) d->small = d->small * 10 + (uint64_t)(c - '0');
        d->digit[d->count++] = c;
        if (after_point) d->exponent--;
    } else {
        d->more |= c != '0';
        if (!after_point) d->exponent++;
    }
}

static bool digit_at(const char *text, size_t length, size_t at) { return at < length && text[at] >= '0' && text[at] <= '9'; }

/* Splits the text; false if it is not a number. */
static bool scan(const char *text, size_t length, decimal *d, bool *negative)
{
    size_t i = 0, digits = 0;
    *negative = length && text[0] == '-';
    if (length && (text[0] == '-' || text[0] == '+')) i++;
    for (; digit_at(text, length, i); i++, digits++) add_digit(d, text[i], false);
    if (i < length && text[i] == '.')
        for (i++; digit_at(text, length, i); i++, digits++) add_digit(d, text[i], true);
    if (digits == 0) return false;
    if (i < length && (text[i] == 'e' || text[i] == 'E')) {
        i++;
        bool minus = i < length && text[i] == '-';
        if (i < length && (text[i] == '-' || text[i] == '+')) i++;
        if (!digit_at(text, length, i)) return false;
        int power = 0;
        for (; digit_at(text, length, i); i++)
            if (power < 100000000) power = power * 10 + (text[i] - '0');
        d->exponent += minus ? -power : power;
    }
    return i == length;
}

static double convert_slowly(const decimal *d)
{
    big n = {0}, m = {1, {1}};
    for (int i = 0; i < d->count; i++) {
        if (n.count == 0) {
            n.count = 1;
            n.limb[0] = 0;
        }
        big_multiply_add(&n, 10, (uint32_t)(d->digit[i] - '0'));
    }
    int exponent = d->exponent;
    if (d->more) { /* the left-out rest only has to break ties */
        big_multiply_add(&n, 10, 1);
        exponent--;
    }
    big_multiply_power_of_ten(exponent > 0 ? &n : &m, exponent > 0 ? exponent : -exponent);
    return divide(&n, &m);
}

pliant__number_status pliant__parse_number(const char *text, size_t length, double *out)
{
    decimal d;
    d.small = 0;
    d.count = d.exponent = 0;
    d.more = false;
    bool   negative;
    double value = 0;
    if (length > 1000000 || !scan(text, length, &d, &negative)) return PLIANT__NUMBER_NONE;
    int magnitude = d.count + d.exponent; /* 10^(magnitude - 1) <= value < 10^magnitude */
    if (d.count == 0 || magnitude < -330)
        value = 0;
    else if (magnitude > 310)
        return PLIANT__NUMBER_HUGE;
    else if (d.count <= 19 && d.small <= 1ull << 53 && d.exponent >= -22 && d.exponent <= 22)
        value = d.exponent < 0 ? (double)d.small / tens[-d.exponent] : (double)d.small * tens[d.exponent];
    else
        value = convert_slowly(&d);
    if (!(value - value == 0)) return PLIANT__NUMBER_HUGE;
    *out = negative ? -value : value;
    return PLIANT__NUMBER_OK;
}

size_t pliant__format_number(char out[PLIANT__NUMBER_SIZE], double value, int digits)
{
    char text[64];
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (!(value - value == 0)) return (size_t)snprintf(out, PLIANT__NUMBER_SIZE, "%s", text);
    /* The bytes between digits that belong to no number are the locale's decimal point, one byte or several. */
    size_t length = 0;
    for (const char *c = text; *c && length < PLIANT__NUMBER_SIZE - 1; c++) {
        if ((*c >= '0' && *c <= '9') || *c == '-' || *c == '+' || *c == 'e')
            out[length++] = *c;
        else if (length && out[length - 1] != '.')
            out[length++] = '.';
    }
    out[length] = 0;
    return length;
}

size_t pliant__format_shortest(char out[PLIANT__NUMBER_SIZE], double value)
{
    for (int digits = 1; digits < 17; digits++) {
        size_t length = pliant__format_number(out, value, digits);
        double back;
        if (pliant__parse_number(out, length, &back) == PLIANT__NUMBER_OK && back == value) return length;
    }
    return pliant__format_number(out, value, 17);
}

/* ---- floats ---- */

/* The fewest digits of a positive float that read back, as a whole number, and `*point`, how many of them stand behind the point (or, if
 * negative, how many noughts are left out). Six digits that read back are, without noughts at their end, the fewest: fewer would be the same
 * number, since it is nearer to the float than any other of six digits. False outside of what one exact power of ten can scale. */
static bool fewest_digits(double value, uint64_t *digits, int *point)
{
    if (!(value >= 1e-12 && value < 1e21)) return false;
    int magnitude = 0; /* 10^(magnitude - 1) <= value < 10^magnitude */
    while (magnitude < 22 && value >= tens[magnitude]) magnitude++;
    while (magnitude <= 0 && value * tens[-magnitude] < 0.1) magnitude--;
    for (int count = 6; count <= 9; count++) {
        int p = *point = count - magnitude;
        *digits = (uint64_t)((p >= 0 ? value * tens[p] : value / tens[-p]) + 0.5);
        double back = p >= 0 ? (double)*digits / tens[p] : (double)*digits * tens[-p];
        if ((double)(float)back == value) break;
        if (count == 9) return false;
    }
    for (; *digits % 10 == 0; --*point) *digits /= 10;
    return true;
}

static size_t put_noughts(char *out, int count)
{
    for (int i = 0; i < count; i++) out[i] = '0';
    return count > 0 ? (size_t)count : 0;
}

/* `count` digits at `text`, `point` of them behind the point: 0.00125, 12.5, 12500, or 1.25e-07. */
static size_t lay_out(char *out, const char *text, int count, int point)
{
    size_t n = 0;
    int    before = count - point;
    if (before < -3 || before > 9) {
        int e = before - 1;
        out[n++] = text[0];
        if (count > 1) out[n++] = '.';
        memcpy(out + n, text + 1, (size_t)count - 1);
        n += (size_t)count - 1;
        return n + (size_t)snprintf(out + n, 8, "e%c%02d", e < 0 ? '-' : '+', e < 0 ? -e : e);
    }
    if (before <= 0) out[n++] = '0';
    for (int i = 0; i < before && i < count; i++) out[n++] = text[i];
    n += put_noughts(out + n, before - count);
    if (point > 0) out[n++] = '.';
    n += put_noughts(out + n, -before);
    for (int i = before > 0 ? before : 0; i < count; i++) out[n++] = text[i];
    out[n] = 0;
    return n;
}

size_t pliant__format_float(char out[PLIANT__NUMBER_SIZE], float value)
{
    uint64_t digits;
    int      point;
    char     text[24];
    bool     negative = signbit(value) != 0;
    if (value == 0) return (size_t)snprintf(out, PLIANT__NUMBER_SIZE, negative ? "-0" : "0");
    if (!fewest_digits(negative ? -(double)value : (double)value, &digits, &point)) {
        for (int n = 1; n < 9; n++) {
            double back;
            size_t length = pliant__format_number(out, (double)value, n);
            if (pliant__parse_number(out, length, &back) == PLIANT__NUMBER_OK && (float)back == value) return length;
        }
        return pliant__format_number(out, (double)value, 9);
    }
    int count = snprintf(text, sizeof text, "%llu", (unsigned long long)digits);
    if (negative) *out = '-';
    return (size_t)negative + lay_out(out + negative, text, count, point);
}
