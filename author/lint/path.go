package lint

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A Path identifies a field by names of fields and indexes of lists.
type Path []any

// With returns the path with more steps. It does not change the receiver.
func (p Path) With(steps ...any) Path {
	longer := make(Path, 0, len(p)+len(steps))
	return append(append(longer, p...), steps...)
}

// String returns the path in the form spec.versions[0].schema. A name that is not a word is in
// brackets and quotes.
func (p Path) String() string {
	var b strings.Builder
	for _, step := range p {
		switch s := step.(type) {
		case int:
			b.WriteString("[" + strconv.Itoa(s) + "]")
		case string:
			switch {
			case s == "" || strings.ContainsFunc(s, isUnusualInName):
				b.WriteString("[" + strconv.Quote(s) + "]")
			case b.Len() > 0:
				b.WriteString("." + s)
			default:
				b.WriteString(s)
			}
		}
	}
	return b.String()
}

func isUnusualInName(r rune) bool {
	return !(r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
}

// Pointer returns the path as a JSON pointer (RFC 6901).
func (p Path) Pointer() string {
	var b strings.Builder
	for _, step := range p {
		b.WriteByte('/')
		switch s := step.(type) {
		case int:
			b.WriteString(strconv.Itoa(s))
		case string:
			b.WriteString(strings.NewReplacer("~", "~0", "/", "~1").Replace(s))
		}
	}
	return b.String()
}

// MarshalJSON returns the path as a JSON string, in the form of String.
func (p Path) MarshalJSON() ([]byte, error) { return json.Marshal(p.String()) }
