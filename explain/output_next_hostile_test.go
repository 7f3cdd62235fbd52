package explain

import (
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kstatus.dev/status"
)

// The parts of commands that come from objects, with the most general pattern of each.
var commandParts = strings.NewReplacer(
	"TYPE", `[a-z][a-z0-9-]*(?:\.[a-z0-9.-]+)?`,
	"KIND", `[A-Za-z][A-Za-z0-9-]*(?:\.[a-z0-9.-]+)?`,
	"NAME", `[A-Za-z0-9_.:@+~][A-Za-z0-9_.:@+~-]*`,
	"LABEL", `[a-z0-9](?:[a-z0-9-]*[a-z0-9])?`,
	"GROUP", `(?:[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)?`,
	"NUMBER", `[0-9]+`,
)

// commandShapes are the patterns of all suggested commands, with words separated by a
// blank.
var commandShapes = []string{
	"describe TYPE/NAME",
	"describe limitranges",
	"describe hpa NAME",
	"describe node NAME",
	"describe resourcequota NAME",
	"describe secret NAME",
	"describe service NAME",
	"get TYPE/NAME -L kubernetes.io/arch,kubernetes.io/os",
	"get csidrivers",
	"get endpointslices -l kubernetes.io/service-name=NAME",
	"get events",
	"get events -A --field-selector involvedObject.name=NAME",
	"get ingressclasses",
	"get namespace LABEL --show-labels",
	"get nodes",
	"get nodes --show-labels",
	"get nodes -o custom-columns=NAME:.metadata.name,TAINTS:.spec.taints",
	"get nodes -o custom-columns=NAME:.metadata.name,ALLOCATABLE:.status.allocatable",
	"get persistentvolumes",
	"get pods --show-labels",
	"get pods -A",
	"get pods -L controller-revision-hash",
	"get referencegrants -A",
	"get resourceclaims",
	"get storageclasses",
	"get validatingadmissionpolicies NAME -o yaml",
	"get validatingwebhookconfigurations,mutatingwebhookconfigurations",
	"get volumeattachments",
	"get workloads.kueue.x-k8s.io",
	"get --raw /apis/GROUP/NAME",
	"api-resources --api-group=GROUP",
	"certificate approve NAME",
	"create namespace LABEL",
	"delete TYPE/NAME",
	"edit service NAME",
	"logs NAME -c LABEL",
	"logs NAME -c LABEL --previous",
	`patch TYPE/NAME -p {"spec":{"suspend":false}}`,
	`patch TYPE/NAME -p {"spec":{"updateStrategy":{"rollingUpdate":{"partition":0}}}}`,
	"history NAME", // of helm
	"rollback NAME",
	"rollout resume TYPE/NAME",
	"rollout status TYPE/NAME",
	"rollout undo TYPE/NAME",
	"rollout undo TYPE/NAME --to-revision=NUMBER",
	"scale TYPE/NAME --replicas=1",
	"get --explain-rule KIND", // of kstatus
	"get TYPE",
	"get TYPE/NAME",
	"catalog list", // of openstack
	"flavor list",
	"image list",
	"image show NAME",
	"keypair list",
	"loadbalancer list",
	"network list",
	"quota show --usage",
	"router list",
	"security group list",
	"server group list",
	"server show NAME -c status -c fault",
	"subnet list",
}

// shapePatterns match the words of commands. NUL separates the words, since no word
// contains it.
var shapePatterns = func() (all []*regexp.Regexp) {
	for _, shape := range commandShapes {
		quoted := strings.ReplaceAll(regexp.QuoteMeta(shape), " ", "\x00")
		all = append(all, regexp.MustCompile("^"+commandParts.Replace(strings.ReplaceAll(quoted, "NAME:", "N[A]ME:"))+"$"))
	}
	return all
}()

// flagsOfCommands are all flags of suggested commands.
var flagsOfCommands = []string{
	"--context", "--kube-context", "-n", "-A", "-L", "-c", "-l", "-o", "-p", "--api-group", "--explain-rule", "--field-selector", "--previous", "--raw", "--replicas", "--show-labels", "--to-revision", "--usage",
}

// commandShape returns the index of the shape of a command, or -1 and the problem with
// its words.
func commandShape(command string) (shape int, wrong string) {
	words, ok := shellWords(command)
	if !ok || len(words) < 2 || !slices.Contains([]string{"kubectl", "helm", "kstatus", "openstack"}, words[0]) {
		return -1, "it is no command of kubectl, Helm, kstatus or openstack for a shell"
	}
	for _, word := range words {
		if flag, _, _ := strings.Cut(word, "="); strings.HasPrefix(word, "-") && !slices.Contains(flagsOfCommands, flag) {
			return -1, "it has the flag " + word
		}
	}
	words = words[1:]
	if strings.HasSuffix(words[0], "-context") && len(words) > 2 {
		words = words[2:]
	}
	if words[0] == "-n" && len(words) > 2 {
		if !regexp.MustCompile(commandParts.Replace("^LABEL$")).MatchString(words[1]) {
			return -1, "it has the namespace " + words[1]
		}
		words = words[2:]
	}
	text := strings.Join(words, "\x00")
	for i, pattern := range shapePatterns {
		if pattern.MatchString(text) {
			return i, ""
		}
	}
	return -1, "its words are none of the shapes"
}

