package kubectl

import "testing"

func TestQuote(t *testing.T) {
	for _, row := range []struct{ name, word, want string }{
		{"it does not quote a plain name", "api-7c9f", "api-7c9f"},
		{"it does not quote the path of a resource", "deployment.apps/api", "deployment.apps/api"},
		{"it quotes an empty word", "", "''"},
		{"it quotes a blank", "a b", "'a b'"},
		{"it quotes shell commands", "$(reboot)", "'$(reboot)'"},
		{"it quotes a quotation mark", "it's", `'it'\''s'`},
		{"it quotes a separator of commands", "a;b", "'a;b'"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if have := quote(row.word); have != row.want {
				t.Errorf("quote(%q) = %s, want %s", row.word, have, row.want)
			}
		})
	}
}

func TestCommand(t *testing.T) {
	for _, row := range []struct{ name, context, namespace, want string }{
		{"it has neither context nor namespace", "", "", "kubectl get pods"},
		{"it has both", "east", "shop", "kubectl --context east -n shop get pods"},
		{"it quotes a context with blanks", "my east", "", "kubectl --context 'my east' get pods"},
		{"it accepts the context of a cloud", "arn:aws:eks:eu-west-1:1:cluster/shop", "", "kubectl --context arn:aws:eks:eu-west-1:1:cluster/shop get pods"},
		{"it rejects a context that is a flag", "--token", "", ""},
		{"it rejects a context with invisible characters", "ea\u200bst", "", ""},
		{"it rejects a namespace that is a flag", "", "--server=x", ""},
		{"it rejects a namespace that is not a label", "", "a.b", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			if have := Command(row.context, row.namespace, "get", "pods"); have != row.want {
				t.Errorf("it is %q, want %q", have, row.want)
			}
		})
	}
	if have := Command("", "", "get", None); have != "" {
		t.Errorf("with a text that is no word it is %q", have)
	}
}

func TestWords(t *testing.T) {
	for _, row := range []struct {
		name string
		have Word
		want Word
	}{
		{"a name", Name("system:node:a_b"), "system:node:a_b"},
		{"a name that is a flag", Name("-A"), None},
		{"a name with a parent folder", Name(".."), None},
		{"a name of two segments", Name("a/b"), None},
		{"a name of two words", Name("a b"), None},
		{"a name that two labels select", Name("a,b=c"), None},
		{"no name", Name(""), None},
		{"a label", Label("shop"), "shop"},
		{"a label that ends in a hyphen", Label("shop-"), None},
		{"a label in capitals", Label("Shop"), None},
		{"a type", Type("apps", "Deployment"), "deployment.apps"},
		{"a type of the core group", Type("", "Pod"), "pod"},
		{"a type that is a flag", Type("", "--raw"), None},
		{"a type of two", Type("", "pod,secret"), None},
		{"a type of a hostile group", Type("a b", "Pod"), None},
		{"an object", Object("apps", "Deployment", "api"), "deployment.apps/api"},
		{"an object of a hostile kind", Object("", "a b", "api"), None},
		{"an object with a hostile name", Object("", "Pod", "a b"), None},
		{"a group", Word("--api-group=").With(Group("apps")), "--api-group=apps"},
		{"a hostile group", Word("--api-group=").With(Group("a --b")), None},
		{"a path", APIPath("metrics.k8s.io", "v1"), "/apis/metrics.k8s.io/v1"},
		{"a path with a parent folder", APIPath("..", "v1"), None},
		{"a path without a group", APIPath("", "v1"), None},
		{"a path of a hostile version", APIPath("apps", "../v1"), None},
		{"a number", Word("--to-revision=").With(Number(3)), "--to-revision=3"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if row.have != row.want {
				t.Errorf("it is %q, want %q", row.have, row.want)
			}
		})
	}
}
