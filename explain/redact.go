package explain

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"kstatus.dev/status"
)

// A Redactor replaces what objects, events and logs hold of secrets: the values of
// environment variables and of other pairs of a name and a value, the data of
// Secrets and ConfigMaps, passwords and tokens by the names that fields, arguments
// and annotations give them, credentials in URLs and headers, and annotations that
// hold whole objects.
//
// Equal values of pairs are replaced by equal words, so that one can still tell
// whether a value has changed, but not what it is. Redacting again changes nothing.
// The zero Redactor is ready for use, by one goroutine.
type Redactor struct {
	words map[string]string // what a value is replaced by
	names map[string]bool   // of fields, whether they are of secrets
}

const redacted = "<redacted>"

// Thing returns a thing without secrets. The one given stays as it is.
func (r *Redactor) Thing(t Thing) Thing {
	t.Object = r.Object(t.Object)
	t.Result.Message = Redacted(t.Result.Message)
	t.Reads = slices.Clone(t.Reads)
	for i, read := range t.Reads {
		if text, ok := read.Value.(string); ok {
			t.Reads[i].Value = Redacted(text)
		}
	}
	return t
}

// Event returns an event without secrets.
func (r *Redactor) Event(e Event) Event {
	e.Message = Redacted(e.Message)
	return e
}

// Log returns a log without secrets, as far as they can be told from other text.
func (r *Redactor) Log(l Log) Log {
	if len(l.Lines) > 0 {
		l.Lines = strings.Split(Redacted(strings.Join(l.Lines, "\n")), "\n")
	}
	l.Error = Redacted(l.Error)
	return l
}

