package terminal

import (
	"net/url"
	"strings"
)

// Redaction replaces a secret.
const Redaction = "…"

// RedactURL returns a file name or URL without the parts of a URL that may be secret: user,
// password and query.
func RedactURL(text string) string {
	before, _, ok := strings.Cut(text, "://")
	if !ok {
		return text
	}
	u, err := url.Parse(text)
	if err != nil {
		return before + "://" + Redaction
	}
	if u.User != nil {
		u.User = url.User(Redaction)
	}
	if u.RawQuery != "" {
		u.RawQuery = Redaction
	}
	u.Fragment = ""
	if shown, err := url.PathUnescape(u.String()); err == nil {
		return shown
	}
	return u.String()
}
