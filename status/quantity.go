package status

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"kstatus.dev/status/internal/value"
)

// A quantity is an amount in the notation of Kubernetes, such as "1Gi", "1073741824", "0.5",
// "500m" or "1e3". It is kept exactly, as decimal digits, so an exponent of any size costs no
// more.
type quantity struct {
	negative bool
	digits   string // without zeros at either end; empty for zero
	exponent int64  // of ten: the value is digits × 10^exponent
}

// Beyond these bounds Kubernetes does not distinguish amounts: it rounds away from zero to whole
// billionths, and caps binary amounts at the largest int64.
const minExponent = -9

var largestBinary = quantity{digits: "9223372036854775807"}

// parseQuantity parses an amount.
func parseQuantity(s string) (q quantity, ok bool) {
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
		return quantity{}, false
	}
	q = quantity{negative: negative, digits: whole + fraction, exponent: tens - int64(len(fraction))}
	if doublings > 0 {
		q.digits = doubled(q.digits, doublings)
	}
	q = q.trimmed().rounded()
	if doublings > 0 && q.compareSize(largestBinary) > 0 {
		q.digits, q.exponent = largestBinary.digits, 0
	}
	return q, true
}

// parseShort is parseQuantity for whole amounts that fit into an int64, as most do. It does not
// allocate.
func parseShort(s string) (n int64, ok bool) {
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
func (q quantity) trimmed() quantity {
	q.digits = strings.TrimLeft(q.digits, "0")
	short := strings.TrimRight(q.digits, "0")
	q.exponent += int64(len(q.digits) - len(short))
	q.digits = short
	if q.digits == "" {
		return quantity{}
	}
	return q
}

// rounded rounds a trimmed amount away from zero to the finest unit.
func (q quantity) rounded() quantity {
	tooFine := minExponent - q.exponent
	if q.digits == "" || tooFine <= 0 {
		return q
	}
	if tooFine >= int64(len(q.digits)) {
		return quantity{q.negative, "1", minExponent}
	}
	up := []byte("0" + q.digits[:int64(len(q.digits))-tooFine])
	last := len(up) - 1
	for ; up[last] == '9'; last-- {
		up[last] = '0'
	}
	up[last]++
	return quantity{q.negative, string(up), minExponent}.trimmed()
}

// compare returns a negative number if q is less than other, zero if they are
// equal, else a positive one.
func (q quantity) compare(other quantity) int {
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

// compareSize is compare without the signs.
func (q quantity) compareSize(other quantity) int {
	if q.digits == "" || other.digits == "" {
		return len(q.digits) - len(other.digits)
	}
	a, b := int64(len(q.digits))+q.exponent, int64(len(other.digits))+other.exponent
	if a != b {
		return int(max(-1, min(1, a-b)))
	}
	return strings.Compare(q.digits, other.digits)
}

// amounts compares the amounts that two maps have under the same key. It returns each as
// written, empty if missing, and their order, which is zero if one is missing.
func (f *Fields) amounts(a, b, key string) (left, right string, order int) {
	left, right = f.amount(a, key), f.amount(b, key)
	if left == "" || right == "" || left == right {
		return left, right, 0
	}
	m, short := parseShort(left)
	if n, both := parseShort(right); short && both {
		return left, right, int(max(-1, min(1, m-n)))
	}
	p, ok := parseQuantity(left)
	if !ok {
		f.malformed(a+"["+key+"]", "a quantity", left)
		return "", right, 0
	}
	q, ok := parseQuantity(right)
	if !ok {
		f.malformed(b+"["+key+"]", "a quantity", right)
		return left, "", 0
	}
	return left, right, p.compare(q)
}

// amount returns an amount from a map as it is written, in digits if it is a number.
func (f *Fields) amount(path, key string) (written string) {
	v := f.Map(path)[key]
	switch v := v.(type) {
	case nil:
	case string:
		written = v
	case json.Number:
		written = v.String()
	case float64:
		written = strconv.FormatFloat(v, 'g', -1, 64)
	default:
		n, ok := value.Int(v)
		if !ok {
			f.malformed(path+"["+key+"]", "a quantity", v)
			return ""
		}
		written = strconv.FormatInt(n, 10)
	}
	if f.eval.trace != nil {
		f.recordRead(path+"["+key+"]", written)
	}
	return written
}
