package release

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

// A proxy is a Go module proxy in a folder, which GOPROXY names as a file URL.
type proxy struct{ folder string }

// publish adds the module in a folder to the proxy, as the go command would create it from a
// tag. It returns the size of the module's zip in bytes. It omits modules in subfolders.
func (p proxy) publish(m module.Version, folder string) (int, error) {
	path, err := module.EscapePath(m.Path)
	if err != nil {
		return 0, err
	}
	var packed bytes.Buffer
	if err := zip.CreateFromDir(&packed, m, folder); err != nil {
		return 0, err
	}
	mod, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return 0, err
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{m.Version, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		return 0, err
	}
	versions := filepath.Join(p.folder, path, "@v")
	if err := os.MkdirAll(versions, 0o755); err != nil {
		return 0, err
	}
	for name, text := range map[string][]byte{
		"list":              []byte(m.Version + "\n"),
		m.Version + ".info": info,
		m.Version + ".mod":  mod,
		m.Version + ".zip":  packed.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(versions, name), text, 0o644); err != nil {
			return 0, err
		}
	}
	return packed.Len(), nil
}
