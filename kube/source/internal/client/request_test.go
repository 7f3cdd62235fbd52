package client

import "testing"

func TestFieldSelectors(t *testing.T) {
	rows := []struct {
		it    string
		scope Scope
		want  string
	}{
		{"selects all", Scope{}, ""},
		{"selects by name", Scope{Name: "web"}, "metadata.name=web"},
		{"selects by a name with selector characters, as Roles may have", Scope{Name: `a,b=c\d`}, `metadata.name=a\,b\=c\\d`},
		{"selects by a name in addition to a selector", Scope{Name: "web", FieldSelector: "type=x"}, "type=x,metadata.name=web"},
	}
	for _, row := range rows {
		if have := row.scope.Options().FieldSelector; have != row.want {
			t.Errorf("it %s: have %s, want %s", row.it, have, row.want)
		}
	}
}
