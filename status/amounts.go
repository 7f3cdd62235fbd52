package status

import (
	"encoding/json"
	"strconv"

	"kstatus.dev/status/internal/quantity"
	"kstatus.dev/status/internal/value"
)

// amounts compares the amounts that two maps have under the same key. It returns each as
// written, empty if missing, and their order, which is zero if one is missing.
func (f *Fields) amounts(a, b, key string) (left, right string, order int) {
	left, right = f.amount(a, key), f.amount(b, key)
	if left == "" || right == "" || left == right {
		return left, right, 0
	}
	m, short := quantity.ParseShort(left)
	if n, both := quantity.ParseShort(right); short && both {
		return left, right, int(max(-1, min(1, m-n)))
	}
	p, ok := quantity.Parse(left)
	if !ok {
		f.malformed(a+"["+key+"]", "a quantity", left)
		return "", right, 0
	}
	q, ok := quantity.Parse(right)
	if !ok {
		f.malformed(b+"["+key+"]", "a quantity", right)
		return left, "", 0
	}
	return left, right, p.Compare(q)
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
