// Command least replaces kstatus in tests that run it by its name. It requests from the test a user
// with exactly the permissions that the command line needs. Then it runs kstatus as that user.
package main

import (
	"fmt"
	"os"
	"slices"
	"syscall"

	"kstatus.dev/test/lib/least/standin"
)

func main() {
	answer, err := standin.Ask(os.Args[1:], os.Stdin)
	if err == nil && answer.Stdin != "" {
		if err = syscall.Close(0); err == nil {
			_, err = syscall.Open(answer.Stdin, syscall.O_RDONLY, 0) // Open returns the lowest free number
		}
	}
	if err == nil {
		environment := slices.DeleteFunc(os.Environ(), standin.IsOwn)
		environment = append(environment, "KUBECONFIG="+answer.Kubeconfig)
		err = syscall.Exec(answer.Command, append([]string{"kstatus"}, os.Args[1:]...), environment)
	}
	fmt.Fprintln(os.Stderr, "least:", err)
	os.Exit(125)
}
