package cli

import (
	"errors"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"kstatus.dev/cmd/kstatus/internal/exit"
)

func TestErrorsAreEscaped(t *testing.T) {
	var stderr strings.Builder
	Env{Err: &stderr}.PrintError(errors.New("no kind \x1b[2Jx\u202e\nand\tmore"))
	if want := "error: no kind \ufffd[2Jx\ufffd\nand more\n"; stderr.String() != want {
		t.Errorf("it says %q, want %q", stderr.String(), want)
	}
}

func TestHintAtRole(t *testing.T) {
	const note = "note: an administrator can print the role for this command line with: kubectl kstatus rbac"
	for _, row := range []struct {
		it   string
		code exit.Code
		args []string
		want string
	}{
		{"says nothing after success", exit.OK, []string{"deploy/web"}, ""},
		{"says nothing after another failure", exit.Failed, []string{"deploy/web"}, ""},
		{"prints the command line", exit.Forbidden, []string{"deploy/web", "-l", "a in (b,c)", "--token", "hidden"}, note + " -- wait deploy/web '--selector=a in (b,c)'\n"},
		{"needs Secrets for Helm", exit.Forbidden, []string{"helm/web"}, note + " --secrets -- wait helm/web\n"},
	} {
		t.Run(row.it, func(t *testing.T) {
			var out strings.Builder
			cmd := &cobra.Command{Use: "wait", RunE: func(cmd *cobra.Command, args []string) error {
				Env{Err: &out}.HintAtRole("kubectl kstatus", cmd, args, row.code)
				return nil
			}}
			cmd.Flags().StringP("selector", "l", "", "")
			cmd.Flags().String("token", "", "")
			cmd.SetArgs(row.args)
			if err := cmd.Execute(); err != nil || out.String() != row.want {
				t.Errorf("have %q, %v, want %q", out.String(), err, row.want)
			}
		})
	}
}
