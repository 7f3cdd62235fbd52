package value

import (
	"strconv"
	"strings"
)

// Percent reads a text such as "40%" or "99.5%".
func Percent(text string) (int64, bool) {
	number, is := strings.CutSuffix(text, "%")
	if !is {
		return 0, false
	}
	n, err := strconv.ParseFloat(number, 64)
	return int64(n), err == nil && n >= 0 && n <= 100
}

// Ratio reads a text such as "2/3".
func Ratio(text string) (have, want int64, ok bool) {
	a, b, found := strings.Cut(text, "/")
	if !found || len(text) > 12 || a == "" || a[0] < '0' || a[0] > '9' {
		return 0, 0, false
	}
	have, err := strconv.ParseInt(a, 10, 64)
	if err != nil {
		return 0, 0, false
	}
	want, err = strconv.ParseInt(b, 10, 64)
	return have, want, err == nil
}

// ErrorMessage returns the message in a value that holds an error. The value is a
// text, a map with a message, or a list of such values. The message of a list is the
// least of its items' messages as text, whatever the order of the items. For other
// values the result is empty.
func ErrorMessage(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		least := ""
		for _, item := range v {
			if text := ErrorMessage(item); text != "" && (least == "" || text < least) {
				least = text
			}
		}
		return least
	case map[string]any:
		for _, field := range [...]string{"message", "errorMessage", "description"} {
			if text, _ := v[field].(string); text != "" {
				return text
			}
		}
	}
	return ""
}
