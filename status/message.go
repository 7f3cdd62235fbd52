package status

import (
	"fmt"
	"strconv"
	"strings"
)

// sprintf is fmt.Sprintf, faster for the verbs and types of most messages. Without arguments the
// format is the message.
func sprintf(format string, args []any) string {
	if len(args) == 0 {
		return format
	}
	var room [120]byte
	out, rest := room[:0], format
	for _, arg := range args {
		i := strings.IndexByte(rest, '%')
		if i < 0 || i+1 >= len(rest) {
			return fmt.Sprintf(format, args...)
		}
		out = append(out, rest[:i]...)
		ok := false
		switch rest[i+1] {
		case 'd':
			out, ok = appendNumber(out, arg)
		case 's':
			out, ok = appendText(out, arg)
		}
		if !ok {
			return fmt.Sprintf(format, args...)
		}
		rest = rest[i+2:]
	}
	if strings.IndexByte(rest, '%') >= 0 {
		return fmt.Sprintf(format, args...)
	}
	return string(append(out, rest...))
}

func appendNumber(out []byte, arg any) ([]byte, bool) {
	switch n := arg.(type) {
	case int64:
		return strconv.AppendInt(out, n, 10), true
	case int:
		return strconv.AppendInt(out, int64(n), 10), true
	}
	return out, false
}

func appendText(out []byte, arg any) ([]byte, bool) {
	switch s := arg.(type) {
	case string:
		return append(out, s...), true
	case ConditionStatus:
		return append(out, s...), true
	}
	return out, false
}
