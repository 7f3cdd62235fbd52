package overview

import (
	"fmt"
	"testing"
)

func TestNamespaceThatDoesNotExist(t *testing.T) {
	names := []string{"default", "shop"}
	for _, row := range []struct{ name, want string }{
		{"shop", "<nil>"},
		{"shpo", `namespace "shpo" does not exist; did you mean shop?`},
		{"payments", `namespace "payments" does not exist`},
	} {
		t.Run(row.name, func(t *testing.T) {
			if have := fmt.Sprint(noSuchNamespace(row.name, names)); have != row.want {
				t.Errorf("have %s, want %s", have, row.want)
			}
		})
	}
}
