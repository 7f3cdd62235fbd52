package messages

import (
	"regexp"
	"strings"
)

// A Host is a host that a program could not connect to, according to its log.
type Host struct {
	Name       string
	Line       string // of the log
	Unresolved bool   // its name could not be resolved
}

const hostName = `([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?){0,8})`

// The ways in which programs name hosts in errors: in a URL, with a port, and after a word.
var (
	hostInURL     = regexp.MustCompile(`://(?:[^@/\s]{1,100}@)?` + hostName)
	hostWithPort  = regexp.MustCompile(`(?:^|[\s"'(@/=])` + hostName + `:[0-9]{2,5}\b`)
	hostAfterWord = regexp.MustCompile(`(?i:\b(?:host|server|at|to|tcp|address|hostname|host name))[ :=]{1,3}["'(]{0,2}` + hostName)
	hostResolved  = regexp.MustCompile(`(?i:\b(?:lookup|resolve host|host name|hostname|unknown host|UnknownHostException|ENOTFOUND|EAI_AGAIN|getaddrinfo(?: for)?))[ :=]{1,3}["'(]{0,2}` + hostName)
)

// The texts of errors about names that cannot be resolved, in lower case.
var unresolvedWords = []string{
	"no such host", "name or service not known", "enotfound", "eai_again", "unknownhost", "unknown host", "could not resolve host", "couldn't resolve host",
	"could not translate host name", "name resolution", "nodename nor servname", "getaddrinfo failed", "name does not resolve", "server misbehaving", "nxdomain",
}

// The texts of errors of connections that [ConnectionError] does not know, in lower case.
var refusedWords = []string{"econnrefused", "etimedout", "ehostunreach", "could not connect", "couldn't connect", "cannot connect", "can't connect", "unable to connect", "failed to connect", "waiting for"}

// maxHosts is the maximum number of hosts of one log.
const maxHosts = 10

// Hosts returns the hosts that the lines of a log report as not reachable. Some may be no hosts.
func Hosts(lines []string) (all []Host) {
	seen := map[string]bool{}
	for _, line := range lines {
		line = Head(line)
		lower := strings.ToLower(line)
		_, isError := ConnectionError(line)
		unresolved := HasAny(lower, unresolvedWords...)
		if !isError && !unresolved && !HasAny(lower, refusedWords...) {
			continue
		}
		add := func(pattern *regexp.Regexp, unresolved bool) {
			for _, m := range pattern.FindAllStringSubmatch(line, maxHosts) {
				if name := m[1]; !seen[name] && len(all) < maxHosts {
					seen[name] = true
					all = append(all, Host{name, line, unresolved})
				}
			}
		}
		if unresolved {
			add(hostResolved, true)
		}
		for _, pattern := range []*regexp.Regexp{hostInURL, hostWithPort, hostAfterWord} {
			add(pattern, false)
		}
	}
	return all
}

// ServiceOf returns the Service that a host names from a namespace: db, db.shop or
// db.shop.svc.cluster.local. It returns false for a host that is none.
func (h Host) ServiceOf(from string) (namespace, name string, ok bool) {
	labels := strings.Split(h.Name, ".")
	switch {
	case labels[0] == "localhost" || labels[0][0] >= '0' && labels[0][0] <= '9':
		return "", "", false
	case len(labels) == 1:
		return from, labels[0], true
	case len(labels) == 2 || labels[2] == "svc":
		return labels[1], labels[0], true
	}
	return "", "", false
}
