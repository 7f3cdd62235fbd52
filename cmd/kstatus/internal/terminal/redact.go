package terminal

import (
	"net/url"
	"strings"
)

// What stands for a secret.
const Hidden = "…"

// RedactURL returns a name of a file or an address without what may be a secret
// in an address: user, password and query.
func RedactURL(text string) string {
	before, _, ok := strings.Cut(text, "://")
	if !ok {
		return text
	}
	u, err := url.Parse(text)
	if err != nil {
		return before + "://" + Hidden
	}
	if u.User != nil {
		u.User = url.User(Hidden)
	}
	if u.RawQuery != "" {
		u.RawQuery = Hidden
	}
	u.Fragment = ""
	if shown, err := url.PathUnescape(u.String()); err == nil {
		return shown
	}
	return u.String()
}