// Object returns an object without secrets. The one given stays as it is.
func (r *Redactor) Object(obj status.Map) status.Map {
	if obj == nil {
		return nil
	}
	root := maps.Clone(obj)
	if kind := obj["kind"]; kind == "Secret" || kind == "ConfigMap" {
		for _, field := range [...]string{"data", "stringData", "binaryData"} {
			if data, ok := root[field].(map[string]any); ok {
				root[field] = replaced(data)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(root)) { // in order, so that the words are the same each time
		root[key] = r.value(key, root[key])
	}
	return root
}

// replaced returns a map whose values are gone.
func replaced(data map[string]any) map[string]any {
	data = maps.Clone(data)
	for key := range data {
		data[key] = redacted
	}
	return data
}

// value returns the value of a field without secrets.
func (r *Redactor) value(key string, value any) any {
	switch value := value.(type) {
	case string:
		if r.secret(key) {
			return r.word(value)
		}
		return Redacted(value)
	case map[string]any:
		return r.fields(key, value)
	case []any:
		list := make([]any, len(value))
		secret := false
		for i, item := range value {
			text, isText := item.(string)
			if secret && isText {
				item, secret = r.word(text), false
			} else {
				secret = isText && secretFlag.MatchString(text)
			}
			list[i] = r.value(key, item)
		}
		return list
	case nil, bool:
		return value
	}
	if r.secret(key) {
		return r.word(fmt.Sprint(value))
	}
	return value
}

// secret reports whether a field of that name holds a secret.
func (r *Redactor) secret(name string) bool {
	is, known := r.names[name]
	if !known {
		if r.names == nil {
			r.names = map[string]bool{}
		}
		is = secretField.MatchString(name)
		r.names[name] = is
	}
	return is
}

// fields returns a map without secrets.
func (r *Redactor) fields(key string, m map[string]any) map[string]any {
	m = maps.Clone(m)
	_, named := m["name"].(string)
	for _, field := range slices.Sorted(maps.Keys(m)) {
		value := m[field]
		text, isText := value.(string)
		switch {
		case key == "annotations" && isText:
			if field == lastApplied {
				delete(m, field)
				continue
			}
			if embeds(text) {
				m[field] = redacted
				continue
			}
		case named && field == "value" && value != nil && value != "":
			if !isText {
				text = fmt.Sprint(value)
			}
			m[field] = r.word(text)
			continue
		}
		m[field] = r.value(field, value)
	}
	return m
}

const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// embeds reports whether an annotation holds an object, or may do so.
func embeds(text string) bool {
	const long = 2048
	t := strings.TrimSpace(text)
	return len(t) > long || (strings.HasPrefix(t, "{") || strings.HasPrefix(t, "[{")) && json.Valid([]byte(t))
}

// word returns what a value is replaced by.
func (r *Redactor) word(value string) string {
	if value == "" || isWord.MatchString(value) {
		return value
	}
	if r.words == nil {
		r.words = map[string]string{}
	}
	if r.words[value] == "" {
		r.words[value] = fmt.Sprintf("<redacted %d>", len(r.words)+1)
	}
	return r.words[value]
}

const secretWords = `(?:password|passwd|passphrase|token|api[-_]?key|access[-_]?key|private[-_]?key|client[-_]?secret|credentials?)`

var (
	isWord = regexp.MustCompile(`^<redacted(?: \d+)?>$`)
	// The name of a field whose value is a secret.
	secretField = regexp.MustCompile(`(?i)` + secretWords + `$`)
	// An argument after which a secret stands.
	secretFlag = regexp.MustCompile(`(?i)^--?[\w-]*` + secretWords + `$`)
)

// A secretText is how a secret stands in text: after what the first group of the
// pattern matches, and it is what the second does.
type secretText struct {
	hints   []string // one of them is in such a text for sure, in lower case
	pattern *regexp.Regexp
	is      func(secret string) bool // nil: whatever is there
}

var secretTexts = []secretText{
	{hints: secretHints, pattern: regexp.MustCompile(`(?i)([\w.-]*` + secretWords + `[\\"']*\s?[=:][\\"']*)([^\s"'\\,;&<]+)`)},
	// With blanks between, it may as well be prose, as in "token: signature is invalid".
	{hints: secretHints, pattern: regexp.MustCompile(`(?im)(` + secretWords + `[\\"']*\s?[=:]\s+[\\"']*)([^\s"'\\,;&<]+)[\\"']*(?:[,;}]|$)`)},
	{hints: secretHints, pattern: regexp.MustCompile(`(?i)(\s--?[\w-]*` + secretWords + `\s+)([^\s"'\\<-][^\s"'\\]*)`)},
	{hints: []string{"bearer", "basic"}, pattern: regexp.MustCompile(`(?i)(\b(?:bearer|basic)\s+)([\w.~+/=-]{8,})`), is: isNoWord},
	{hints: []string{"://"}, pattern: regexp.MustCompile(`(://[^/\s:@]*:)([^/\s@<]+)@`)},
	{hints: []string{"?", "&"}, pattern: regexp.MustCompile(`(?i)([?&](?:sig|signature|x-amz-[\w-]+|key|code)=)([^\s"'&<]+)`)},
	{hints: []string{"eyj"}, pattern: regexp.MustCompile(`()(\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*)`)},
	{hints: []string{"private key-----"}, pattern: regexp.MustCompile(`(-----BEGIN [A-Z ]*PRIVATE KEY-----)([^<-][^-]*)`)},
}

var secretHints = []string{"pass", "token", "key", "secret", "credential"}

// isNoWord reports whether a text is not one as people write it.
func isNoWord(text string) bool {
	return strings.ContainsAny(text, "0123456789=ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// Redacted returns text without what can be told to be a secret from what stands
// around it.
func Redacted(text string) string {
	const shortest = 8
	if len(text) < shortest || !strings.ContainsAny(text, "=:. ") {
		return text
	}
	lower := strings.ToLower(text)
	for _, s := range secretTexts {
		if slices.ContainsFunc(s.hints, func(hint string) bool { return strings.Contains(lower, hint) }) {
			text = s.redact(text)
		}
	}
	return text
}

// redact returns text without such secrets.
func (s secretText) redact(text string) string {
	var b strings.Builder
	done := 0
	for _, at := range s.pattern.FindAllStringSubmatchIndex(text, -1) {
		from, to := at[4], at[5]
		if s.is != nil && !s.is(text[from:to]) {
			continue
		}
		b.WriteString(text[done:from])
		b.WriteString(redacted)
		done = to
	}
	b.WriteString(text[done:])
	return b.String()
}
