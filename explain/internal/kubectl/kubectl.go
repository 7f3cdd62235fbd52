// Package kubectl writes commands of kubectl, of Helm and of kstatus that are suggested to users.
//
// Users paste suggested commands into a shell, and parts of them come from objects and
// events, which others write. So a command is a list of words, and a text becomes a word
// only if it is valid in its place.
package kubectl

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"kstatus.dev/internal/text"
)

// A Word is one argument of a command. Constants of the source code are words. Texts of a
// cluster become words only through the functions of this package, which validate them.
// So a text can neither add an argument nor become a flag.
type Word string

// None replaces a text that cannot be a word. A command with it is empty.
const None Word = "\x00"

// Command returns a kubectl command with a context and a namespace, each optional, and
// the words. It quotes words with characters that are special to a shell. It returns ""
// if a word is not valid.
func Command(context, namespace string, words ...Word) string {
	return command("kubectl", "--context", context, namespace, words)
}

// Helm returns a command of Helm, like Command for kubectl.
func Helm(context, namespace string, words ...Word) string {
	return command("helm", "--kube-context", context, namespace, words)
}

// Kstatus returns a command of kstatus, like Command for kubectl.
func Kstatus(context, namespace string, words ...Word) string {
	return command("kstatus", "--context", context, namespace, words)
}

// OpenStack returns a command of the client of OpenStack, whose cloud the user selects.
func OpenStack(words ...Word) string { return command("openstack", "", "", "", words) }

// command returns a command of a program, given its flag for a context.
func command(program, flag Word, context, namespace string, words []Word) string {
	all := []Word{program}
	if context != "" {
		all = append(all, flag, contextName(context))
	}
	if namespace != "" {
		all = append(all, "-n", Label(namespace))
	}
	all = append(all, words...)
	if slices.Contains(all, None) {
		return ""
	}
	var quoted []string
	for _, w := range all {
		quoted = append(quoted, quote(string(w)))
	}
	return strings.Join(quoted, " ")
}

// Name returns the name of an object.
func Name(name string) Word { return wordIf(isName(name), name) }

// Label returns a name that is a DNS label, such as that of a namespace or a container.
func Label(name string) Word { return wordIf(isLabel(name), name) }

// Type returns a kind for kubectl: deployment.apps, or deployment without a group.
func Type(group, kind string) Word {
	return wordIf(kindPattern.MatchString(kind) && isGroup(group), strings.TrimSuffix(strings.ToLower(kind)+"."+group, "."))
}

// Kind returns a kind for kstatus: Deployment.apps, or Pod without a group.
func Kind(group, kind string) Word {
	return wordIf(kindPattern.MatchString(kind) && isGroup(group), strings.TrimSuffix(kind+"."+group, "."))
}

// Object returns the name of an object for kubectl: deployment.apps/api.
func Object(group, kind, name string) Word {
	if !isName(name) {
		return None
	}
	return Type(group, kind).With(Word("/" + name))
}

// Group returns the name of an API group, empty for the core group.
func Group(group string) Word { return wordIf(isGroup(group), group) }

// APIPath returns the path of a version of an API group.
func APIPath(group, version string) Word {
	return wordIf(group != "" && isGroup(group) && isLabel(version), "/apis/"+group+"/"+version)
}

// Number returns a number.
func Number(n int64) Word { return Word(strconv.FormatInt(n, 10)) }

// With returns the word with a value appended, such as the value of a flag.
func (w Word) With(value Word) Word {
	if w == None || value == None {
		return None
	}
	return w + value
}

// contextName returns the name of a kubeconfig context, which may be any printable text.
func contextName(name string) Word {
	return wordIf(name != "" && name[0] != '-' && utf8.ValidString(name) && strings.IndexFunc(name, text.Unsafe) < 0, name)
}

// wordIf returns a text as a word if it is valid.
func wordIf(fit bool, text string) Word {
	if !fit {
		return None
	}
	return Word(text)
}

// The patterns of valid texts. For some kinds, the API server also accepts any path
// segment as a name; names with blanks or other characters are in no command.
var (
	namePattern  = regexp.MustCompile(`^[A-Za-z0-9_.:@+~][A-Za-z0-9_.:@+~-]{0,252}$`)
	labelPattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)
	groupPattern = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$`)
	kindPattern  = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)
)

func isName(name string) bool { return name != "." && name != ".." && namePattern.MatchString(name) }

func isLabel(name string) bool { return labelPattern.MatchString(name) }

func isGroup(name string) bool { return name == "" || groupPattern.MatchString(name) }

// quote quotes a word for a shell if necessary.
func quote(word string) string {
	special := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-._/:=,@", r)
	}
	if word != "" && strings.IndexFunc(word, special) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