// shellWords returns the words that a shell reads, and whether the shell reads only
// words.
func shellWords(command string) (words []string, ok bool) {
	word, inWord := "", false
	for i := 0; i < len(command); i++ {
		switch c := command[i]; {
		case c == ' ':
			if inWord {
				words = append(words, word)
			}
			word, inWord = "", false
		case c == '\'':
			end := strings.IndexByte(command[i+1:], '\'')
			if end < 0 {
				return nil, false
			}
			word, inWord = word+command[i+1:i+1+end], true
			i += 1 + end
		case c == '\\' && i+1 < len(command) && command[i+1] == '\'':
			word, inWord = word+"'", true
			i++
		case strings.IndexByte("\"$`;&|<>(){}*?!#~\\\n\t", c) >= 0 && (c != '~' || !inWord):
			return nil, false
		default:
			word, inWord = word+string(c), true
		}
	}
	if inWord {
		words = append(words, word)
	}
	return words, true
}

// hostileWords are what a tenant puts where a name is expected.
var hostileWords = []string{
	" --server=https://evil.example", "--server=https://evil.example", "-A", "x -o yaml", "../../x", "/x", "a,b", "*", "a=b", "'; reboot; '", "$(reboot)", "\n--all", "\u200b", "\u202ex", "%2e%2e", "\x00", "\\", "..",
	"UPPER", "a b c", "`id`", "#", "-", "--", "--kubeconfig", "é",
}

// A text of an object, event, log or gap never becomes a word of a command, unless it is
// a valid name in its place.
func TestCommandsHoldNoHostileText(t *testing.T) {
	files := caseFiles(t)
	used := make([]bool, len(commandShapes))
	for seed, file := range files {
		facts, requested := readCase(t, file)
		check := func(how string) {
			t.Helper()
			for _, cause := range Explain(facts, requested...).Causes {
				for _, next := range cause.Next {
					shape, wrong := commandShape(next)
					if shape < 0 {
						t.Errorf("%s, %s: %s: %q", caseName(file), how, wrong, next)
						continue
					}
					used[shape] = true
				}
			}
		}
		check("as it is")
		original, originalAsked := facts, requested
		for i, old := range namesIn(original) {
			with := hostileWords[(i+seed)%len(hostileWords)]
			if i%2 == 0 {
				with = old + with
			}
			replacement := strings.NewReplacer(old, with)
			facts, requested = withTexts(original, replacement), withTexts(originalAsked, replacement)
			recompute(facts)
			check("with " + with + " for " + old)
		}
	}
	for i, is := range used {
		if !is {
			t.Errorf("no command is %q", commandShapes[i])
		}
	}
}

// FuzzNext puts the fuzzer's text in place of a name.
func FuzzNext(f *testing.F) {
	files := caseFiles(f)
	for i := range files {
		f.Add(i, i, hostileWords[i%len(hostileWords)])
	}
	f.Fuzz(func(t *testing.T, which, at int, text string) {
		original, requested := readCase(t, files[int(uint(which)%uint(len(files)))])
		names := namesIn(original)
		replacement := strings.NewReplacer(names[int(uint(at)%uint(len(names)))], strings.ToValidUTF8(text[:min(len(text), 300)], ""))
		facts := withTexts(original, replacement)
		recompute(facts)
		for _, cause := range Explain(facts, withTexts(requested, replacement)...).Causes {
			for _, next := range cause.Next {
				if shape, wrong := commandShape(next); shape < 0 {
					t.Errorf("%s: %q", wrong, next)
				}
			}
		}
	})
}

var textPattern = regexp.MustCompile(`[A-Za-z0-9][A-Za-z0-9.:/-]+[A-Za-z0-9]`)

// namesIn returns what looks like a name in the texts of facts, each once, in order. Words
// that only tell the kind of a fact, such as times and numbers, are left out.
func namesIn(f *Facts) []string {
	all := map[string]bool{}
	mapTexts(reflect.ValueOf(f), func(text string) string {
		for _, name := range textPattern.FindAllString(text, -1) {
			if strings.Trim(name, "0123456789.:TZ-") != "" {
				all[name] = true
			}
		}
		return text
	})
	return slices.Sorted(maps.Keys(all))
}

// withTexts returns a copy of a value with all its texts replaced.
func withTexts[T any](v T, r *strings.Replacer) T {
	return mapTexts(reflect.ValueOf(v), r.Replace).Interface().(T)
}

// mapTexts returns a copy of a value with all its texts changed, but for the keys of maps.
func mapTexts(v reflect.Value, change func(string) string) reflect.Value {
	if !v.IsValid() {
		return v
	}
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.String:
		out.SetString(change(v.String()))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(mapTexts(v.Field(i), change))
			}
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			out.Index(i).Set(mapTexts(v.Index(i), change))
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMap(v.Type()))
		}
		for _, key := range v.MapKeys() {
			if value := v.MapIndex(key); value.Kind() != reflect.Interface || !value.IsNil() {
				out.SetMapIndex(key, mapTexts(value, change))
			} else {
				out.SetMapIndex(key, value)
			}
		}
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			in := mapTexts(v.Elem(), change)
			if v.Kind() == reflect.Pointer {
				out.Set(reflect.New(v.Type().Elem()))
				out.Elem().Set(in)
			} else {
				out.Set(in)
			}
		}
	}
	return out
}

// recompute judges the objects of facts, as they are by now.
func recompute(f *Facts) {
	for i := range f.Objects {
		fact := &f.Objects[i]
		if fact.Object == nil {
			continue
		}
		if result, reads, err := (&status.Evaluator{}).Explain(fact.Object); err == nil {
			fact.Result, fact.Reads = *result, reads
		}
	}
}
