package rbac

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/selection"
)

// roleName returns the name of the roles: the value of --name, or a name that depends only on
// the request. Thus roles for one request do not replace roles for another.
func (r *command) roleName(request selection.Request, namespace string) string {
	o := r.objects
	asked := request.Names()
	if r.line.NamesRoles {
		asked = append(asked, r.other.CommandPath())
		r.other.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if f.Changed {
				asked = append(asked, f.Name+"="+f.Value.String())
			}
		})
	}
	for _, it := range request.Objects {
		id := output.IDOf(it.Content)
		asked = append(asked, id.Group+" "+id.String())
	}
	slices.Sort(asked)
	sum := sha256.Sum256([]byte(strings.Join(append(slices.Compact(asked), namespace, o.Selector, o.FieldSelector, r.account,
		fmt.Sprint(o.AllNamespaces, o.All, o.Expand, r.endpoints, r.explain, r.secrets)), "\n")))
	return cmp.Or(r.name, "kstatus-"+hex.EncodeToString(sum[:4]))
}
