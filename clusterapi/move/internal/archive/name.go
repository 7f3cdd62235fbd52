package archive

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// maxName is the largest length of the name of a file in bytes. File systems permit 255.
const maxName = 200

// nameOf returns the name of the file of an object: STEP_GROUP_KIND_NAMESPACE_NAME.json.
func nameOf(step int, o *unstructured.Unstructured) string {
	parts := []string{o.GroupVersionKind().Group, o.GetKind(), o.GetNamespace(), o.GetName()}
	for i, part := range parts {
		parts[i] = escape(part)
	}
	name := fmt.Sprintf("%04d_%s", step, strings.Join(parts, "_"))
	if len(name) > maxName {
		name = name[:maxName-17] + "_" + hash([]byte(name))[:16]
	}
	return name + ".json"
}

// escape replaces bytes that have a meaning in the names of files or in those of archives.
func escape(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if isPlain(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func isPlain(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.'
}

// isName reports whether a name may be one that nameOf returns, so that it is no path.
func isName(name string) bool {
	if len(name) > 255 || !strings.HasSuffix(name, ".json") || name[0] < '0' || name[0] > '9' {
		return false
	}
	for _, c := range []byte(name) {
		if !isPlain(c) && c != '_' && c != '%' {
			return false
		}
	}
	return true
}
