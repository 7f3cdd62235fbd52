// Package quantity parses and compares amounts in the notation of Kubernetes.
package quantity

import (
	"math"
	"strconv"
	"strings"
)

// A Quantity is an amount in the notation of Kubernetes, such as "1Gi", "1073741824", "0.5",
// "500m" or "1e3". It is kept exactly, as decimal digits, so an exponent of any size costs no
// more.
type Quantity struct {
	negative bool
	digits   string // without zeros at either end; empty for zero
	exponent int64  // of ten: the value is digits × 10^exponent
}

// Beyond these bounds Kubernetes does not distinguish amounts: it rounds away from zero to whole
// billionths, and caps binary amounts at the largest int64.
const minExponent = -9

var largestBinary = Quantity{digits: "9223372036854775807"}

// Parse parses an amount.
func Parse(s string) (q Quantity, ok bool) {
	number, negative := strings.CutPrefix(s, "-")
	if !negative {
		number = strings.TrimPrefix(s, "+")
	}
	end := strings.IndexFunc(number, func(c rune) bool { return (c < '0' || c > '9') && c != '.' })
	if end < 0 {
		end = len(number)
	}
	whole, fraction, _ := strings.Cut(number[:end], ".")
	doublings, tens, ok := unit(number[end:])
	if !ok || whole+fraction == "" || strings.Contains(fraction, ".") {
		return Quantity{}, false
	}
	q = Quantity{negative: negative, digits: whole + fraction, exponent: tens - int64(len(fraction))}
	if doublings > 0 {
		q.digits = doubled(q.digits, doublings)
	}
	q = q.trimmed().rounded()
	if doublings > 0 && q.compareSize(largestBinary) > 0 {
		q.digits, q.exponent = largestBinary.digits, 0
	}
	return q, true
}

// ParseShort is Parse for whole amounts that fit into an int64, as most do. It does not
// allocate.
func ParseShort(s string) (n int64, ok bool) {
	end := strings.IndexFunc(s, func(c rune) bool { return c < '0' || c > '9' })
	if end < 0 {
		end = len(s)
	}
	doublings, tens, ok := unit(s[end:])
	n, err := strconv.ParseInt(s[:end], 10, 64)
	if !ok || err != nil || tens < 0 || tens > 18 || n > math.MaxInt64>>doublings {
		return 0, false
	}
	for n <<= doublings; tens > 0; tens-- {
		if n > math.MaxInt64/10 {
			return 0, false
		}
		n *= 10
	}
	return n, true
}

// unit returns the powers of two and of ten that a suffix multiplies by.
func unit(suffix string) (doublings, tens int64, ok bool) {
	switch suffix {
	case "":
		return 0, 0, true
	case "n":
		return 0, -9, true
	case "u":
		return 0, -6, true
	case "m":
		return 0, -3, true
	case "k":
		return 0, 3, true
	}
	if i := strings.IndexByte("KMGTPE", suffix[0]); i >= 0 {
		switch {
		case len(suffix) == 2 && suffix[1] == 'i':
			return 10 * int64(i+1), 0, true
		case len(suffix) == 1 && suffix != "K":
			return 0, 3 * int64(i+1), true
		}
	}
	if suffix[0] != 'e' && suffix[0] != 'E' {
		return 0, 0, false
	}
	tens, err := strconv.ParseInt(suffix[1:], 10, 32)
	return 0, tens, err == nil
}

// doubled multiplies a decimal number by 2^n, for n up to 60.
func doubled(digits string, n int64) string {
	out := make([]byte, len(digits)+20) // 2^60 has 19 digits
	carry := uint64(0)
	for i := range out {
		if i < len(digits) {
			carry += uint64(digits[len(digits)-1-i]-'0') << n
		}
		out[len(out)-1-i] = '0' + byte(carry%10)
		carry /= 10
	}
	return string(out)
}

// trimmed removes the zeros at both ends.
func (q Quantity) trimmed() Quantity {
	q.digits = strings.TrimLeft(q.digits, "0")
	short := strings.TrimRight(q.digits, "0")
	q.exponent += int64(len(q.digits) - len(short))
	q.digits = short
	if q.digits == "" {
		return Quantity{}
	}
	return q
}

// rounded rounds a trimmed amount away from zero to the finest unit.
func (q Quantity) rounded() Quantity {
	tooFine := minExponent - q.exponent
	if q.digits == "" || tooFine <= 0 {
		return q
	}
	if tooFine >= int64(len(q.digits)) {
		return Quantity{q.negative, "1", minExponent}
	}
	up := []byte("0" + q.digits[:int64(len(q.digits))-tooFine])
	last := len(up) - 1
	for ; up[last] == '9'; last-- {
		up[last] = '0'
	}
	up[last]++
	return Quantity{q.negative, string(up), minExponent}.trimmed()
}

// Compare returns a negative number if q is less than other, zero if they are
// equal, else a positive one.
func (q Quantity) Compare(other Quantity) int {
	switch {
	case q.negative && other.negative:
		return other.compareSize(q)
	case q.negative:
		return -1
	case other.negative:
		return 1
	}
	return q.compareSize(other)
}

// compareSize is Compare without the signs.
func (q Quantity) compareSize(other Quantity) int {
	if q.digits == "" || other.digits == "" {
		return len(q.digits) - len(other.digits)
	}
	a, b := int64(len(q.digits))+q.exponent, int64(len(other.digits))+other.exponent
	if a != b {
		return int(max(-1, min(1, a-b)))
	}
	return strings.Compare(q.digits, other.digits)
}
