// Package modcache finds the folders of modules in the module cache.
package modcache

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
)

// Folder downloads a module and returns its folder. The module is path@version, or a path that the
// module in dir requires. dir may be empty.
func Folder(ctx context.Context, dir, module string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", "mod", "download", "-json", module)
	if cmd.Dir = dir; dir == "" {
		cmd.Dir = os.TempDir()
	}
	cmd.Env = append(os.Environ(), "GOWORK=off")
	out, err := cmd.Output()
	var said struct{ Dir, Error string }
	if jsonErr := json.Unmarshal(out, &said); err != nil || jsonErr != nil || said.Dir == "" {
		return "", fmt.Errorf("go mod download %s in %s: %w %s", module, cmd.Dir, errors.Join(err, jsonErr, ctx.Err()), said.Error)
	}
	return said.Dir, nil
}
