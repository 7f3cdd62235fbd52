package redact

import "strings"

// addresses finds passwords and tokens in addresses:
// scheme://user:password@host, user:password@tcp(host), https://TOKEN@host, and
// webhooks of chat services.
func (sc *scanner) addresses() {
	s := sc.s
	for i := 0; i < len(s); i++ {
		sc.steps++
		switch {
		case s[i] == ':' && strings.HasPrefix(s[i:], "://"):
			i = max(i, sc.address(i+len("://"))-1)
		case s[i] == '@':
			sc.user(i)
		}
	}
}

// address scans an address after its scheme, and returns the end of it.
func (sc *scanner) address(from int) int {
	s := sc.s
	end, slash, lastAt, authorityAt := from, -1, -1, -1
	for ; end < len(s) && !endsAddress(s, end); end++ {
		switch s[end] {
		case '/', '?', '#':
			if slash < 0 {
				slash = end
			}
		case '@':
			if isDigest(s[end+1:]) {
				continue
			}
			lastAt = end
			if slash < 0 {
				authorityAt = end
			}
		}
	}
	sc.steps += end - from
	cut := sc.cut < len(s) && end >= sc.cut
	authority := end
	if slash >= 0 {
		authority = slash
	}
	at := authorityAt
	colon := strings.IndexByte(s[from:authority], ':')
	if at < 0 && lastAt >= 0 && colon > 0 && strings.Trim(s[from+colon+1:authority], "0123456789") != "" {
		at = lastAt // the password contains a slash
	}
	switch {
	case at >= 0:
		sc.userinfo(from, at)
	case cut && colon >= 0 && strings.Trim(s[from+colon+1:min(authority, sc.cut)], "0123456789") != "":
		sc.add(from+colon+1, sc.cut, aPassword)
	case cut && slash < 0 && colon < 0 && sc.cut-from >= 16 && !strings.Contains(s[from:sc.cut], ".") && looksRandom(s[from:sc.cut]):
		sc.add(from, sc.cut, aToken)
	}
	if slash >= 0 && at < 0 {
		sc.webhook(from, slash, end)
	}
	return end
}

func endsAddress(s string, i int) bool {
	c := s[i]
	if c == '<' {
		return placeholderEnd(s, i) == i
	}
	if c == ' ' && i > 0 {
		// The offset may be inside of a numbered placeholder.
		from := max(0, i-len(placeholderStart))
		return !(s[from:i] == placeholderStart && placeholderEnd(s, from) > from)
	}
	return isSpace(c) || strings.IndexByte("\"'`>\\|", c) >= 0
}

// isDigest reports whether a text begins with the digest of an image.
func isDigest(s string) bool {
	return strings.HasPrefix(s, "sha256:") || strings.HasPrefix(s, "sha512:") || strings.HasPrefix(s, "sha384:") || strings.HasPrefix(s, "sha1:")
}

// userinfo adds the secret before the @ of an address.
func (sc *scanner) userinfo(from, at int) {
	user := sc.s[from:at]
	if i := strings.IndexByte(user, ':'); i >= 0 {
		if !isEmptyOrPlaceholder(user[i+1:]) {
			sc.add(from+i+1, at, aPassword)
		}
		if i >= 20 && looksRandom(user[:i]) {
			sc.add(from, from+i, aToken) // https://TOKEN:x-oauth-basic@host
		}
		return
	}
	if !isUserName(user) && !isEmptyOrPlaceholder(user) {
		sc.add(from, at, aToken)
	}
}

// isUserName reports whether a text looks like a user name and not like a
// token.
func isUserName(s string) bool {
	const longest = 20
	if len(s) > longest {
		return false
	}
	digits := 0
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c):
			digits++
		case isUpper(c) || !isWord(c) && c != '.':
			return false
		}
	}
	return digits <= 4
}

// webhook adds the path of a webhook, which permits everyone to write to a chat.
func (sc *scanner) webhook(from, slash, end int) {
	host, path := strings.ToLower(sc.s[from:slash]), sc.s[slash:end]
	for _, h := range webhooks {
		if strings.HasSuffix(host, h.host) && strings.HasPrefix(path, h.path) {
			to := end
			for to > slash && strings.IndexByte(".,;:)", sc.s[to-1]) >= 0 {
				to--
			}
			sc.add(slash+len(h.path), to, aToken)
			return
		}
	}
}

// user adds the password of user:password@host without a scheme.
func (sc *scanner) user(at int) {
	const most = 160
	s := sc.s
	if isDigest(s[at+1:]) || at+1 >= len(s) || !isLetter(s[at+1]) && !isDigit(s[at+1]) && s[at+1] != '[' && s[at+1] != '(' {
		return
	}
	from, colon := at, -1
	for from > 0 && at-from < most && !isSpace(s[from-1]) && strings.IndexByte("\"'`=,;<>(){}[]@\\|", s[from-1]) < 0 {
		from--
		if s[from] == ':' {
			colon = from
		}
	}
	sc.steps += at - from
	if colon < 0 || colon == at-1 || strings.HasPrefix(s[colon:], "://") {
		return
	}
	user := s[from:colon]
	if user == "" && from > 0 && s[from-1] == '/' || strings.ContainsAny(user, "/") || strings.EqualFold(user, "mailto") || strings.EqualFold(user, "sip") || strings.EqualFold(user, "acct") {
		return
	}
	if !isEmptyOrPlaceholder(s[colon+1 : at]) {
		sc.add(colon+1, at, aPassword)
	}
}
