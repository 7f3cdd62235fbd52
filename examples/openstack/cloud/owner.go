package cloud

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Owner is the cluster that resources belong to. The methods about machines take the cluster of the
// machine.
type Owner struct {
	Namespace, Name string
	Tags            []string // of the spec, in addition to the tag of the owner
	Machine         string   // identifies a machine among all that have had its name; empty means any
}

// Limits of the services.
const (
	maxName       = 255 // names and descriptions of all services
	maxServerName = 63  // the guest uses the name as its hostname
	maxTag        = 60  // of servers, and of networks before 2023
)

// Tag returns the tag of all resources of the owner. It is also the description of resources that
// can have no tag when they are created.
func (o Owner) Tag() string {
	return tagKey + "=" + shorten(o.Namespace+"/"+o.Name, maxTag-len(tagKey)-1)
}

// tagKey is the key of the owner in tags and in the metadata of servers.
const tagKey = "kstatus-cluster"

// Prefix returns the beginning of the names of all resources of the owner.
func (o Owner) Prefix() string { return "k8s-" + o.Namespace + "-" + o.Name }

// name returns the name of a resource of the owner.
func (o Owner) name(parts ...string) string {
	return shorten(strings.Join(append([]string{o.Prefix()}, parts...), "-"), maxName)
}

// ServerName returns the name of the server of a machine. It is also the hostname.
func (o Owner) ServerName(machine string) string {
	return shorten(strings.ReplaceAll(o.Prefix()+"-"+machine, ".", "-"), maxServerName)
}

// machineMark is the description of the ports of a machine, and the tag of the machine.
func machineMark(machine string) string {
	return "kstatus-machine=" + shorten(machine, maxTag-len("kstatus-machine="))
}

// tags returns all tags of a resource.
func (o Owner) tags(more ...string) []string {
	return unique(append(append([]string{o.Tag()}, o.Tags...), more...))
}

// unique removes repeated and empty strings, and keeps the order.
func unique(list []string) []string {
	var kept []string
	seen := map[string]bool{"": true}
	for _, s := range list {
		if !seen[s] {
			kept = append(kept, s)
		}
		seen[s] = true
	}
	return kept
}

// shorten returns s if it has at most limit bytes. Otherwise it returns the beginning of s and a hash
// of all of it.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	hash := hex.EncodeToString(sum[:5])
	return strings.TrimRight(s[:limit-len(hash)-1], "-./") + "-" + hash
}
