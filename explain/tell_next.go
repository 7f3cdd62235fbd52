package explain

import "strings"

// kubectl returns a command about an object as one types it: with the cluster
// and the namespace of the object, each word quoted where a shell would read
// more than a word.
func (id ID) kubectl(words ...string) string {
	all := []string{"kubectl"}
	if id.Cluster != "" {
		all = append(all, "--context", shellWord(id.Cluster))
	}
	if id.Namespace != "" {
		all = append(all, "-n", shellWord(id.Namespace))
	}
	for _, word := range words {
		all = append(all, shellWord(word))
	}
	return strings.Join(all, " ")
}

// slash names an object as kubectl takes it: deployment/api.
func (id ID) slash() string { return strings.ToLower(id.Kind) + "/" + id.Name }

// typed names the kind of an object as kubectl takes it: deployment.apps.
func (id ID) typed() string {
	return strings.TrimSuffix(strings.ToLower(id.Kind)+"."+id.Group, ".")
}

// shellWord quotes a word for a shell, if it has to be.
func shellWord(word string) string {
	special := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-._/:=,@", r)
	}
	if word != "" && strings.IndexFunc(word, special) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
