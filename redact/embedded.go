package redact

import (
	"bytes"
	"encoding/json"
	"strings"

	"kstatus.dev/redact/internal/naming"
)

// maxDepth limits the nesting of documents in texts.
const maxDepth = 4

// decodeJSON decodes a text if it is a JSON object or list.
func decodeJSON(s string, depth int) (v any, ok bool) {
	t := strings.TrimSpace(s)
	if depth >= maxDepth || len(t) < 2 || !(t[0] == '{' && t[len(t)-1] == '}' || t[0] == '[' && t[len(t)-1] == ']') {
		return nil, false
	}
	d := json.NewDecoder(strings.NewReader(t))
	d.UseNumber()
	if d.Decode(&v) != nil || d.InputOffset() != int64(len(t)) {
		return nil, false
	}
	return v, true
}

// encoded returns the text of a value without secrets. It returns the given
// text if there are none.
func (r *Objects) encoded(s string, v any) string {
	r.changed = false
	v = r.value("", v, false)
	if !r.changed {
		return s
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return Placeholder
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// secretBlocks finds the data of Secrets in a text that contains them as JSON
// or as YAML.
func (sc *scanner) secretBlocks() {
	s := sc.s
	isSecret := strings.Contains(s, "kind: Secret") || strings.Contains(s, `"Secret"`) || strings.Contains(s, `\"Secret\"`) || strings.Contains(s, "kind:Secret")
	for _, field := range [...]string{"stringData", "data"} {
		if field == "data" && !isSecret {
			continue
		}
		for at := 0; ; {
			i := strings.Index(s[at:], field)
			if i < 0 {
				break
			}
			start := at + i
			sc.steps += i + len(field)
			at = start + len(field)
			if start > 0 && isWord(s[start-1]) {
				continue
			}
			at = max(at, sc.data(start, at))
		}
	}
}

// data adds the values of a Secret's data field, and returns the end of it.
func (sc *scanner) data(start, i int) int {
	s := sc.s
	for i < len(s) && strings.IndexByte(`"'\`, s[i]) >= 0 {
		i++
	}
	if i >= len(s) || s[i] != ':' {
		return i
	}
	for i++; i < len(s) && isBlank(s[i]); i++ {
	}
	if strings.HasPrefix(s[i:], "map[") || i < len(s) && s[i] == '{' {
		open, close := byte('{'), byte('}')
		if s[i] == 'm' {
			open, close = '[', ']'
			i += len("map")
		}
		return sc.braces(i, open, close)
	}
	if i < len(s) && s[i] != '\n' && s[i] != '\r' {
		return i
	}
	return sc.lines(start, i)
}

// braces adds the values between braces, which may be cut off.
func (sc *scanner) braces(i int, open, close byte) int {
	s := sc.s
	depth, quoted := 0, false
	for end := i; end < len(s); end++ {
		sc.steps++
		switch c := s[end]; {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == open:
			depth++
		case c == close:
			if depth--; depth == 0 {
				sc.add(i+1, end, aSecret)
				return end
			}
		}
	}
	sc.add(i+1, len(s), aSecret)
	return len(s)
}

// lines adds the values of the YAML lines below a field.
func (sc *scanner) lines(start, i int) int {
	s := sc.s
	indent := start - (strings.LastIndexByte(s[:start], '\n') + 1)
	if indent > 200 {
		return i
	}
	i += strings.IndexByte(s[i:], '\n') + 1
	for i < len(s) {
		end := strings.IndexByte(s[i:], '\n')
		if end < 0 {
			end = len(s) - i
		}
		line := s[i : i+end]
		sc.steps += len(line) + 1
		text := strings.TrimLeft(line, " ")
		if text != "" {
			if len(line)-len(text) <= indent {
				break
			}
			from := i
			if colon := strings.Index(line, ":"); colon >= 0 && strings.Trim(text[:colon-(len(line)-len(text))], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-\"'/") == "" {
				from += colon + 1
			}
			for from < i+end && isBlank(s[from]) {
				from++
			}
			if rest := strings.TrimSpace(s[from : i+end]); rest != "" && rest != "|" && rest != "|-" && rest != ">" && rest != ">-" && rest != "{}" {
				sc.add(from, i+end, aSecret)
			}
		}
		i += end + 1
	}
	return min(i, len(s))
}

// elements finds the values of XML elements with secret names.
func (sc *scanner) elements() {
	s := sc.s
	for at := 0; ; {
		i := strings.Index(s[at:], "</")
		if i < 0 {
			return
		}
		stop := at + i
		sc.steps += i + 2
		end := stop + 2
		for end < len(s) && end < stop+naming.MaxLength && (isWord(s[end]) || s[end] == ':') {
			end++
		}
		name := s[stop+2 : end]
		if c := naming.Of(name); c >= naming.ClassSecret {
			open := strings.LastIndex(s[at:stop], "<"+name)
			sc.steps += stop - at
			if open >= 0 {
				if from := strings.IndexByte(s[at+open:stop], '>'); from >= 0 && at+open+from+1 < stop {
					sc.add(at+open+from+1, stop, aSecret)
				}
			}
		}
		at = end
	}
}
