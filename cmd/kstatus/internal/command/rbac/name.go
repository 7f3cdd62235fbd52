package rbac

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"kstatus.dev/cmd/kstatus/internal/output"
	"kstatus.dev/cmd/kstatus/internal/selection"
)

// roleName returns the name of the roles: that of --name, or else one that is the same
// whenever the same is asked for, so that roles for anything else do not replace them.
func (r *command) roleName(request selection.Request, namespace string) string {
	o := r.objects
	asked := request.Names()
	for _, it := range request.Objects {
		id := output.IDOf(it.Content)
		asked = append(asked, id.Group+" "+id.String())
	}
	slices.Sort(asked)
	sum := sha256.Sum256([]byte(strings.Join(append(slices.Compact(asked), namespace, o.Selector, o.FieldSelector, r.account,
		fmt.Sprint(o.AllNamespaces, o.All, o.Expand, r.endpoints, r.explain, r.secrets)), "\n")))
	return cmp.Or(r.name, "kstatus-"+hex.EncodeToString(sum[:4]))
}
