package hostile

import (
	"bytes"
	"os"
	"testing"
)

// If reachable code calls a method by a name that is not constant, the linker keeps every exported
// method of every reachable type. text/template does, and reflect.Value.MethodByName and Method. To
// find the caller, run `go build -ldflags=-dumpdep ./cmd/kstatus 2>&1 | grep '<ReflectMethod> ->'`.
func TestCommandKeepsNoUnusedMethods(t *testing.T) {
	program, err := os.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	for name, kept := range map[string]bool{
		"k8s.io/api/core/v1.(*Pod).DeepCopyObject": true,  // the scheme calls it by an interface
		"k8s.io/api/core/v1.Pod.SwaggerDoc":        false, // no code calls it
		"k8s.io/api/core/v1.(*Pod).SwaggerDoc":     false,
		"text/template.(*Template).Execute":        false,
	} {
		if has := bytes.Contains(program, []byte(name)); has != kept {
			t.Errorf("the program has the function %s: %t, want %t", name, has, kept)
		}
	}
}
